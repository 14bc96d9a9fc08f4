package import DataModel

/// What stands for the parameters of conditions: `--param name=VALUE` and `--param name:=JSON`.
package struct ConditionParameters: Sendable {
  /// A value, as it was given.
  package enum Given: Hashable, Sendable {
    /// A text, of which the type beside it makes the value.
    case text(String)
    /// JSON, which says of what kind the value is.
    case json(JSONValue)
  }

  /// Where the values come from.
  private enum Source: Sendable {
    case given([String: Given])
    /// There are none yet: a condition is checked, and not asked.
    case deferred
  }

  private let source: Source
  /// The names that were asked for, in the order in which they were first met.
  package private(set) var used: [String] = []
  private var missing: Set<String> = []

  /// These values; those by position have the names `1`, `2` …
  package init(_ values: [String: Given] = [:]) {
    source = .given(values)
  }

  private init(_ source: Source) {
    self.source = source
  }

  /// Takes any name, to check a condition before it is ever asked.
  package static var deferred: ConditionParameters { ConditionParameters(.deferred) }

  /// What a parameter is replaced by.
  enum Lookup {
    case value(Given)
    case deferred
    case missing(names: [String])
  }

  mutating func lookUp(_ name: String) -> Lookup {
    if !used.contains(name) { used.append(name) }
    switch source {
    case .given(let values): return values[name].map(Lookup.value) ?? .missing(names: names)
    case .deferred: return .deferred
    }
  }

  /// Notes that a parameter is missing; false if that was known.
  mutating func noteMissing(_ name: String) -> Bool { missing.insert(name).inserted }

  /// The names that are given, in order.
  private var names: [String] {
    switch source {
    case .given(let values): values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    case .deferred: []
    }
  }

  /// Refuses values that nothing asked for; called behind the last condition of a command.
  package func checkAllAreUsed() throws(DataError) {
    let problems = names.filter { !used.contains($0) }.map { name in
      Problem(
        .usage, "no condition uses the parameter \(Excerpt.visible(name))",
        hint: used.isEmpty
          ? "write a parameter as :name, or %? by position"
          : "the parameters are \(used.map { ":" + $0 }.joined(separator: ", "))")
    }
    if let error = DataError(problems) { throw error }
  }
}
