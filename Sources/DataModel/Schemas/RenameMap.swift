/// The mapping from the names in new declarations to the existing names that they continue.
package struct RenameMap: Sendable {
  /// The existing name for each new name; new names without existing data are missing.
  package private(set) var origins: [String: String] = [:]
  /// New names that are renamed from an existing name which the same declaration also declares as a
  /// new one. It is ambiguous which of the two keeps the existing values.
  package private(set) var ambiguous: [String] = []

  /// A name continues its previous name (`was`) if that exists and its own name does not exist or
  /// is taken over by another rename. If not, it continues the existing name that is equal to it,
  /// so that a rename is not applied twice.
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

  /// Maps declared schemas to existing ones.
  package init(of declared: [DeclaredSchema], among old: [Schema]) {
    self.init(of: declared.map { (name: $0.schema.name, was: $0.was) }, among: old.map(\.name))
  }

  /// Maps the fields of a declared schema to those of the existing one. A schema has one primary
  /// key and at most one password, which are mapped to each other whatever their names are.
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

  /// The new name for each existing name.
  package var successors: [String: String] {
    var successors: [String: String] = [:]
    for (new, old) in origins { successors[old] = new }
    return successors
  }
}
