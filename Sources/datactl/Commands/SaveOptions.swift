import CommandSyntax
import DataModel

/// What the options of `save` say, beside where the records come from.
struct SaveOptions: Sendable {
  let policy: SavePolicy
  let roundsTimes: Bool
  let skipsInvalid: Bool
  let rejects: String?
  let wait: Int
  let commitEvery: Int?
  let isDryRun: Bool

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
      Definition("FIELD-=VALUE", "subtract from a number; remove from an array or a relation"),
    ]),
    """
    What was saved is printed as `list` would print it, once it is committed. Standard error gets \
    one line: `1,000 saved: 900 new, 90 changed, 10 the same`. All errors are reported together, \
    each with its file, line and field; after 20 the rest are counted.
    """,
    """
    With `--where` all records that meet the condition are changed, and none is made. Their count \
    is asked first, naming the store; where nobody can answer, it needs `--yes`.
    """,
    """
    A record that carries a `revision` is saved only if the stored one has the same; otherwise it \
    is a conflict, and the exit status is 5. The other system fields are ignored, so that a record \
    can be read, edited and saved again.
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
    .needs("--rejects", "--skip-invalid"), .atMostOne(["--commit-every", "--dry-run"]),
  ]
}
