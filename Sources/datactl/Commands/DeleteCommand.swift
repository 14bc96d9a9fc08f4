package import CommandSyntax
import DataModel

/// `datactl delete`: deletes records, and what cascades from them.
struct DeleteCommand: Command {
  /// Which records are to go.
  enum Selection: Sendable {
    case ids([String])
    /// All of the schema; whether a question comes first.
    case all(isConfirmed: Bool)
  }

  let schema: String
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
      schema: schema, selection: all ? .all(isConfirmed: yes || dryRun) : .ids(ids),
      ifExists: ifExists, revision: revision, isDryRun: dryRun, wait: wait)
  }
}
