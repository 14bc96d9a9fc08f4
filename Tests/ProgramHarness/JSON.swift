import Foundation

/// A JSON value, parsed with Foundation and not with the parser under test.
package struct JSON {
  private let value: Any

  package init(_ text: String) throws(Violation) {
    do {
      value = try JSONSerialization.jsonObject(
        with: Data(text.utf8), options: [.fragmentsAllowed])
    } catch {
      throw Violation("no JSON: \(text.prefix(300).debugDescription)")
    }
  }

  private init(value: Any) {
    self.value = value
  }

  package subscript(key: String) -> JSON? {
    (value as? [String: Any])?[key].map { JSON(value: $0) }
  }

  package var elements: [JSON] { (value as? [Any])?.map { JSON(value: $0) } ?? [] }
  package var keys: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
  package var text: String? { value as? String }
  package var number: Double? { (value as? NSNumber)?.doubleValue }
  package var flag: Bool? { value as? Bool }
  package var isArray: Bool { value is [Any] }
  package var isObject: Bool { value is [String: Any] }
}

extension Run {
  /// The whole output, parsed as one JSON value.
  package var json: JSON {
    get throws(Violation) { try JSON(output) }
  }

  /// The lines of the output, each parsed as a JSON value.
  package var records: [JSON] {
    get throws(Violation) {
      var records: [JSON] = []
      for line in lines {
        records.append(try JSON(line))
      }
      return records
    }
  }
}
