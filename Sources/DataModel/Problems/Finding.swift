/// Something that is wrong with a store.
public struct Finding: Hashable, Sendable {
  /// The kind of the finding, which scripts may rely on.
  public var code: Code
  /// What was expected, and what was found.
  public var message: String
  /// The name of the schema that the finding concerns.
  public var schema: String?
  /// The id of the record that the finding concerns.
  public var id: String?
  /// The name of the field that the finding concerns.
  public var field: String?

  /// Creates a finding.
  public init(
    _ code: Code, _ message: String, schema: String? = nil, id: String? = nil, field: String? = nil
  ) {
    self.code = code
    self.message = message
    self.schema = schema
    self.id = id
    self.field = field
  }
}

extension Finding {
  /// The kinds of findings. New kinds may be added, but existing ones are never removed or renamed.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// A page of the file is damaged.
    case damagedPage = "damaged-page"
    /// A table does not exist.
    case missingTable = "missing-table"
    /// A table lacks a column.
    case missingColumn = "missing-column"
    /// The table of a schema exists, but not the schema.
    case missingSchema = "missing-schema"
    /// An index does not exist.
    case missingIndex = "missing-index"
    /// An index has another definition, or other entries than its table.
    case wrongIndex = "wrong-index"
    /// An index is marked as invalid, so the database does not use it.
    case invalidIndex = "invalid-index"
    /// Another program has created a table.
    case foreignTable = "foreign-table"
    /// A value is invalid for the type or the rules of its field.
    case invalidValue = "invalid-value"
    /// A relation refers to a record that does not exist.
    case danglingReference = "dangling-reference"
    /// Several records have the same value of a unique field.
    case notUnique = "not-unique"
    /// The content of a file is missing, or is not what the record names.
    case lostContent = "lost-content"
    /// The content of a file belongs to no record.
    case orphanedContent = "orphaned-content"
    /// An element of a to-many relation belongs to no record.
    case orphanedLink = "orphaned-link"
    /// The revision of a record is below 1.
    case revision
    /// An older version of datactl has created the store.
    case oldFormat = "old-format"
    /// A copy to the store was not completed.
    case unfinishedCopy = "unfinished-copy"
    /// The user of the database may not read or write a table.
    case missingPrivilege = "missing-privilege"
    /// The database does not wait until changes are on the disk.
    case synchronousCommit = "synchronous-commit"
    /// No server of a cluster has a part of a table.
    case missingPlacement = "missing-placement"
    /// All users of the machine can read or change a file of the store.
    case fileMode = "file-mode"
    /// Users who cannot open the store can lock it.
    case lockMode = "lock-mode"
    /// Users who cannot change the store can replace it.
    case folderMode = "folder-mode"
    /// The saved sessions are not private.
    case credentials
    /// An access rule lets everyone change records.
    case openRule = "open-rule"
    /// A bug of this version of SQLite can damage the store while another program checkpoints it.
    case unsafeSQLite = "unsafe-sqlite"

    /// Whether only an inspection of the security finds the kind.
    package var concernsSecurity: Bool {
      switch self {
      case .damagedPage, .missingTable, .missingColumn, .missingSchema, .missingIndex, .wrongIndex,
        .invalidIndex, .foreignTable, .invalidValue, .danglingReference, .notUnique, .lostContent,
        .orphanedContent, .orphanedLink, .revision, .oldFormat, .unfinishedCopy,
        .missingPrivilege, .synchronousCommit, .missingPlacement:
        false
      case .fileMode, .lockMode, .folderMode, .credentials, .openRule, .unsafeSQLite: true
      }
    }
  }
}

extension Finding.Code {
  /// The texts that explain a kind of finding, as shown in help, text output and JSON.
  package struct Facts: Sendable {
    /// What is wrong, in one sentence.
    package let title: String
    /// How to solve the problem.
    package let fix: String

    init(_ title: String, fix: String) {
      self.title = title
      self.fix = fix
    }
  }

