import ClientCore
import CommandSyntax
import Conditions
import DataModel
import DataOutput
import DataStore

/// `datactl delete`: deletes records, including those to which the deletion cascades.
struct DeleteCommand: DeclaredCommand {
  /// The ids of the records to delete. If there are none, the query selects the records.
  var ids: [String] = []
  var query = QueryInput("")
  /// Whether the query has no conditions (`--all`).
  var isAll = false
  /// Whether the user has confirmed the deletion (`--yes`), so that the command does not ask.
  var isConfirmed = false
  var ifExists = false
  var revision: Int?
  var isDryRun = false
  var wait = WriteWait.standard

  static let declaration = CommandDeclaration(
    DeleteCommand.self, "delete", "Delete records.",
    usages: ["SCHEMA ID…", "SCHEMA --where CONDITION", "SCHEMA --all"],
    discussion: [
      """
      Deletes the records with the given ids, the records that match all conditions (`--where`), \
      or all records of the schema (`--all`).
      """,
      """
      If an id does not exist, nothing is deleted and the exit status is 3. `--if-exists` ignores \
      such ids.
      """,
      .heading("Confirmation"),
      """
      With `--where` or `--all`, the command shows the store and the number of records that it \
      would delete, and asks for confirmation. In a script, where the command cannot ask, pass \
      `--yes`. If ids are given, the command does not ask.
      """,
      .heading("Records that refer to a deleted record"),
      """
      By default, references to a deleted record are cleared. If a field with such a reference is \
      required, the command fails, and deletes nothing.
      """,
      """
      With the key `on_delete` of a relation, a schema can declare that records that refer to a \
      deleted record are deleted too, or that they prevent the deletion (see `datactl help \
      schema-files`). `--dry-run` shows how many records would be deleted or changed.
      """,
    ],
    inputs: [
      .operand("SCHEMA", \.query.schema, kind: .schema, "The schema of the records."),
      .operands(
        "ID", \.ids, kind: .id,
        "The ids of the records, or `-` to read ids from standard input, one per line."),
      .group(\.query, ConditionInputs.all),
      .flag("--all", \.isAll, "Delete all records of the schema."),
      .flag("--yes", letter: "y", \.isConfirmed, "Do not ask for confirmation."),
      .flag("--if-exists", \.ifExists, "Ignore ids that do not exist."),
      .integer(
        "--revision", \.revision, value: "N", in: 1...Int.max,
        "Delete the record only if its revision is N. Requires exactly one ID."),
      .flag(
        "--dry-run", letter: "n", \.isDryRun,
        "Show what would be deleted, without deleting anything."),
      .wait(\.wait),
    ],
    rules: [
      .exactlyOne(["ID", "--where", "--all"]), .atMostOne(["ID", "--yes"]),
      .needs("--param", "--where"), .needs("--zone", "--where"),
      .atMostOne(["--where", "--if-exists", "--revision"]),
      .atMostOne(["--all", "--if-exists"]), .atMostOne(["--all", "--revision"]),
    ],
    examples: [
      Example("datactl delete todo tea", "Delete one record."),
      Example(
        "datactl list todo done=true -o ids | datactl delete todo -",
        "Delete all completed todos."),
      Example(
        "datactl delete todo --where 'done and due < now() - 90d' --yes",
        "Delete completed todos that were due more than 90 days ago, without confirmation."),
      Example(
        "datactl delete todo --all --dry-run",
        "Show how many records would be deleted, without deleting them."),
    ],
    exitStatuses: [
      .done, .failedOrDeclined, .usage, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["list", "schema drop"])
}

extension DeleteCommand {
  func run(with context: CommandContext) async throws {
    if revision != nil, !context.namesSingleRecord(ids) {
      throw DataError(.usage, "--revision needs exactly one ID")
    }
    let client = try await context.open(for: .writing, wait: wait)
    // Stdin can be read only once, so the ids are kept for further attempts.
    var ids: IDList?
    try await context.retryingSchemaChanges(if: true) {
      try await delete(client, &ids, with: context)
    }
  }

