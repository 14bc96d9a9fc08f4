import DataModel
import JSONText
import RecordText

/// Writes the values of one column without quotes, each on its own line. A line is empty for null.
/// Arrays and objects are written as JSON.
struct LineWriter: Sendable {
  /// The reason why a value cannot be written.
  enum Failure: Error {
    /// The stored value is invalid.
    case invalidValue(slot: Int)
    /// The value is a text of several lines.
    case lineEnd
  }

  private var writer: RecordWriter
  /// The length of the text between the start of an object and the value of the column.
  private let prefixLength: Int

  init(_ column: RecordWriter.Column) {
    writer = RecordWriter([column], format: .ndjson)
    prefixLength = JSONQuote.memberName(of: column.name).count + 1
  }

  mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    writer.expand(slot, into: records)
  }

  /// Appends the value of a row and a line feed.
  mutating func write(_ rows: Rows, _ row: Int, to output: inout [UInt8]) throws(Failure) {
    var object: [UInt8] = []
    if let slot = writer.writeObject(rows, row, to: &object) { throw .invalidValue(slot: slot) }
    let json = object[prefixLength..<object.count - 1]
    if json.first == UInt8(ascii: "\"") {
      guard case .text(let text)? = try? JSONValue(parsing: String(decoding: json, as: UTF8.self)),
        !text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
      else { throw .lineEnd }
      output += text.utf8
    } else if !json.elementsEqual("null".utf8) {
      output += json
    }
    output.append(UInt8(ascii: "\n"))
  }
}
