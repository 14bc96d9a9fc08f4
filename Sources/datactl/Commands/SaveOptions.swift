import CommandSyntax
import DataModel

/// The options of `save`, except the source of the records.
struct SaveOptions: Sendable {
  let policy: SavePolicy
  let roundsTimes: Bool
  let skipsInvalid: Bool
  let rejects: String?
  let wait: Int
  let commitEvery: Int?
  let isDryRun: Bool
  /// Whether the schema, or fields missing from it, is inferred from the first records.
  let infers: Bool

  static let discussion: [Block] = [
    """
    Creates a record if its id is new; an existing record gets only the given fields changed. A \
    record without an id is assigned one, except in a user schema. A command is one transaction: \
    all records are saved, or none.
    """,
    """
    The record is given on the command line, or records are read from `--file` or standard input: \
    a JSON object, an array, NDJSON, concatenated objects, or CSV, detected by the first bytes. \
    With an ID and no assignment, one object is read from standard input. The second operand is an \
    ID unless it looks like an assignment:
    """,
    .definitions([
      Definition("FIELD=TEXT", "a text, parsed by the field's type; if empty, null or empty text"),
      Definition("FIELD:=JSON", "any JSON value"),
      Definition("FIELD@=PATH", "the content of a file; `@=-` reads standard input"),
      Definition("FIELD+=VALUE", "add to a number; append to an array or a to-many relation"),
      Definition(
        "FIELD-=VALUE",
        "subtract from a number; remove every equal element from an array or a relation"),
    ]),
    """
    A password is never given on the command line, where others could see it: `password@=-` reads \
    it from standard input. System fields, such as `created_at`, cannot be assigned either, except \
    `revision=N` as a condition; in data they are read with `--keep-system-fields`.
    """,
    """
    Saved records are printed as `list` would print them, after the commit. Standard error gets \
    one line: `1,000 saved: 900 new, 90 changed, 10 the same`. All errors are reported together, \
    each with its file, line and field; after 20 the rest are counted, and the first decides the \
    exit status. Checks that need the store, such as uniqueness and references, are reported for \
    records whose own values are valid.
    """,
    """
    Uniqueness is checked record by record, so two records cannot swap values in one save: first \
    set one of them to null or another value. A record can refer to a later one.
    """,
    """
    With `--where` all matching records are changed, and none is created. It asks for \
    confirmation, showing the store and the number of records; if it cannot ask, it needs \
    `--yes`.
    """,
    """
    A record with a `revision` is saved only if the stored one has the same; a different one is a \
    conflict, with exit status 5. A record that does not exist is created regardless of its \
    revision; `--update` rejects it. Other system fields are ignored, so that a record can be \
    read, edited and saved again.
    """,
    """
    With `--infer` the schema need not exist: it is created from the first 1,000 records, or 4 MB, \
    by the rules of `schema infer`, and missing fields are added. An existing field never changes. \
    Schema and records are saved together or not at all, and standard error reports what was \
    created. If the store does not exist, it is created. A later record that does not fit is an \
    error; `schema infer` reads all records.
    """,
    """
    `--commit-every` is for endless input. After each commit, standard error reports up to which \
    line everything is saved. An error rolls back what came after that line and ends the command; \
    with `--skip-invalid` it continues. A record can refer only to records of the same transaction \
    or earlier ones.
    """,
    """
    With `--skip-invalid` each record is checked when it is read, so it can refer only to earlier \
    records: a reference to a later one is rejected.
    """,
    """
    The file of `--rejects` is replaced when the save has ended; `-` is standard output. `datactl \
    help formats` shows how to save its records once they are fixed.
    """,
  ]

  static let rules: [InputRule] = [
    .atMostOne(["FIELD=VALUE", "--file"]), .atMostOne(["FIELD=VALUE", "--input"]),
    .atMostOne(["ID", "--where"]), .needs("--where", "FIELD=VALUE"),
    .needs("--param", "--where"), .needs("--yes", "--where"),
    .atMostOne(["--where", "--create", "--update", "--replace"]),
    .atMostOne(["--where", "--keep-system-fields"]), .atMostOne(["--where", "--commit-every"]),
    .atMostOne(["FIELD=VALUE", "--skip-invalid"]),
    .atMostOne(["--create", "--update", "--replace"]),
    .atMostOne(["FIELD=VALUE", "--infer"]), .atMostOne(["--infer", "--commit-every"]),
    .needs("--rejects", "--skip-invalid"), .atMostOne(["--commit-every", "--dry-run"]),
  ]
}
