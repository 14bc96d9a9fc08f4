import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl delete`: deletes records, and what cascades from them.
struct DeleteCommand: Command {
  /// Which records are to go.
  enum Selection: Sendable {
    case ids([String])
    /// All of the schema; whether a question comes first.
    case all(isConfirmed: Bool)
  }

  let schemaName: String
  let selection: Selection
  let ifExists: Bool
  let revision: Int?
  let isDryRun: Bool
  let wait: Int

  static let declaration = CommandDeclaration<any Command>(
    "delete", "Delete records.",
    discussion: [
      """
      Deletes the records with these ids, or all with `--all`. If an id is not there, nothing is \
      deleted and the exit status is 3, unless `--if-exists` is given. What happens to records \
      that refer to a deleted one, its schema says under `on_delete`.
      """,
      """
      Deleting by id asks nothing. `--all` asks first, naming the store and the count; where \
      nobody can answer, it needs `--yes`.
      """,
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .operands(
      "ID", kind: .id,
      "The records' ids; `-` reads more of them from standard input, one a line."),
    .flag("--all", "Delete all records of the schema."),
    .flag("--yes", letter: "y", "Answer the question of `--all`."),
    .flag("--if-exists", "Pass over ids that are not there."),
    .integer(
      "--revision", value: "N", in: 1...Int.max,
      "Delete the record only if it has this revision."),
    .flag("--dry-run", letter: "n", "Do everything, say what it was, and take it back."),
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "Wait at most so long for another writer."),
    rules: [
      .exactlyOne(["ID", "--all"]), .needs("--yes", "--all"),
      .atMostOne(["--all", "--if-exists", "--revision"]),
    ],
    examples: [
      Example("datactl delete todo tea", "Delete one record."),
      Example("datactl list todo done=true -o ids | datactl delete todo -", "Delete what is done."),
      Example("datactl delete todo --all --dry-run", "Say what deleting all would do."),
    ],
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .conflict, .store, .interrupted, .terminated,
    ],
    seeAlso: ["list", "schema drop"]
  ) { schema, ids, all, yes, ifExists, revision, dryRun, wait throws(UsageError) in
    if revision != nil, ids.count != 1 || ids == ["-"] {
      throw UsageError("--revision needs a single ID, found \(ids.count)")
    }
    return DeleteCommand(
      schemaName: schema, selection: all ? .all(isConfirmed: yes || dryRun) : .ids(ids),
      ifExists: ifExists, revision: revision, isDryRun: dryRun, wait: wait)
  }
}

extension DeleteCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .writing)
    let stored = try await invocation.catalog(of: client)
    let schema = try stored.catalog.schema(schemaName)
    let selection = try await requested(schema, client, invocation)
    let request = DeleteRequest(
      schema: schema, catalogVersion: stored.version, selection: selection,
      missing: ifExists ? .ignored : .refused, revision: revision.map(Int64.init),
      stamp: try await client.stamp(), wait: WriteWait(seconds: Double(wait)),
      end: isDryRun ? .rollBack : .commit)
    let summary = try await client.store.delete(request)
    for line in summary.lines(isDryRun: isDryRun) { try invocation.say(line) }
  }

  private func requested(
    _ schema: Schema, _ client: Client, _ invocation: Invocation
  ) async throws -> DeleteRequest.Selection {
    switch selection {
    case .ids(let ids):
      var all: [String] = []
      try await invocation.forEachBatch(of: ids) { all += $0 }
      return .ids(all)
    case .all(let isConfirmed):
      if !isConfirmed { try await confirm(schema, client, invocation) }
      return .matching(.all)
    }
  }

  private func confirm(
    _ schema: Schema, _ client: Client, _ invocation: Invocation
  ) async throws {
    let count = try await client.store.count(Query(schema, slots: [schema.keySlot]))
    let deed = "delete all \(count.counted("record")) of \(schema.name) in \(client.address)"
    guard invocation.console.canAsk else {
      throw DataError(
        .usage, "nobody can be asked whether to \(deed)", hint: "--yes answers the question")
    }
    guard try invocation.console.confirm("Really \(deed)?") else {
      throw DataError(.declined, "nothing was deleted in \(client.address)")
    }
  }
}

extension DeleteSummary {
  /// What a deletion did, a sentence a line.
  fileprivate func lines(isDryRun: Bool) -> [String] {
    let would = isDryRun ? "would be " : ""
    var lines = ["\(deleted.grouped) \(would)deleted"]
    lines += cascaded.map { "\($0.count.grouped) of \($0.schema) \(would)deleted with them" }
    if nullified > 0 {
      lines.append("\(nullified.counted("record")) that referred to them \(would)changed")
    }
    return lines
  }
}
