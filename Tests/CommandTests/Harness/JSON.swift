import Foundation
import ProgramHarness

/// A JSON value, parsed with Foundation and not with the parser under test.
struct JSON {
  private let value: Any

  init(_ text: String) throws(Violation) {
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

  subscript(key: String) -> JSON? {
    (value as? [String: Any])?[key].map { JSON(value: $0) }
  }

  var elements: [JSON] { (value as? [Any])?.map { JSON(value: $0) } ?? [] }
  var keys: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
  var text: String? { value as? String }
  var number: Double? { (value as? NSNumber)?.doubleValue }
  var flag: Bool? { value as? Bool }
  var isArray: Bool { value is [Any] }
  var isObject: Bool { value is [String: Any] }
}

extension Run {
  /// The whole output, parsed as one JSON value.
  var json: JSON {
    get throws(Violation) { try JSON(output) }
  }

  /// The lines of the output, each parsed as a JSON value.
  var records: [JSON] {
    get throws(Violation) {
      var records: [JSON] = []
      for line in lines {
        records.append(try JSON(line))
      }
      return records
    }
  }
}
