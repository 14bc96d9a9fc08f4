import DataModel
import DataStore

/// A statement as SQL text with the placeholders `$1`, `$2` and so on, and the values to bind to
/// these placeholders.
struct RenderedSQL: Sendable {
  private(set) var text = ""
  private(set) var values: [WireValue] = []

  /// Renders a statement. The names of its tables are prefixed with a namespace.
  ///
  /// - Parameters:
  ///   - namespace: The namespace of the tables: a schema in PostgreSQL's sense.
  ///   - parameters: The values for the parameters of the statement, in order.
  init(_ sql: SQL, in namespace: String, binding parameters: [WireValue] = []) {
    var next = parameters[...]
    for segment in sql.segments {
      switch segment {
      case .literal(let literal): text += literal
      case .name(let name): text += Self.quoted(name)
      case .table(let name): text += "\(Self.quoted(namespace)).\(Self.quoted(name))"
      case .value(let value): add(WireValue(value.withoutNUL))
      case .bytes(let bytes): add(WireValue(.bytes, bytes))
      case .values(let values, let type):
        add(WireValue(values.map(\.withoutNUL), of: type))
      case .test, .expression:
        preconditionFailure("PostgreSQL has no SQL function for this test or expression")
      case .parameter:
        guard let value = next.popFirst() else {
          preconditionFailure("a parameter in the SQL has no value")
        }
        add(value)
      }
    }
  }

  private mutating func add(_ value: WireValue) {
    values.append(value)
    text += "$\(values.count)"
  }

  /// Quotes an SQL identifier. All identifiers in generated statements are quoted with this
  /// function.
  private static func quoted(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension Value {
  /// The value without NUL, which PostgreSQL rejects. Of all values, only an id that is searched for
  /// can contain NUL. Another control character has the same result, because no stored id contains
  /// any.
  fileprivate var withoutNUL: Value {
    guard case .text(let text) = self, text.utf8.contains(0) else { return self }
    return .text(text.replacing("\0", with: "\u{1}"))
  }
}
