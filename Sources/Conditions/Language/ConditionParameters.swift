package import DataModel
package import JSONText

/// The values of parameters in conditions, given as `--param name=VALUE` or `--param name:=JSON`.
package struct ConditionParameters: Sendable {
  /// The value of a parameter, as given by the caller.
  package enum Argument: Hashable, Sendable {
    /// Text, which is parsed as the type that the parameter is compared with.
    case text(String)
    /// A JSON value, given as `name:=JSON`.
    case json(JSONValue)
  }

  /// Where the values of the parameters come from.
  private enum Source: Sendable {
    case given([String: Argument])
    /// There are no values yet, because the condition is only validated now and evaluated later.
    /// For example, a stored function gets its values when it is called.
    case deferred
    /// The only parameter is `:user`. The associated value is the id of the acting user, or nil if
    /// the caller is not logged in.
    case user(String?)
  }

  /// The maximum number of parameters that can be given to a command.
  package static let maxCount = 1_000

  private let source: Source
  /// The names of all given parameters, sorted. Empty if the condition belongs to an access rule or
  /// is only validated, because no parameters can be given then.
  let names: [String]
  /// The names of the parameters that the conditions use, in order of first use.
  package private(set) var used: [String] = []
  private var usedNames: Set<String> = []
  private var missing: Set<String> = []
  /// How often `:user` was looked up although the caller is not logged in. If the number increases
  /// while a comparison is validated, the comparison contains `:user`.
  private(set) var absentUserCount = 0

  /// Creates parameters with the given values. Positional parameters have the names `1`, `2` and so
  /// on.
  package init(_ values: [String: Argument] = [:]) {
    source = .given(values)
    names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private init(_ source: Source) {
    self.source = source
    names = []
  }

  /// Parameters that have no values yet, for a condition that is only validated. Every parameter
  /// name is accepted.
  package static var deferred: ConditionParameters { ConditionParameters(.deferred) }

  /// The parameters of an access rule: only `:user`, the id of the user who makes the request.
  /// Without an id, a test that contains `:user` is false, and so is its negation.
  package static func user(_ id: String?) -> ConditionParameters { ConditionParameters(.user(id)) }

  /// Whether these are the parameters of an access rule, which can use only `:user`.
  var isOfRule: Bool { if case .user = source { true } else { false } }

  /// The result of looking up a parameter.
  enum Lookup {
    case value(Argument)
    case deferred
    /// The id of the acting user, or an empty id if the caller is not logged in.
    case user(String)
    case unknownInRule
    case missing
  }

  mutating func lookUp(_ name: String) -> Lookup {
    noteUse(of: name)
    switch source {
    case .given(let values): return values[name].map(Lookup.value) ?? .missing
    case .deferred: return .deferred
    case .user(let id):
      guard name == "user" else { return .unknownInRule }
      if id == nil { absentUserCount += 1 }
      return .user(id ?? "")
    }
  }

  /// Marks a parameter as used, because an expression contains it.
  mutating func noteUse(of name: String) {
    if usedNames.insert(name).inserted { used.append(name) }
  }

  /// Adds a name to the missing parameters. Returns false if it was added before.
  mutating func noteMissing(_ name: String) -> Bool { missing.insert(name).inserted }

  /// Throws an error if a given parameter is not used in any condition. Call this method after all
  /// conditions of a command have been read.
  package func checkAllAreUsed() throws(DataError) {
    let hint =
      used.isEmpty
      ? "to use a parameter in a condition, write :name, or %? for the next one"
      : "the parameters are \(used.map { ":" + $0 }.joined(separator: ", "))"
    let problems = names.filter { !usedNames.contains($0) }.map { name in
      Problem(.usage, "no condition uses the parameter \(Excerpt.escaped(name))", hint: hint)
    }
    if let error = DataError(problems) { throw error }
  }
}
