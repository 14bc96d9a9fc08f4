package import DataModel
internal import DataStore
package import JSONText

/// Access to the values in a response of a server. A value of another kind than expected is an
/// error, because any server can have sent it.
extension JSONNode {
  static func document(_ text: [UInt8]) throws(DataError) -> JSONNode {
    try read(text, file: nil, code: .syntax)
  }

  /// Parses JSON values that follow each other, such as the lines of NDJSON.
  package static func documents(_ text: [UInt8]) throws(DataError) -> [JSONNode] {
    if text.allSatisfy({ $0 == UInt8(ascii: "\n") }) { return [] }
    return try readAll(text, file: nil, code: .syntax)
  }

  /// The value under a key of an object, or nil if there is none.
  package subscript(key: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name.utf8.elementsEqual(key.utf8) }?.value
  }

  var elements: [JSONNode] {
    get throws(DataError) {
      guard case .array(let elements) = content else {
        throw DataError(.syntax, "expected an array, found \(kind)")
      }
      return elements
    }
  }

  /// The count in this node.
  func count(in text: [UInt8]) throws(DataError) -> Int {
    guard case .number = content, let count = Int(String(decoding: text[range], as: UTF8.self)),
      (0...Int.max / 2).contains(count)
    else { throw DataError(.syntax, "expected a count, found \(kind)") }
    return count
  }

  /// Returns the value of a field of the given type.
  func value(of type: FieldType, in text: [UInt8]) throws(DataError) -> DataModel.Value {
    do throws(ValueTextError) {
      switch content {
      case .null: return .null
      case .text(let string): return try type.descriptor.parse(string.utf8.span)
      case .boolean, .number, .array, .object:
        return try type.descriptor.parse(text[range].span)
      }
    } catch {
      throw DataError(.invalid, "expected \(type.name), found \(kind)")
    }
  }
}

extension DeleteSummary {
  init(_ node: JSONNode, in text: [UInt8]) throws(DataError) {
    var cascaded: [CascadeCount] = []
    if case .object(let members)? = node["cascaded"]?.content {
      for member in members {
        cascaded.append(
          CascadeCount(schema: member.name, count: try member.value.count(in: text)))
      }
    }
    self.init(
      deleted: try node["count"]?.count(in: text) ?? 0, cascaded: cascaded,
      nullified: try node["nullified"]?.count(in: text) ?? 0)
  }
}