  /// The texts that explain the kind of finding.
  package var facts: Facts {
    let byDoctor = "Run `datactl doctor --fix`."
    return switch self {
    case .damagedPage:
      Facts(
        "A part of the file is damaged.",
        fix: "Restore the newest backup without damage, as `datactl help stores` describes.")
    case .missingTable:
      Facts(
        "A table is missing.",
        fix: "Restore a backup. Another program has dropped or renamed the table.")
    case .missingColumn:
      Facts(
        "A table lacks a column.",
        fix: "Restore a backup. Another program has dropped or renamed the column.")
    case .missingSchema:
      Facts(
        "The definition of a schema is missing, but not its table.",
        fix: "Restore a backup. Another program has deleted the definition.")
    case .missingIndex: Facts("An index is missing.", fix: byDoctor)
    case .wrongIndex:
      Facts(
        "An index differs from its schema, or from the records.",
        fix: "Run `datactl doctor --fix --full`.")
    case .invalidIndex:
      Facts("PostgreSQL does not use an index, because its creation failed.", fix: byDoctor)
    case .foreignTable:
      Facts(
        "Another program has created a table.",
        fix: "Move the table to another database, or pass `--allow TABLE`.")
    case .invalidValue:
      Facts(
        "A value is invalid for its field.",
        fix: """
          Save the record with a valid value, or correct it with `sqlite3` or `psql`, and raise the \
          revision of the record by one.
          """)
    case .danglingReference:
      Facts(
        "A relation refers to a record that does not exist.",
        fix: "Save the missing record, or clear the relation.")
    case .notUnique:
      Facts(
        "Records have the same value of a unique field.",
        fix: "Change the value in all of these records but one, then run `datactl doctor --fix`.")
    case .lostContent:
      Facts(
        "The content of a file is not what its record names.",
        fix: "Save the content again (`FIELD@=FILE`), or clear the field.")
    case .orphanedContent: Facts("A content of a file belongs to no record.", fix: byDoctor)
    case .orphanedLink:
      Facts("An element of a to-many relation belongs to no record.", fix: byDoctor)
    case .revision:
      Facts(
        "The revision of a record is not a number from 1.",
        fix: "Set the revision with `sqlite3` or `psql`.")
    case .oldFormat:
      Facts("The store has an older format, which this version can also use.", fix: byDoctor)
    case .unfinishedCopy:
      Facts(
        "A copy to the store was not completed.",
        fix: "Run `datactl copy` again with the same stores, or delete this one.")
    case .missingPrivilege:
      Facts(
        "The user of the database lacks a privilege.",
        fix: "Grant it, as `datactl help databases` describes.")
    case .synchronousCommit:
      Facts(
        "A crash of the server can lose changes of other programs.",
        fix: "Set `synchronous_commit` to `on`. For its own changes, datactl does so itself.")
    case .missingPlacement:
      Facts(
        "No active node of the Citus cluster has a part of a table.",
        fix: "Activate the node, or restore the part from a backup of the node.")
    case .fileMode:
      Facts(
        "All users of the machine can read or change a file of the store.",
        fix: "Run `chmod o= FILE`.")
    case .lockMode:
      Facts(
        "Users who cannot open the store can open its lock file, and so stop all writers.",
        fix: "Give the lock file the permissions of the store.")
    case .folderMode:
      Facts(
        "Users who cannot change the store can change its folder, and so replace the store.",
        fix: "Run `chmod go-w FOLDER`.")
    case .credentials:
      Facts(
        "The saved sessions are not private, so their tokens may have leaked.",
        fix: "Correct the permissions, run `datactl logout --all`, and log in again.")
    case .openRule:
      Facts(
        "An access rule lets everyone create, change or delete records.",
        fix: "Use `users`, `role:NAME` or a condition instead of `anyone`.")
    case .unsafeSQLite:
      Facts(
        "This version of SQLite can damage a store that another program checkpoints.",
        fix: "Install SQLite 3.51.3, 3.50.7 or 3.44.6, or use `datactl backup` instead.")
    }
  }
}
