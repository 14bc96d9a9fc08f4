extension SchemaDraft {
  /// The problems of the previous names (`was`) of the schema and its fields.
  ///
  /// Cyclic renames, such as two fields that swap their names, are rejected. The names do not show
  /// whether the swap has already been applied, so that applying the schema again would swap the
  /// values back.
  var formerNameProblems: [Problem] {
    var problems: [Problem] = []
    func report(_ message: String, hint: String? = nil, field: FieldDraft? = nil) {
      problems.append(
        Problem(
          .invalidSchema, message, hint: hint, schema: name, field: field?.field.name, file: file,
          line: field == nil ? line : field?.line))
    }
    if let was {
      if let message = Names.problem(ofSchema: was) { report("was: \(message)") }
      if was == name { report("was: the schema never had another name") }
    }
    var taken: Set<String> = []
    for entry in fields {
      guard let was = entry.was else { continue }
      if let message = Names.problem(ofField: was) {
        report("was: \(message)", field: entry)
      } else if was == entry.field.name {
        report("was: the field never had another name", field: entry)
      } else if !taken.insert(was).inserted {
        report("was: another field also has was \(was)", field: entry)
      } else if isInCycle(entry) {
        report(
          "was: the names form a circle", hint: "rename one to a third name first: schema rename",
          field: entry)
      }
    }
    return problems
  }

  private func isInCycle(_ entry: FieldDraft) -> Bool {
    var name = entry.was
    for _ in fields {
      guard let next = name else { return false }
      if next == entry.field.name { return true }
      name = fields.first { $0.field.name == next }?.was
    }
    return false
  }
}
