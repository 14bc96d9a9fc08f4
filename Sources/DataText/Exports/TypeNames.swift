import DataModel

/// Gives schemas the names of types, each name once.
struct TypeNames {
  private var taken: Set<String>
  private let otherwise: (String) -> String

  /// Begins with names that are not free; a schema that leads to one of them is called otherwise.
  init(taken: Set<String>, otherwise: @escaping (String) -> String) {
    self.taken = taken
    self.otherwise = otherwise
  }

  /// The name of a schema's type.
  mutating func name(for schema: String) -> String {
    let name = Names.typeName(for: schema)
    return take(taken.contains(name) ? otherwise(name) : name)
  }

  /// The name itself, or one that is free.
  mutating func take(_ name: String) -> String {
    var free = name
    while taken.contains(free) { free += "_" }
    taken.insert(free)
    return free
  }
}
