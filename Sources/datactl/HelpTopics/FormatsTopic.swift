import CommandSyntax

extension HelpTopics {
  static let formats = Topic(
    "formats", "Output and input formats of records.",
    manual: ManualName("datactl-formats", section: 7),
    body: [
      """
      On a terminal `list` prints a table, and `get` indented JSON. In a pipe or a file both print \
      NDJSON, and so does `save`. `--output` selects a format in either case:
      """,
      .definitions([
        Definition("json", "an array; `get` of one id prints the object itself"),
        Definition("ndjson", "one JSON object per line, written as records are found"),
        Definition("csv", "RFC 4180, with a header line"),
        Definition("table", "aligned columns, for people"),
        Definition("ids", "only the ids, one per line"),
        Definition("page", "`list` only: an object with the records and the tokens of other pages"),
        Definition("none", "nothing"),
      ]),
      """
      jq 1.6 alters integers above 2^53, even without a filter. jq 1.7 and later keep them unless \
      they are used in arithmetic.
      """,
      .literal("$ datactl list todo | jq -r 'select(.done | not) | .title'"),
      .heading("Records as JSON"),
      """
      A record is an object. Its keys have a fixed order: the primary key, the fields as declared, \
      then `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. A field \
      without a value is null. Later versions may add keys, but never remove or rename them.
      """,
      .definitions([
        Definition("id, text, relation", "a string; for a relation, the id of its target"),
        Definition("integer", "a 64-bit integer, with all digits"),
        Definition("number", "the shortest form that parses to the same value"),
        Definition(
          "datetime", "UTC with three or six digits of the second: `2026-11-20T03:05:00.000Z`"),
        Definition("geopoint", "`{\"lat\":47.37,\"lon\":8.54}`"),
        Definition(
          "file",
          "`{\"name\":…,\"type\":…,\"size\":…,\"sha256\":…}`, with `data` for `--with-files`"),
        Definition("json", "the value as it was saved, without insignificant white space"),
        Definition("arrays, to-many", "an array"),
        Definition("password", "never printed, in any format"),
      ]),
      .heading("CSV"),
      """
      An empty cell is null, and a quoted empty cell `""` is the empty text. Arrays, objects and \
      to-many relations are written as JSON in their cell.
      """,
      .heading("Tables"),
      """
      A table is meant for people: its columns are as wide as its first 1,000 rows need, and \
      control characters are shown as escapes. On a terminal its lines are cut at the terminal's \
      width, and after 100 rows a note on standard error says that there are more; `--limit` sets \
      another number. In a pipe nothing is cut.
      """,
      .heading("Reading"),
      """
      `save` reads a JSON object, an array of objects, NDJSON, concatenated objects, and CSV, and \
      detects the format by the first bytes; `--input` sets it explicitly. A byte order mark, CRLF \
      and blank lines are accepted. Anything that JSON forbids, such as duplicate keys, NaN, \
      trailing commas and comments, is an error with its line and column.
      """,
      .heading("Rejects"),
      """
      `save --skip-invalid --rejects FILE` writes one JSON object per line for each record that it \
      skips: `text` is the record as it was read, and `problems` is a list of errors as `--errors \
      json` prints them. Records of a user schema have no `text`, since it may contain a password. \
      The file is replaced only when the save has ended; a dry run does not write it. After fixing \
      the causes, save the records with:
      """,
      .literal("$ jq -r .text rejects.ndjson | datactl save todo"),
      """
      The text of a CSV row includes its line ending, and needs the header before it:
      """,
      .literal(
        """
        $ (head -n 1 todos.csv; jq -rj .text rejects.ndjson) |
            datactl save todo
        """),
    ],
    seeAlso: ["list", "get", "save", "schema types"])
}
