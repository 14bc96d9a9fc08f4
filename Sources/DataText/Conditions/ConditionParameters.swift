package import DataModel

/// The values of parameters in conditions: `--param name=VALUE` and `--param name:=JSON`.
package struct ConditionParameters: Sendable {
  /// The value of a parameter.
  package enum Argument: Hashable, Sendable {
    /// A text, parsed by the type that it is compared with.
    case text(String)
    /// JSON, which determines the kind of the value itself.
    case json(JSONValue)
  }

  /// The origin of the values.
  private enum Source: Sendable {
    case given([String: Argument])
    /// Values are not known yet; the condition is only validated.
    case deferred
  }

  private let source: Source
  /// The names of the parameters that conditions use, in order of first use.
  package private(set) var used: [String] = []
  private var missing: Set<String> = []

  /// Creates parameters with the given values. Positional parameters are named `1`, `2` and so on.
  package init(_ values: [String: Argument] = [:]) {
    source = .given(values)
  }

  private init(_ source: Source) {
    self.source = source
  }

  /// Parameters that accept any name, to validate a condition before its values are known.
  package static var deferred: ConditionParameters { ConditionParameters(.deferred) }

  /// The result of looking up a parameter.
  enum Lookup {
    case value(Argument)
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

  /// Marks a parameter as missing. Returns false if it was marked before.
  mutating func noteMissing(_ name: String) -> Bool { missing.insert(name).inserted }

  /// The sorted names of the given parameters.
  private var names: [String] {
    switch source {
    case .given(let values): values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    case .deferred: []
    }
  }

  /// Throws if a given parameter is not used; to be called after the last condition of a command.
  package func checkAllAreUsed() throws(DataError) {
    let problems = names.filter { !used.contains($0) }.map { name in
      Problem(
        .usage, "no condition uses the parameter \(Excerpt.escaped(name))",
        hint: used.isEmpty
          ? "write a parameter as :name, or %? by position"
          : "the parameters are \(used.map { ":" + $0 }.joined(separator: ", "))")
    }
    if let error = DataError(problems) { throw error }
  }
}
