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
      case .value(let value): add(WireValue(value))
      case .values(let values, let type): add(WireValue(values, of: type))
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
