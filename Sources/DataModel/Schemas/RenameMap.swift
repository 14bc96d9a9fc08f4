/// A mapping from the new names of schemas or fields to their existing names. It determines which
/// data is kept when schemas change.
package struct RenameMap: Sendable {
  /// The existing name of each schema or field, by its new name. Schemas and fields without
  /// existing data are not included.
  package private(set) var origins: [String: String] = [:]
  /// The new names of fields or schemas that are renamed although the old name is still declared.
  /// In this case, it is unclear which of the two declarations keeps the existing data.
  package private(set) var ambiguous: [String] = []

  /// Maps each new name to an existing name: to the declared previous name (`was`) or, without a
  /// rename, to the same name.
  ///
  /// A rename whose new name already exists is ignored, because it has already been applied.
  /// However, `a` can be renamed to an existing `b` if `b` is renamed to `c` at the same time.
  private init(of new: [(name: String, was: String?)], among old: [String]) {
    let old = Set(old)
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
    let names = Set(new.map(\.name))
    ambiguous = new.map(\.name).filter { name in
      guard let origin = origins[name], origin != name, origins[origin] == nil else { return false }
      return names.contains(origin)
    }
  }

  /// Maps the names of declared schemas to the names of existing ones.
  package init(of declared: [DeclaredSchema], among old: [Schema]) {
    self.init(of: declared.map { (name: $0.schema.name, was: $0.was) }, among: old.map(\.name))
  }

  /// Maps the field names of a declared schema to the field names of the existing schema. The
  /// primary key is mapped to the existing primary key even if their names differ, and the password
  /// field to the existing password field.
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

  /// Returns the names that are in a cycle of renames, such as the names of two fields that swap
  /// their names.
  package static func cyclicNames(of renames: [(name: String, was: String?)]) -> Set<String> {
    guard renames.contains(where: { $0.was != nil }) else { return [] }
    let origins = Dictionary(renames.map { ($0.name, $0.was) }) { first, _ in first }
    var cyclic: Set<String> = []
    var visited: Set<String> = []
    for (start, _) in renames {
      var path: [String] = []
      var next: String? = start
      while let name = next, visited.insert(name).inserted {
        path.append(name)
        next = origins[name] ?? nil
      }
      if let next, let index = path.firstIndex(of: next) { cyclic.formUnion(path[index...]) }
    }
    return cyclic
  }

  /// The new name of each existing schema or field, by its existing name. Schemas and fields whose
  /// data is not kept are not included.
  package var successors: [String: String] {
    var successors: [String: String] = [:]
    for (new, old) in origins { successors[old] = new }
    return successors
  }
}
