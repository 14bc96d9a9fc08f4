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
    Creates a record if its id is new, and otherwise changes just the fields that are given. A \
    record without an id gets one, except in a user schema. One command is one transaction: all \
    records are saved, or none.
    """,
    """
    The record stands on the command line, or records come from `--file` or from standard input: \
    a JSON object, an array, NDJSON, objects one after the other, or CSV, told apart by how they \
    begin. With an ID and no assignment, standard input has one object. The second operand is an \
    ID unless it looks like an assignment:
    """,
    .definitions([
      Definition("FIELD=TEXT", "a text, read by the field's type; nothing is null, or empty text"),
      Definition("FIELD:=JSON", "any JSON value"),
      Definition("FIELD@=PATH", "a file's content; `@=-` takes standard input"),
      Definition("FIELD+=VALUE", "add to a number; append to an array or a to-many relation"),
      Definition(
        "FIELD-=VALUE",
        "subtract from a number; remove every equal element from an array or a relation"),
    ]),
    """
    A password never stands on the line, where others could see it: `password@=-` reads it from \
    standard input. The fields that the store keeps, such as `created_at`, do not stand there \
    either, save `revision=N` as a condition; in data they are taken with `--keep-system-fields`.
    """,
    """
    What was saved is printed as `list` would print it, once it is committed. Standard error gets \
    one line: `1,000 saved: 900 new, 90 changed, 10 the same`. All errors are reported together, \
    each with its file, line and field; after 20 the rest are counted, and the first decides the \
    exit status. What only the store can tell, such as whether a value is unique or a reference \
    leads somewhere, is told of a record whose own values are right.
    """,
    """
    Unique values are looked at record by record, so two records cannot swap theirs in one save: \
    give one of them null, or another value, first. A record can refer to one that comes after it.
    """,
    """
    With `--where` all records that meet the condition are changed, and none is made. Their count \
    is asked first, naming the store; where nobody can answer, it needs `--yes`.
    """,
    """
    A record that carries a `revision` is saved only if the stored one has the same; otherwise it \
    is a conflict, and the exit status is 5. A record that is not there is created, whatever its \
    revision; `--update` refuses that. The other system fields are ignored, so that a record can \
    be read, edited and saved again.
    """,
    """
    With `--infer` the schema need not be there: it is made of the first 1,000 records, or 4 MB, \
    by the rules of `schema infer`, and fields that it does not have are added. A field that is \
    there never changes. Schema and records are saved together or not at all, and standard error \
    says what was made. If the store is not there yet, it is created. A later record that does not \
    fit is an error; `schema infer` looks at all records.
    """,
    """
    `--commit-every` is for input without an end. After each commit, standard error says up to \
    which line everything is saved. An error takes back what came behind that line, and ends the \
    command; with `--skip-invalid` it goes on. A record can refer only to records that come in the \
    same part or before it.
    """,
    """
    With `--skip-invalid` each record is judged when it comes, so it can refer only to records that \
    come before it: a reference to one further down is refused.
    """,
    """
    The file of `--rejects` takes the place of another of its name when the save has ended, and \
    `-` is standard output. `datactl help formats` shows how to save its records when they have \
    been mended.
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
