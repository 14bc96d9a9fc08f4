import DataModel

/// Assigns unique type names to schemas.
struct TypeNames {
  private var taken: Set<String>
  private let fallback: (String) -> String

  /// Creates a namer. If the name for a schema is already taken, `fallback` derives another one.
  init(taken: Set<String>, fallback: @escaping (String) -> String) {
    self.taken = taken
    self.fallback = fallback
  }

  /// Returns a unique type name for a schema.
  mutating func name(for schema: String) -> String {
    let name = Names.typeName(for: schema)
    return take(taken.contains(name) ? fallback(name) : name)
  }

  /// Returns the name, with underscores appended if it is already taken.
  mutating func take(_ name: String) -> String {
    var free = name
    while taken.contains(free) { free += "_" }
    taken.insert(free)
    return free
  }
}
