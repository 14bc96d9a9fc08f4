import DataModel

/// Chooses a type name for each schema, so that no name is used twice.
struct TypeNames {
  private var taken: Set<String>
  private let fallback: (String) -> String

  /// Creates a chooser of type names.
  ///
  /// - Parameters:
  ///   - taken: Names that cannot be used.
  ///   - fallback: A closure that derives another name from a name that is already used.
  init(taken: Set<String>, fallback: @escaping (String) -> String) {
    self.taken = taken
    self.fallback = fallback
  }

  /// Returns a name for the type of a schema, such as `TodoItem` for `todo_item`. No name is
  /// returned twice.
  mutating func name(for schema: String) -> String {
    let name = Names.typeName(for: schema)
    return take(taken.contains(name) ? fallback(name) : name)
  }

  /// Returns the name, with underscores appended if it is already in use. The returned name is then
  /// in use too.
  mutating func take(_ name: String) -> String {
    var free = name
    while taken.contains(free) { free += "_" }
    taken.insert(free)
    return free
  }
}
