import DataModel
import DataStore

/// A statement as PostgreSQL reads it, with the values that go with it.
struct RenderedSQL: Sendable {
  private(set) var text = ""
  private(set) var values: [WireValue] = []

  /// Renders a statement whose tables stand in a namespace; the parameters are bound in their order.
  init(_ sql: SQL, in namespace: String, binding parameters: [WireValue] = []) {
    var next = parameters[...]
    for segment in sql.segments {
      switch segment {
      case .words(let words): text += words
      case .name(let name): text += Self.quoted(name)
      case .table(let name): text += "\(Self.quoted(namespace)).\(Self.quoted(name))"
      case .value(let value): add(WireValue(value))
      case .values(let values, let type): add(WireValue(values, of: type))
      case .test: preconditionFailure("PostgreSQL knows no test of ours")
      case .parameter:
        guard let value = next.popFirst() else {
          preconditionFailure("a parameter has no value")
        }
        add(value)
      }
    }
  }

  private mutating func add(_ value: WireValue) {
    values.append(value)
    text += "$\(values.count)"
  }

  /// The one place where a name becomes a part of a statement.
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