  /// Deletes the selected records, and prints the result.
  ///
  /// - Parameter listedIDs: The ids that the operands specify; nil before the first attempt, which
  ///   reads them. If a schema changes, a further attempt uses the same ids.
  private func delete(
    _ client: Client, _ listedIDs: inout IDList?, with context: CommandContext
  ) async throws {
    let stored = try await context.catalog(of: client)
    let schema = try stored.catalog.schema(query.schema)
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema), stamp: try await client.stamp(),
      wait: WriteWait(seconds: Double(wait)), end: isDryRun ? .rollBack : .commit)
    var deletion = DeleteRequest(
      schema, .ids([]), missing: ifExists ? .ignored : .refused,
      revision: revision.map(Int64.init))
    if ids.isEmpty {
      let selected = try await client.check(context.selecting(query), from: client.store)
      deletion.selection = .matching(selected.condition)
      if !isConfirmed, !isDryRun {
        deletion.confirmed = try await confirm(deletion, request, client, context)
      }
    } else {
      let ids = try listedIDs ?? context.list(of: ids)
      listedIDs = ids
      deletion.selection = .ids(ids)
    }
    let summary: DeleteSummary
    do {
      summary = try await context.change(orSay: "nothing was deleted") {
        try await client.store.delete(deletion, request)
      }
    } catch let error as DataError {
      throw error.addingConditionHint(for: schema, in: stored.catalog)
    }
    context.served?.note(deleted: summary)
    let isMatching = if case .matching = deletion.selection { true } else { false }
    let lines = summary.lines(isDryRun: isDryRun, from: isMatching ? "\(client.address)" : nil)
    let verb = summary.deleted == 1 ? "is" : "are"
    let change = "\(summary.deleted.counted("record")) \(verb) deleted"
    try context.printResult(of: isDryRun ? nil : change) { () throws(DataError) in
      try context.printMessage(lines)
    }
  }

  /// Counts the records that the deletion would delete, by a dry run. Then asks the user to confirm
  /// the deletion, and returns the counts that the user was shown.
  private func confirm(
    _ deletion: DeleteRequest, _ request: WriteRequest, _ client: Client,
    _ context: CommandContext
  ) async throws -> DeleteSummary {
    var dryRun = request
    dryRun.end = .rollBack
    let summary = try await context.change(orSay: "nothing was deleted") {
      try await client.store.delete(deletion, dryRun)
    }
    if let agreed = context.served?.agreed {
      guard summary.deleted == agreed else {
        throw DataError(
          .changed,
          """
          \(summary.deleted.counted("record")) would be deleted, but the caller agreed to \(agreed)
          """)
      }
      return summary
    }
    if summary.deleted == 0 { return summary }
    let isAll = if case .matching(.all) = deletion.selection { true } else { false }
    try context.confirm(
      summary.action(on: query.schema, isAll: isAll), in: client, declined: "nothing was deleted")
    return summary
  }
}

extension DataError {
  /// Adds a hint to the error for an id that does not exist, if the id has the form `FIELD=VALUE`.
  /// The user probably meant it as a condition.
  fileprivate func addingConditionHint(for schema: Schema, in catalog: Catalog) -> DataError {
    map { found in
      guard found.code == .notFound, let id = found.id, found.hint == nil else { return found }
      guard let assignment = Assignment(id), schema.slot(named: assignment.name) != nil else {
        return found
      }
      var problem = found
      var reader = ConditionReader(catalog, now: .earliest)
      problem.hint =
        if let condition = try? reader.readEquality(id, of: schema) {
          "did you mean --where \"\(ConditionWriter.text(of: condition))\"?"
        } else {
          "write the condition after --where"
        }
      return problem
    }
  }
}
