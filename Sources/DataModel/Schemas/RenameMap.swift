/// A mapping from the names in new declarations to the existing names whose data they keep.
package struct RenameMap: Sendable {
  /// For each new name, the existing name whose data it keeps. A name without existing data has no
  /// entry.
  package private(set) var origins: [String: String] = [:]
  /// The renamed fields or schemas whose old name is declared again, for a new field or schema. It
  /// is ambiguous which of the two declarations keeps the existing values.
  package private(set) var ambiguous: [String] = []

  /// Maps new names to existing names.
  ///
  /// A new name is mapped to its previous name (`was`) if the previous name exists and the new name
  /// is free: it does not exist yet, or the existing item of that name is itself renamed. If not,
  /// the new name is mapped to the existing name that is equal to it. Thus a rename is not applied
  /// twice.
  private init(of new: [(name: String, was: String?)], among old: [String]) {
    var claimed: Set<String> = []
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for entry in new where origins[entry.name] == nil {
        guard let was = entry.was, old.contains(was), !claimed.contains(was),
          !old.contains(entry.name) || claimed.contains(entry.name)
        else { continue }
        origins[entry.name] = was
        claimed.insert(was)
        hasChanged = true
      }
    }
    for entry in new where origins[entry.name] == nil {
      if old.contains(entry.name) && !claimed.contains(entry.name) {
        origins[entry.name] = entry.name
      }
    }
    ambiguous = new.map(\.name).filter { name in
      guard let origin = origins[name], origin != name, origins[origin] == nil else { return false }
      return new.contains { $0.name == origin }
    }
  }

  /// Maps the names of declared schemas to the names of existing ones.
  package init(of declared: [DeclaredSchema], among old: [Schema]) {
    self.init(of: declared.map { (name: $0.schema.name, was: $0.was) }, among: old.map(\.name))
  }

  /// Maps the field names of a declared schema to those of the existing schema. A schema has one
  /// primary key and at most one password, which are mapped to each other even if their names
  /// differ.
  package init(ofFieldsOf declared: DeclaredSchema, among old: Schema) {
    func isMatchedByName(_ field: Field) -> Bool { field.type != .id && field.type != .password }
    let new = declared.schema
    self.init(
      of: new.fields.filter(isMatchedByName).map {
        (name: $0.name, was: declared.was(ofField: $0.name))
      },
      among: old.fields.filter(isMatchedByName).map(\.name))
    origins[new.key.name] = old.key.name
    if let slot = old.passwordSlot, let newSlot = new.passwordSlot {
      origins[new.fields[newSlot].name] = old.fields[slot].name
    }
  }

  /// For each existing name, the new name that keeps its data.
  package var successors: [String: String] {
    var successors: [String: String] = [:]
    for (new, old) in origins { successors[old] = new }
    return successors
  }
}
