import DataModel

/// The problems that are reported to the caller. They do not reveal the values or the number of
/// hidden records, or ids that the caller has not specified.
extension Scope {
  /// Returns the problem for an operation that the rules do not allow.
  func denial(
    _ verb: AccessVerb, _ schema: Schema, id: [UInt8]? = nil, field: String? = nil,
    line: Int? = nil
  ) -> Problem {
    denial(
      verb, schema.name, id: id.map { String(decoding: $0, as: UTF8.self) }, field: field,
      line: line)
  }

  /// Returns the problem for a save that would set the password of an existing user. A user can
  /// change a password only with `datactl passwd`; administrators can also set the passwords of
  /// other users.
  func passwordDenial(of id: [UInt8], _ schema: Schema, line: Int) -> Problem {
    let name = String(decoding: id, as: UTF8.self)
    let field = schema.passwordSlot.map { schema.name(of: $0) }
    return isOwn(id, schema)
      ? Problem(
        .forbidden, "you cannot change your password by saving it",
        hint: "change it: datactl passwd", schema: schema.name, id: name, field: field, line: line)
      : Problem(
        .forbidden, "only administrators may set the password of another user",
        schema: schema.name, id: name, field: field, line: line)
  }

  /// Returns the problem for saving an existing record that the caller may not read.
  func hiddenRecordProblem(
    _ id: [UInt8], _ schema: Schema, _ mode: SavePolicy.Mode, line: Int
  ) -> Problem {
    let id = String(decoding: id, as: UTF8.self)
    return mode == .update
      ? Problem(.notFound, "there is no such record", schema: schema.name, id: id, line: line)
      : Problem(.exists, "the record already exists", schema: schema.name, id: id, line: line)
  }

  /// Returns a copy of the problem without the names of hidden fields and the ids of other records,
  /// because the caller may not be allowed to read them.
  func withoutSecrets(_ problem: Problem, _ known: Schema) -> Problem {
    var problem = problem
    // A hidden field that the input names is reported as unknown, like a field that does not exist.
    // So this problem reveals nothing.
    if problem.code != .unknownField, let field = problem.field,
      known.hiddenSlots.contains(where: { known.name(of: $0) == field })
    {
      return denial(.create, known.name, id: problem.id, line: problem.line)
    }
    if problem.code == .notUnique { problem.message = "another record already has this value" }
    return problem
  }

  /// Returns whether the record is the caller's own record in the user schema.
  func isOwn(_ id: [UInt8], _ schema: Schema) -> Bool {
    schema.kind == .user && user.map { Array($0.utf8) == id } == true
  }
}
