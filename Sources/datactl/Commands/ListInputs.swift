import CommandSyntax
import DataModel

/// The options, rules, examples and discussion of `list`.
enum ListInputs {
  static let discussion: [Block] = [
    """
    Prints all records, or those that meet the conditions: `--where CONDITION`, of which \
    `datactl help conditions` has the language, and `FIELD=VALUE` operands, which are equalities. \
    All of them must hold. Over an array or a to-many relation it is enough that one element has \
    the value. Nothing behind the sign stands for null, and in a text field for the empty text.
    """,
    """
    On a terminal the records are a table of at most 100 rows. Otherwise they are NDJSON, one a \
    line, written as they are found. What `list` prints, `save` reads back without a change.
    """,
    """
    `-o page` prints one object with the records and the tokens of the pages beside them: \
    `{"records": […], "next": TOKEN, "previous": TOKEN}`. The token `next` goes with `--after`, \
    `previous` with `--before`, and both with the same conditions and the same order. A token \
    holds a place, not a record: the record there may be gone, and others may come.
    """,
    """
    With `--group-by` there is a line for each group, with the fields, `count`, and `sum_FIELD`, \
    `avg_FIELD`, `min_FIELD` and `max_FIELD` as they are asked for; `--order` names these. \
    Without `--group-by`, sums are those of all records. `--limit` counts groups then, and never the \
    records in them.
    """,
    """
    `--section-by` groups by the first letter, without accents and as a capital. Digits, other \
    scripts, and records without a value stand under `#`, at the end. The sections come in the \
    order of their titles, turned round if the field is ordered downwards. In NDJSON a line stands \
    before the records of each; `-o json` prints one object, in which `index` has the titles, and \
    is null if there is one section or none:
    """,
    .literal(
      """
      {"section":"A","count":2}

      {"sections":[{"title":"A","count":2,"records":[…]},…],"index":["A","#"]}
      """),
    """
    jq 1.6 alters integers above 2^53. jq 1.7 keeps them as long as nothing is computed with \
    them.
    """,
  ]

  static let order = Input.option(
    "--order", value: "FIELDS", kind: .fieldsFor(.order),
    """
    Sort by these fields, with commas between them; `-` before a field sorts downwards. A field \
    may lie behind relations to one record: `owner.name`. Records without a value come first going \
    up and last going down. The id decides between equals, in the direction of the last field, and \
    alone without this option.
    """)

  static let fields = Input.option(
    "--fields", value: "FIELDS", kind: .fields,
    """
    Print only these fields, with commas between them; the primary key always comes along. Fields \
    behind relations to one record, such as `owner.name`, and parts of points and files, such as \
    `place.lat` or `photo.size`, are printed under that name.
    """)

  static let expansion = Input.option(
    "--expand", value: "RELATIONS", kind: .relations,
    """
    Print the records that these relations lead to in the place of their ids; `steps.owner` goes \
    on from there, three relations deep at the most.
    """)

  /// A repeatable option whose value is a comma-separated list of fields.
  static func sums(
    _ name: String, of purpose: FieldPurpose, _ summary: String
  ) -> Input<[FieldPath]> {
    Input.repeatedOption(name, value: "FIELDS", kind: .fieldsFor(purpose), summary).map { lists in
      lists.flatMap(\.fieldNames).map { FieldPath(dotted: $0) }
    }
  }

  static let rules: [InputRule] = [
    .exactlyOne(["SCHEMA", "--function"]), .atMostOne(["--after", "--before"]),
    .atMostOne(["--count", "--fields"]), .atMostOne(["--count", "--with-files"]),
    .atMostOne(["--count", "--expand"]), .atMostOne(["--count", "--after"]),
    .atMostOne(["--count", "--before"]), .atMostOne(["--count", "--section-by"]),
    .atMostOne(["--distinct", "--group-by", "--section-by"]),
    .atMostOne(["--section-by", "--explain"]),
    .atMostOne(["--distinct", "--sum"]), .atMostOne(["--distinct", "--avg"]),
    .atMostOne(["--distinct", "--min"]), .atMostOne(["--distinct", "--max"]),
    .atMostOne(["--section-by", "--sum"]), .atMostOne(["--section-by", "--avg"]),
    .atMostOne(["--section-by", "--min"]), .atMostOne(["--section-by", "--max"]),
  ]

  static let examples = [
    Example("datactl list todo", "Print all records."),
    Example(
      "datactl list todo done=false --order -due --limit 10",
      "Print ten that are not done, latest first."),
    Example(
      "datactl list todo --where \"title like 'B%' and due < now() + 7d\"",
      "Print those that meet a condition."),
    Example(
      "datactl list todo --order due --limit 2 -o page",
      "Print a page, with the token of the next one."),
    Example("datactl list todo --group-by done --max due", "Count groups, and what is in them."),
    Example(
      "datactl list todo --fields title,due -o csv > todos.csv",
      "Write a few fields as CSV, for a spreadsheet."),
    Example("datactl list todo | jq -r .title", "Hand the records to jq."),
  ]

  /// Rejects combinations of options that the rules cannot express.
  static func check(
    _ answer: ListCommand.Answer, _ records: RecordWords, _ format: OutputFormat?
  ) throws(UsageError) {
    let purpose: String
    let formats: [OutputFormat]
    switch answer {
    case .records:
      guard records.section != nil else { return }
      if records.bound != nil { throw UsageError("--section-by has no pages") }
      if records.includesFiles {
        throw UsageError("--section-by and --with-files exclude each other")
      }
      (purpose, formats) = ("--section-by prints sections", [.json, .ndjson, .table, .none])
    case .count: (purpose, formats) = ("--count prints a number", [.json])
    case .explanation: (purpose, formats) = ("--explain prints an explanation", [.json])
    case .groups(let words):
      guard records.isPlain else {
        throw UsageError(
          "groups have no fields and no pages of their own",
          hint: "leave out --fields, --expand, --after, --before and --with-files")
      }
      if words.countsValues {
        (purpose, formats) = ("--count prints a number", [.json])
      } else {
        purpose = "groups have no ids and no pages"
        formats = [.json, .ndjson, .csv, .table, .none]
      }
    }
    if let format, !formats.contains(format) {
      throw UsageError("\(purpose): \(format.rawValue) does not go with it")
    }
  }
}
