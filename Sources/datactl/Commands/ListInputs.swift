import CommandSyntax
import DataModel

/// The options, rules, examples and discussion of `list`.
enum ListInputs {
  static let discussion: [Block] = [
    """
    Prints all records, or those that match the conditions: `--where CONDITION` (see `datactl help \
    conditions`) and `FIELD=VALUE` operands, which test for equality. All of them must match. Over \
    an array or a to-many relation, one matching element is enough. An empty value means null, and \
    in a text field the empty text.
    """,
    """
    On a terminal the records are printed as a table of at most 100 rows, in a pipe or a file as \
    NDJSON, one per line, written as they are found. `save` reads the output of `list` back \
    unchanged.
    """,
    """
    `-o page` prints one object with the records and the tokens of the adjacent pages: \
    `{"records": […], "next": TOKEN, "previous": TOKEN}`. Pass `next` to `--after` and `previous` \
    to `--before`, with the same conditions and the same order. A token is a position, not a \
    record: the record there may have been deleted, and others added.
    """,
    """
    With `--group-by` there is one line for each group, with the fields, `count`, and `sum_FIELD`, \
    `avg_FIELD`, `min_FIELD` and `max_FIELD` as requested; `--order` takes these names. Without \
    `--group-by`, aggregates cover all records. `--limit` then limits the groups, never the \
    records in them.
    """,
    """
    `--section-by` groups by the first letter, without accents and capitalized. Digits, other \
    scripts, and records without a value are in section `#`, at the end. The sections are ordered \
    by title, in reverse if the field is ordered downwards. NDJSON has a line before the records \
    of each section; `-o json` prints one object, in which `index` has the titles, or is null if \
    there are fewer than two sections:
    """,
    .literal(
      """
      {"section":"A","count":2}

      {"sections":[{"title":"A","count":2,"records":[…]},…],"index":["A","#"]}
      """),
    """
    jq 1.6 alters integers above 2^53. jq 1.7 keeps them unless they are used in arithmetic.
    """,
  ]

  static let order = Input.option(
    "--order", value: "FIELDS", kind: .fieldsFor(.order),
    """
    Sort by these comma-separated fields; `-` before a field sorts in descending order. A path may \
    follow to-one relations: `owner.name`. Records without a value come first in ascending and \
    last in descending order. Ties are broken by the id, in the direction of the last field. The \
    default order is by id.
    """)

  static let fields = Input.option(
    "--fields", value: "FIELDS", kind: .fields,
    """
    Print only these comma-separated fields; the primary key is always included. Fields reached \
    through to-one relations, such as `owner.name`, and parts of geopoints and files, such as \
    `place.lat` or `photo.size`, are printed under that name.
    """)

  static let expansion = Input.option(
    "--expand", value: "RELATIONS", kind: .relations,
    """
    Print the records that these relations refer to, in place of their ids; `steps.owner` \
    continues from there, at most three relations deep.
    """)

  /// A repeatable option whose value is a comma-separated list of fields.
  static func aggregates(
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
      "Print ten open todos, latest first."),
    Example(
      "datactl list todo --where \"title like 'B%' and due < now() + 7d\"",
      "Print the records that match a condition."),
    Example(
      "datactl list todo --order due --limit 2 -o page",
      "Print a page, with the token of the next one."),
    Example(
      "datactl list todo --group-by done --max due",
      "Count groups, with the latest due date of each."),
    Example(
      "datactl list todo --fields title,due -o csv > todos.csv",
      "Write some fields as CSV, for a spreadsheet."),
    Example("datactl list todo | jq -r .title", "Pipe the records to jq."),
  ]

  /// Rejects combinations of options that the rules cannot express.
  static func check(
    _ answer: ListCommand.Answer, _ records: RecordOutputOptions, _ format: OutputFormat?
  ) throws(UsageError) {
    let purpose: String
    let formats: [OutputFormat]
    switch answer {
    case .records:
      guard records.section != nil else { return }
      if records.bound != nil { throw UsageError("--section-by has no pages") }
      if records.includesFiles {
        throw UsageError("--section-by and --with-files cannot be used together")
      }
      (purpose, formats) = ("--section-by prints sections", [.json, .ndjson, .table, .none])
    case .count: (purpose, formats) = ("--count prints a number", [.json])
    case .explanation: (purpose, formats) = ("--explain prints an explanation", [.json])
    case .groups(let options):
      guard records.isDefault else {
        throw UsageError(
          "groups have no fields and no pages of their own",
          hint: "remove --fields, --expand, --after, --before and --with-files")
      }
      if options.countsValues {
        (purpose, formats) = ("--count prints a number", [.json])
      } else {
        purpose = "groups have no ids and no pages"
        formats = [.json, .ndjson, .csv, .table, .none]
      }
    }
    if let format, !formats.contains(format) {
      throw UsageError("\(purpose): \(format.rawValue) is not supported")
    }
  }
}
