/// Says which inputs of a command go together; inputs are named as help names them.
package enum InputRule: Sendable, Equatable {
  /// No two of these stand on one line.
  case atMostOne([String])
  /// One of these stands on the line, and no two.
  case exactlyOne([String])
  /// The first stands on the line only if the second does.
  case needs(String, String)

  var names: [String] {
    switch self {
    case .atMostOne(let names), .exactlyOne(let names): names
    case .needs(let name, let other): [name, other]
    }
  }

  /// The rule as help says it.
  var sentence: String {
    switch self {
    case .atMostOne(let names): "\(listed(names.marked)) cannot be used together."
    case .exactlyOne(let names): "Exactly one of \(listed(names.marked, "or")) is needed."
    case .needs(let name, let other): "`\(name)` needs `\(other)`."
    }
  }
}

extension [String] {
  /// The names as literal words.
  fileprivate var marked: [String] { map { "`\($0)`" } }
}

/// Joins names as a sentence does: `a, b and c`.
func listed(_ names: [String], _ last: String = "and") -> String {
  guard let end = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " \(last) \(end)"
}
