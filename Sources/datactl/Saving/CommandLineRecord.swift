import Conditions
import DataModel

/// A record that is given on the command line as an id and assignments.
struct CommandLineRecord: Sendable {
  private let schema: Schema
  private let id: String?
  private let assignments: Assignments
  /// The files to store in file fields, each with the slot of the field.
  private let contents: [(slot: Int, content: FileArgument)]

  init(
    id: String?, _ operands: [String], of schema: Schema, with context: CommandContext
  ) throws(DataError) {
    self.schema = schema
    self.id = id
    var parsed: [Assignment] = []
    try Self.checkInputs(of: operands.compactMap(Assignment.init))
    for operand in operands {
      guard let assignment = Assignment(operand) else {
        throw DataError(
          .usage, "not an assignment: \(Excerpt.quoted(operand))",
          hint: "write FIELD=VALUE; an id must come before the assignments")
      }
      parsed.append(try Self.read(assignment, of: schema, with: context))
    }
    assignments = try Assignments(parsed, for: schema)
    var contents: [(slot: Int, content: FileArgument)] = []
    for file in assignments.files {
      contents.append((file.slot, try FileArgument(of: file.path, with: context)))
    }
    self.contents = contents
  }

  /// Whether an assignment sets the primary key.
  var setsPrimaryKey: Bool { assignments.name(schema.keySlot) }

  /// Validates the record, and returns it as a change to save.
  func changes(ids: IDGenerator, conversions: ValueConversions) throws(DataError) -> RowChanges {
    var ids = ids
    var changes = RowChanges(for: schema, conversions: conversions)
    changes.beginRecord(line: 0)
    set(on: &changes)
    if let id { try set(id: id, on: &changes) }
    changes.assignID(from: &ids)
    var error: DataError?
    let text: [UInt8] = []
    let problems = changes.endRecord(reading: text.span, at: 0..<0) { problems in
      error = DataError(problems)?.forCommandLine
      return error?.problems ?? []
    }
    if let error, !problems.isEmpty || error.code == .usage { throw error }
    return changes
  }

  /// Sets the primary key.
  ///
  /// - Throws: An error if an assignment has already set it to a different id.
  private func set(id: String, on changes: inout RowChanges) throws(DataError) {
    let slot = schema.keySlot
    guard changes.isSet(slot) else { return changes.set(slot, text: id.utf8.span) }
    let other = changes.rows.text(changes.rows[0, slot])
    if !other.utf8.elementsEqual(id.utf8) {
      throw DataError(
        .usage,
        "\(schema.key.name): the id is given twice, \(Excerpt.quoted(id)) and \(Excerpt.quoted(other))",
        hint: "pass the id only once; the id of a record cannot be changed")
    }
  }

  /// Appends a change that applies the assignments to an existing record. The change contains the
  /// revision of the record. If the record has another revision when the change is saved, the save
  /// reports a conflict.
  func add(
    to changes: inout RowChanges, id: String, revision: String
  ) throws(DataError) {
    changes.beginRecord(line: 0)
    changes.set(schema.keySlot, text: id.utf8.span)
    changes.set(schema.slot(.revision), number: revision.utf8.span)
    set(on: &changes)
    if let error = DataError(changes.endRecord()) { throw error.forCommandLine }
  }

  private func set(on changes: inout RowChanges) {
    assignments.set(on: &changes)
    for (slot, content) in contents {
      changes.set(slot, file: content.reference, content: content.content)
    }
  }

  /// Throws an error if more than one field takes its value from stdin, which can be read only
  /// once.
  private static func checkInputs(of assignments: [Assignment]) throws(DataError) {
    let readers = assignments.filter { $0.operation == .file && $0.text == "-" }.map(\.name)
    if readers.count > 1 {
      throw DataError(
        .usage, "\(readers.joined(separator: ", ")): only one field can read standard input",
        hint: "read from a file: \(readers[1])@=PATH")
    }
  }

  /// Reads the file in an assignment such as `note@=a.txt`, and returns an assignment of the
  /// contents. Other assignments, and assignments to file fields, are returned unchanged.
  ///
  /// - Throws: An error if a password is given on the command line, where other users could see it.
  private static func read(
    _ assignment: Assignment, of schema: Schema, with context: CommandContext
  ) throws(DataError) -> Assignment {
    guard let slot = schema.slot(named: assignment.name) else { return assignment }
    let isPassword = schema.type(of: slot) == .password
    guard assignment.operation == .file else {
      if !isPassword { return assignment }
      throw DataError(
        .usage, "\(schema.name).\(assignment.name): a password cannot be given on the command line",
        hint: "read the password from standard input: \(assignment.name)@=-")
    }
    if assignment.text.isEmpty {
      throw DataError(
        .usage,
        "\(schema.name).\(assignment.name): "
          + #""@=" needs the path of a file, or "-" for standard input"#)
    }
    if schema.type(of: slot) == .file { return assignment }
    let input = try context.input(assignment.text, for: schema.name(of: slot))
    var bytes = try input.readAll(atMost: Schema.maxRecordSize)
    if isPassword {
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
      // An empty input would set null and thereby remove the password. The program that should have
      // produced the password has probably failed.
      if bytes.isEmpty {
        throw DataError(
          Problem(
            .invalid, "expected a password, found nothing", schema: schema.name,
            field: schema.name(of: slot), file: assignment.text))
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DataError(
        Problem(
          .invalid, "the text is not UTF-8", hint: "convert it with iconv", schema: schema.name,
          field: schema.name(of: slot), file: assignment.text))
    }
    return Assignment("\(assignment.name)=\(text)") ?? assignment
  }
}

extension DataError {
  /// A copy of the error for values on the command line: an unknown field becomes a usage error,
  /// and line numbers, which have no meaning there, are removed.
  fileprivate var forCommandLine: DataError {
    map { found in
      var problem = found
      if found.code == .unknownField { problem.code = .usage }
      problem.line = nil
      return problem
    }
  }
}
