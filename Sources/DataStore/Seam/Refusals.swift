package import DataModel

/// What stores refuse, in the same words whatever the engine.
extension Problem {
  /// Another record has the value of a unique field already.
  package static func notUnique(
    _ value: Value, slot: Int, of schema: Schema, id: String, holder: String, line: Int?
  ) -> Problem {
    Problem(
      .notUnique, "\(value.display) is already used by \(Excerpt.quoted(holder))",
      schema: schema.name, id: id, field: schema.name(of: slot), line: line)
  }

  /// A reference names a record that is not there.
  package static func danglingReference(
    to target: String, slot: Int, of schema: Schema, id: String, line: Int?
  ) -> Problem {
    let targetSchema = schema.type(of: slot).relation?.target ?? ""
    return Problem(
      .danglingReference, "there is no \(targetSchema) \(Excerpt.quoted(target))",
      schema: schema.name, id: id, field: schema.name(of: slot), line: line)
  }

  /// A record that stays refers to one that is to go, and cannot let go of it.
  package static func referenced(
    id: String, of schema: Schema, by referrer: String, of referring: Schema, slot: Int
  ) -> Problem {
    let field = referring.fields[slot]
    let denies = field.type.relation?.onDelete == .deny
    return Problem(
      .referenced,
      "\(referring.name) \(Excerpt.quoted(referrer)) refers to it in \(field.name), "
        + (denies ? "which denies the deletion" : "which is required"),
      schema: schema.name, id: id)
  }

  /// Several records have a value in one of the fields by which one was looked for.
  static func ambiguous(_ text: String, ids: [String], of schema: Schema) -> Problem {
    Problem(
      .notUnique,
      "\(Excerpt.quoted(text)) matches \(ids.count) records: "
        + ids.map { Excerpt.quoted($0) }.joined(separator: ", "),
      hint: "pass the \(schema.key.name) of one of them", schema: schema.name)
  }

  /// There is no record of this id.
  package static func recordNotFound(id: String, of schema: Schema) -> Problem {
    Problem(.notFound, "there is no such record", schema: schema.name, id: id)
  }

  /// The record to be deleted has another revision than was expected.
  package static func revisionChanged(
    id: String, of schema: Schema, expected: Int64, found: Int64
  ) -> Problem {
    Problem(
      .changed, "changed meanwhile: expected revision \(expected), found \(found)",
      hint: "read it again", schema: schema.name, id: id)
  }

  /// Something in the database keeps records that were deleted.
  package static func notRemoved(_ count: Int, of schema: Schema) -> Problem {
    let records = count == 1 ? "1 record to be deleted is" : "\(count) records to be deleted are"
    return Problem(
      .storeReadOnly, "\(records) still there",
      hint: "a rule or trigger not made by datactl prevents the deletion", schema: schema.name)
  }

  /// The bytes that came for a file are not those that its reference names.
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
  /// A change of schemas would break or take away what datactl did not make.
  package static func inTheWay(_ message: String, in store: String, tool: String) -> DataError {
    DataError(
      .referenced, "\(store): blocked by an object not made by datactl: \(message)",
      hint: "change it first, with \(tool)")
  }

  /// There is no store where one was looked for.
  package static func noStore(_ address: String) -> DataError {
    DataError(
      .storeNotFound, "\(address): there is no such store",
      hint: "create it with datactl schema create or schema apply")
  }

  /// The store's schemas are others than those that the caller knows.
  package static var schemaChanged: DataError {
    DataError(
      .schemaChanged, "the schemas of the store changed meanwhile", hint: "run the command again")
  }

  /// The name or the password is wrong; which of them, nobody is told.
  package static var wrongLogIn: DataError {
    DataError(.wrongLogin, "wrong user name or password")
  }
}
