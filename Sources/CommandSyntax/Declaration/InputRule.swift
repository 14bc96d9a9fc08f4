/// A rule about the combination of a command's inputs, which are named as in help.
package enum InputRule: Sendable, Equatable {
  /// At most one of these may be given.
  case atMostOne([String])
  /// Exactly one of these must be given.
  case exactlyOne([String])
  /// The first may only be given together with the second.
  case needs(String, String)

  var names: [String] {
    switch self {
    case .atMostOne(let names), .exactlyOne(let names): names
    case .needs(let name, let other): [name, other]
    }
  }

  /// The rule as a sentence for help.
  var sentence: String {
    switch self {
    case .atMostOne(let names): "\(listed(names.backquoted)) cannot be used together."
    case .exactlyOne(let names): "Exactly one of \(listed(names.backquoted, "or")) is needed."
    case .needs(let name, let other): "`\(name)` needs `\(other)`."
    }
  }
}

extension [String] {
  /// The names in backquotes.
  fileprivate var backquoted: [String] { map { "`\($0)`" } }
}

/// Joins names as in a sentence: `a, b and c`.
func listed(_ names: [String], _ last: String = "and") -> String {
  guard let end = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " \(last) \(end)"
}
