import CommandSyntax

extension Topics {
  static let formats = Topic(
    "formats", "The forms in which records are printed and read.",
    manual: ManualName("datactl-formats", section: 7),
    body: [
      """
      On a terminal `list` prints a table, and `get` indented JSON. Otherwise both print NDJSON, \
      and so does `save`. `--output` decides in both cases:
      """,
      .definitions([
        Definition("json", "an array; `get` of one id prints the object itself"),
        Definition("ndjson", "one JSON object a line, written as it is found"),
        Definition("csv", "RFC 4180, with a header"),
        Definition("table", "columns that line up, for people"),
        Definition("ids", "the ids alone, one a line"),
        Definition("page", "of `list`: an object with the records and the tokens of other pages"),
        Definition("none", "nothing"),
      ]),
      """
      jq 1.6 alters integers above 2^53, before any filter runs. jq 1.7 and later keep them as \
      long as nothing is computed with them.
      """,
      .literal("$ datactl list todo | jq -r 'select(.done | not) | .title'"),
      .heading("Records as JSON"),
      """
      A record is an object. Its keys come in one order: the primary key, the fields as they are \
      declared, then `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. A \
      field without a value is null. Keys may be added in later versions, and are never removed or \
      renamed.
      """,
      .definitions([
        Definition("id, text, relation", "a string; for a relation, the id of its target"),
        Definition("integer", "a number of 64 bits, to the last digit"),
        Definition("number", "the shortest form that reads back equal"),
        Definition(
          "datetime", "UTC with three digits of the second, or six: `2026-11-20T03:05:00.000Z`"),
        Definition("geopoint", "`{\"lat\":47.37,\"lon\":8.54}`"),
        Definition(
          "file",
          "`{\"name\":…,\"type\":…,\"size\":…,\"sha256\":…}`, with `data` for `--with-files`"),
        Definition("json", "the value as it was given, without insignificant space"),
        Definition("arrays, to-many", "an array"),
        Definition("password", "never printed, in no form"),
      ]),
      .heading("CSV"),
      """
      An empty cell is null, and a quoted empty cell `\"\"` is the empty text. Arrays, objects and \
      to-many relations are JSON in their cell.
      """,
      .heading("Tables"),
      """
      A table is for the eye: its columns are as wide as its first 1,000 rows need, and control \
      characters are shown as escapes. On a terminal its lines are cut at the terminal's width, \
      and after 100 rows standard error says that there are more; `--limit` prints as many as it \
      says. In a pipe nothing is cut.
      """,
      .heading("Reading"),
      """
      `save` reads a JSON object, an array of them, NDJSON, objects one after the other, and CSV, \
      and tells them apart by their first bytes; `--input` decides where it matters. A byte order \
      mark, CRLF and blank lines are fine. Duplicate keys, NaN, trailing commas and comments are \
      not: anything that JSON forbids is an error with its line and column.
      """,
      .heading("Rejects"),
      """
      `save --skip-invalid --rejects FILE` writes one JSON object a line for each record that it \
      leaves out: `text` is the record as it was read, and `problems` is a list of errors as \
      `--errors json` prints them. Records of a user schema have no `text`, since it may hold a \
      password. The file stays as it was until the save has ended; a dry run writes none. When \
      the reasons are mended, the records are saved by:
      """,
      .literal("$ jq -r .text rejects.ndjson | datactl save todo"),
      """
      The text of a row of CSV has the end of its line too, and needs the header before it:
      """,
      .literal(
        """
        $ (head -n 1 todos.csv; jq -rj .text rejects.ndjson) |
            datactl save todo
        """),
    ],
    seeAlso: ["list", "get", "save", "schema types"])
}
