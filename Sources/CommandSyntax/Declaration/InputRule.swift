/// A rule about which inputs of a command can be combined. Inputs are identified by the names that
/// help shows, such as `--limit` or `ID`.
package enum InputRule: Sendable, Equatable {
  /// At most one of these inputs may be given. If several are given, the error shows the hint.
  case atMostOne([String], hint: String? = nil)
  /// Exactly one of these inputs must be given.
  case exactlyOne([String])
  /// The first input may be given only together with the second.
  case needs(String, String)
  /// The first input cannot be used with any of the others. Help does not mention this, because it
  /// is obvious. The rule is checked only if no other problem was found.
  case excludes(String, [String])

  var names: [String] {
    switch self {
    case .atMostOne(let names, _), .exactlyOne(let names): names
    case .needs(let name, let other): [name, other]
    case .excludes(let name, let others): [name] + others
    }
  }

  /// Whether the rule excludes that both inputs are given.
  func excludes(_ name: String, with other: String) -> Bool {
    switch self {
    case .atMostOne, .exactlyOne: names.contains(name) && names.contains(other)
    case .needs, .excludes: false
    }
  }

  /// Throws an error if the rule `excludes` is violated.
  func checkExclusion(in given: InputValues) throws(UsageError) {
    guard case .excludes(let name, let others) = self, !given[name].isEmpty,
      let other = others.first(where: { !given[$0].isEmpty })
    else { return }
    throw UsageError("\(name) and \(other) cannot be used together")
  }
}

extension [InputRule] {
  /// For each rule `exactlyOne`, a sentence for help, such as "Exactly one of `--all` or `ID` is
  /// required."
  var requirements: [String] {
    compactMap { rule in
      guard case .exactlyOne(let names) = rule else { return nil }
      return "Exactly one of \(listed(names.backquoted, "or")) is required."
    }
  }

  /// Returns sentences for help about the given input: which inputs it requires, and which inputs
  /// cannot be used together with it.
  func sentences(about name: String) -> [String] {
    var required: [String] = []
    var excluded: [String] = []
    for rule in self {
      switch rule {
      case .atMostOne(let names, _), .exactlyOne(let names):
        guard names.contains(name) else { continue }
        excluded += names.filter { $0 != name && !excluded.contains($0) }
      case .needs(let input, let other):
        if input == name { required.append(other) }
      case .excludes: continue
      }
    }
    return [
      required.isEmpty ? nil : "Requires \(listed(required.backquoted)).",
      excluded.isEmpty ? nil : "Cannot be used with \(listed(excluded.backquoted, "or")).",
    ].compactMap(\.self)
  }
}

extension [String] {
  /// The names, each in backquotes, which mark literal text in help.
  fileprivate var backquoted: [String] { map { "`\($0)`" } }
}

/// Returns the names joined as in a sentence: `a, b and c`. `last` is the word before the last
/// name, such as "or".
func listed(_ names: [String], _ last: String = "and") -> String {
  guard let end = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " \(last) \(end)"
}
