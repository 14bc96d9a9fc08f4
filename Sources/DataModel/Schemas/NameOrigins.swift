/// Finds out which of the names that are there each of the new names goes on.
package struct NameOrigins: Sendable {
  /// The old names by the new ones; what is new has none.
  package private(set) var origins: [String: String] = [:]
  /// New names that go on an old one which is declared as well, and would begin anew: whose the
  /// values are that are there, nobody can tell.
  package private(set) var contested: [String] = []

  /// A name goes on the one that it was, if that is there and its own is not, or is taken by
  /// another in turn. Otherwise it goes on itself: what was renamed once is not renamed again.
  private init(of new: [(name: String, was: String?)], among old: [String]) {
    var claimed: Set<String> = []
    var hasMoved = true
    while hasMoved {
      hasMoved = false
      for entry in new where origins[entry.name] == nil {
        guard let was = entry.was, old.contains(was), !claimed.contains(was),
          !old.contains(entry.name) || claimed.contains(entry.name)
        else { continue }
        origins[entry.name] = was
        claimed.insert(was)
        hasMoved = true
      }
    }
    for entry in new where origins[entry.name] == nil {
      if old.contains(entry.name) && !claimed.contains(entry.name) {
        origins[entry.name] = entry.name
      }
    }
    contested = new.map(\.name).filter { name in
      guard let origin = origins[name], origin != name, origins[origin] == nil else { return false }
      return new.contains { $0.name == origin }
    }
  }

  /// The schemas that declared ones go on.
  package init(of declared: [DeclaredSchema], among old: [Schema]) {
    self.init(of: declared.map { (name: $0.schema.name, was: $0.was) }, among: old.map(\.name))
  }

  /// The fields of a schema that those of a declared one go on. A schema has one key and at most one
  /// password, which stay themselves whatever they are called.
  package init(ofFieldsOf declared: DeclaredSchema, among old: Schema) {
    func hasName(_ field: Field) -> Bool { field.type != .id && field.type != .password }
    let new = declared.schema
    self.init(
      of: new.fields.filter(hasName).map { (name: $0.name, was: declared.was(ofField: $0.name)) },
      among: old.fields.filter(hasName).map(\.name))
    origins[new.key.name] = old.key.name
    if let slot = old.passwordSlot, let newSlot = new.passwordSlot {
      origins[new.fields[newSlot].name] = old.fields[slot].name
    }
  }

  /// The new names by the old ones.
  package var successors: [String: String] {
    var successors: [String: String] = [:]
    for (new, old) in origins { successors[old] = new }
    return successors
  }
}
