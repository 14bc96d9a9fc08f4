import DataModel
import JSONText

/// The schema and the id of a record in a tree. One array of bytes contains both, because two arrays
/// for each record would need more memory.
struct TreeRecordID: Hashable {
  private let bytes: [UInt8]

  /// Creates the value for a record whose id is given as JSON.
  init(schema: String, json id: Span<UInt8>) throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(schema.utf8.count + id.count + 1)
    bytes.append(contentsOf: schema.utf8)
    bytes.append(0)
    let isText = id[0] == UInt8(ascii: "\"")
    if isText, !Self.hasEscapes(id) {
      bytes.append(copying: id.extracting(1..<id.count - 1))
    } else if isText, case .text(let text) = try JSONValue(parsing: id) {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(copying: id)
    }
    self.bytes = bytes
  }

  private static func hasEscapes(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] == UInt8(ascii: "\\") { return true }
    return false
  }

  var schema: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  var id: String { String(decoding: bytes.drop { $0 != 0 }.dropFirst(), as: UTF8.self) }
}
