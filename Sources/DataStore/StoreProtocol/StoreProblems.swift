package import DataModel

/// The problems that all engines report with the same messages.
extension Problem {
  /// Returns the problem for a value in a unique field if another record already has this value.
  ///
  /// - Parameter holder: The id of the record that has the value.
  package static func notUnique(
    _ value: Value, slot: Int, of schema: Schema, id: String, holder: String, line: Int?
  ) -> Problem {
    var problem = Problem(
      .notUnique, "\(value.display) is already used by \(Excerpt.quoted(holder))",
      schema: schema.name, id: id, field: schema.name(of: slot), line: line)
    problem.holder = holder
    return problem
  }

  /// Returns the problem for a reference to a record that does not exist.
  package static func danglingReference(
    to target: String, slot: Int, of schema: Schema, id: String, line: Int?
  ) -> Problem {
    let targetSchema = schema.type(of: slot).relation?.target ?? ""
    return Problem(
      .danglingReference, danglingReferenceMessage(to: target, of: targetSchema),
      schema: schema.name, id: id, field: schema.name(of: slot), line: line)
  }

  /// Returns the message of the problem for a reference to a record that does not exist.
  package static func danglingReferenceMessage(to id: String, of schema: String) -> String {
    "there is no \(schema) \(Excerpt.quoted(id))"
  }

  /// Returns the problem for a record that cannot be deleted because a remaining record refers to
  /// it. The reference is in a field that is required, or whose `on_delete` is `deny`.
  package static func referenced(
    id: String, of schema: Schema, by referrer: String, of referring: Schema, slot: Int
  ) -> Problem {
    let field = referring.fields[slot]
    let denies = field.type.relation?.onDelete == .deny
    var problem = Problem(
      .referenced,
      "cannot be deleted: \(referring.name) \(Excerpt.quoted(referrer)) refers to it in "
        + (denies ? "\(field.name), whose on_delete is deny" : "the required field \(field.name)"),
      schema: schema.name, id: id)
    problem.referrer = Problem.Referrer(schema: referring.name, id: referrer, field: field.name)
    return problem
  }

  /// Returns the problem for a text that does not identify a single record, because several records
  /// have it in their unique fields.
  static func ambiguous(_ text: String, ids: [String], of schema: Schema) -> Problem {
    Problem(
      .notUnique,
      "\(Excerpt.quoted(text)) matches \(ids.count.counted("record")): "
        + ids.map { Excerpt.quoted($0) }.joined(separator: ", "),
      hint: "pass the \(schema.key.name) of one of these records", schema: schema.name)
  }

  /// Returns the problem to report if no record has the given id.
  package static func recordNotFound(id: String, of schema: Schema) -> Problem {
    Problem(.notFound, "there is no such record", schema: schema.name, id: id)
  }

  /// Returns the problem for a record that is not deleted because its revision is not the expected
  /// one.
  package static func revisionChanged(
    id: String, of schema: Schema, expected: Int64, found: Int64
  ) -> Problem {
    Problem(
      .changed, "changed concurrently: expected revision \(expected), found \(found)",
      hint: "read the record again", schema: schema.name, id: id)
  }

  /// Returns the problem for records that could not be deleted because a trigger or a rule of
  /// another tool prevented it.
  package static func deletionPrevented(_ count: Int, of schema: Schema) -> Problem {
    let records = count == 1 ? "1 record was" : "\(count.grouped) records were"
    return Problem(
      .storeReadOnly, "\(records) not deleted",
      hint: "a rule or trigger not created by datactl prevents the deletion", schema: schema.name)
  }

  /// Returns the problem for file content whose size or SHA-256 differs from that in its file
  /// reference.
  package static func contentMismatch(
    expected: FileReference, size: Int64, sha256: String, slot: Int, of schema: Schema, id: String,
    line: Int?
  ) -> Problem {
    let message =
      size == expected.size
      ? "the content has the SHA-256 \(sha256), not \(expected.sha256)"
      : "expected \(expected.size) bytes of content, found \(size)"
    return Problem(
      .invalid, message, schema: schema.name, id: id, field: schema.name(of: slot), line: line)
  }
}

extension DataError {
  /// Returns the error for a schema change that would invalidate or drop a database object that
  /// datactl did not create.
  package static func foreignObjectConflict(_ message: String, in store: String, tool: String)
    -> DataError
  {
    DataError(
      .referenced, "\(store): blocked by an object not created by datactl: \(message)",
      hint: "use \(tool) to change or drop that object, then run the command again")
  }

  /// Returns the error for a store that does not exist.
  package static func noStore(_ address: String) -> DataError {
    DataError(
      .storeNotFound, "\(address): there is no such store",
      hint: "create the store with datactl schema create or schema apply")
  }

  /// Returns the error for a store from which another program has removed a table or a column.
  ///
  /// - Parameter part: A description such as `the table item has no column title`.
  package static func partMissing(
    _ part: String, in store: String, tool: String
  ) -> DataError {
    DataError(
      .storeDamaged, "\(store): damaged by another program: \(part)",
      hint: "recreate what is missing with \(tool), or restore the store from a backup")
  }

  /// The error for an outdated request: schemas in the store have changed since the request was
  /// validated.
  package static var schemaChanged: DataError {
    DataError(
      .schemaChanged, "the schemas of the store changed concurrently",
      hint: "run the command again")
  }

  /// Returns the error for a commit that may or may not have succeeded.
  package static func unknownOutcome(_ message: String) -> DataError {
    var error = DataError(
      .outcomeUnknown, message,
      hint: "check whether the changes were committed before you run the command again")
    error.commitOutcome = .unknown
    return error
  }

  /// The error for a wrong user name or password. It does not reveal which of the two is wrong.
  package static var wrongLogIn: DataError {
    DataError(.wrongLogin, "wrong user name or password")
  }
}
