import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl list`: prints the records that match conditions, or aggregates of these records.
struct ListCommand: Command {
  let request: ReadRequest
  /// The name of the map that describes the output (`--map`).
  let map: String?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the records of a schema.", discussion: ListInputs.discussion,
    inputs:
      .optionalOperand("SCHEMA", kind: .schema, "The schema of the records."),
    .operands(
      "FIELD=VALUE", kind: .equality,
      """
      Select records whose FIELD equals VALUE. An empty VALUE means null, or the empty string in a \
      text field.
      """),
    .option(
      "--function", value: "ID", kind: .function,
      """
      Run a stored function, which defines the schema, the condition and the order. See `datactl \
      help functions`.
      """),
    ConditionInputs.conditions, ConditionInputs.parameters, ConditionInputs.zone, ListInputs.order,
    .integer("--limit", value: "N", in: 0...Int.max, "Print at most N records or groups."),
    .option(
      "--after", value: "TOKEN",
      """
      Print the page that follows TOKEN. In the output of `-o page`, the key `next` contains this \
      token.
      """),
    .option(
      "--before", value: "TOKEN",
      """
      Print the page that precedes TOKEN. In the output of `-o page`, the key `previous` contains \
      this token.
      """),
    ListInputs.fields, ListInputs.system, ListInputs.expansion, ListInputs.flatten,
    .flag(
      "--count",
      """
      Print only the number of records or, with `--distinct`, the number of distinct values. \
      Groups always include their `count`, with or without this option.
      """),
    .option(
      "--distinct", value: "FIELD", kind: .fieldFor(.order),
      "Print the distinct values of a field, one per line."),
    .option(
      "--group-by", value: "FIELDS", kind: .fieldsFor(.order),
      """
      Group the records that have the same values in these comma-separated fields, paths such as \
      `owner.name` or `details.color`, or computed columns, such as `month(due)` or `m = \
      month(due)`. Print one line for each group, with the number of its records under the key \
      `count`.
      """),
    .option(
      "--having", value: "CONDITION", kind: .groupCondition,
      """
      Print only the groups that match this condition, such as `count > 5 and sum_price < 100`. \
      The condition can use the keys of the output.
      """),
    ListInputs.aggregates(
      "--sum", of: .adding,
      """
      Print the sum of each of these comma-separated fields or computed values, such as `total = \
      price * amount`.
      """),
    ListInputs.aggregates(
      "--avg", of: .adding,
      """
      Print the average of each of these comma-separated fields or computed values, such as \
      `length(title)`.
      """),
    ListInputs.aggregates(
      "--median", of: .adding,
      "Print the median of each of these comma-separated fields or computed values."),
    ListInputs.aggregates(
      "--min", of: .order,
      "Print the minimum of each of these comma-separated fields or computed values."),
    ListInputs.aggregates(
      "--max", of: .order,
      "Print the maximum of each of these comma-separated fields or computed values."),
    .option(
      "--section-by", value: "FIELD", kind: .fieldFor(.sections),
      "Divide the records into sections by the first letter of this field."),
    .flag("--explain", "Print how the query is parsed and executed, instead of its results."),
    .map(
      """
      Print records in the form that a map describes. MAP is a file or the name of a built-in map \
      (see `datactl help maps`).
      """),
    .flag(
      "--with-files",
      "Include the contents of files, encoded in base64, so that `save` can restore them."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.ofQueries,
      "The output format."),
    rules: ListInputs.rules, examples: ListInputs.examples,
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted, .brokenPipe,
      .terminated,
    ],
    seeAlso: ["get", "conditions", "functions", "formats"]
  ) {
    schema, equalities, function, conditions, parameters, zone, order, limit, after, before, fields,
    system, expansion, flatten, count, distinct, keys, having, sums, averages, medians,
    minimums, maximums, section,
    isExplanation, map, files,
    format throws(UsageError) in
    if let order, order.isEmpty { throw UsageError("--order: the field name is missing") }
    let lists: KeyValuePairs<AggregateFunction, [String]> = [
      .sum: sums, .average: averages, .median: medians, .minimum: minimums, .maximum: maximums,
    ]
    let aggregates = lists.flatMap { function, lists in
      lists.map { AggregatedValues(function: function, list: $0) }
    }
    let groups = GroupingOptions(
      distinct: distinct, keys: keys, aggregates: aggregates, having: having, order: order,
      isCounted: count)
    if having != nil, !groups.isGrouped {
      throw UsageError("--having needs --group-by or an aggregate such as --sum")
    }
    var selection = QueryInput(
      schema ?? "", equalities: equalities, conditions: conditions, parameters: parameters,
      order: groups.isGrouped ? "" : order ?? "", limit: limit, function: function)
    selection.columns = fields
    selection.zone = zone
    if count, !selection.order.isEmpty {
      throw UsageError("--count and --order cannot be used together")
    }
    let records = RecordOptions(
      bound: after.map(RecordOptions.Bound.after) ?? before.map(RecordOptions.Bound.before),
      fields: fields, showsSystemFields: system, expansion: expansion, isFlattened: flatten,
      section: section, includesFiles: files)
    let content: ReadRequest.Content =
      isExplanation
      ? .explanation(
        selection, groups.isGrouped ? groups : nil, isCount: count && !groups.isGrouped)
      : groups.isGrouped
        ? .groups(selection, groups) : count ? .count(selection) : .records(selection, records)
    try ListInputs.check(flatten: flatten, format)
    if groups.isGrouped, !isExplanation, !(records.isDefault && map == nil) {
      throw UsageError(
        """
        --fields, --system, --expand, --after, --before, --map and --with-files cannot be used \
        with \(distinct == nil ? "groups" : "--distinct")
        """)
    }
    let request = ReadRequest(content, as: format)
    try ListInputs.check(request)
    return ListCommand(request: request, map: map)
  }
}

extension ListCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    var request = request
    request.map = try context.map(map)
    try await client.answer(request, to: context.answerOutput)
  }
}

/// The options, rules, examples and discussion of `list`.
enum ListInputs {
  static let discussion: [Block] = [
    """
    Prints all records of a schema, or only the records that match all given conditions. \
    Conditions are given with `--where CONDITION` (see `datactl help conditions`) or as \
    `FIELD=VALUE` operands, which test for equality. A condition on an array or a to-many relation \
    matches if at least one element matches. An empty VALUE matches records without a value; for a \
    text field, it matches the empty string.
    """,
    """
    On a terminal, records are printed as a table of at most 100 rows. When the output is a pipe \
    or a file, they are printed as NDJSON, one record per line, as soon as they are found. `save` \
    can read this output unchanged.
    """,
    """
    `-o page` prints one object that contains the records and the tokens for the next and the \
    previous page: `{"records": […], "next": TOKEN, "previous": TOKEN}`. To print the next page, \
    pass the value of `next` to `--after`. To print the previous page, pass the value of \
    `previous` to `--before`. Use the same conditions and the same order as for the first page. A \
    token marks a position in the order, not a record, so it remains valid if records are added or \
    deleted.
    """,
    """
    With `--group-by`, the output has one line for each group. Each line contains the grouping \
    fields, `count`, and the requested aggregates `sum_FIELD`, `avg_FIELD`, \
    `median_FIELD`, `min_FIELD` and `max_FIELD`. An aggregate of a computed value is named after \
    its function, such as `avg_length_title`, or as in `total = price * amount`. `--order` sorts the groups by \
    these names, or by values that are computed from them. `--limit` limits the number of groups, \
    not the number of records in them. Without `--group-by`, aggregates are computed over all \
    selected records.
    """,
    """
    `--section-by` divides the records into sections by the first letter of a field, capitalized \
    and without accents. Records whose value does not begin with a Latin letter, or that have no \
    value, are in the section `#` at the end. The sections are sorted by title, in descending \
    order if the records are sorted by the field in descending order. In NDJSON, the records of \
    each section are preceded by a line with the title of the section and the number of its \
    records. `-o json` prints one object. Its `index` key contains the section titles, or is null \
    if there are fewer than two sections. The following examples show the line in NDJSON and the \
    object:
    """,
    .literal(
      """
      {"section":"A","count":2}

      {"sections":[{"title":"A","count":2,"records":[…]},…],"index":["A","#"]}
      """),
    """
    If you pipe the output to jq, note that jq 1.6 rounds integers above 2^53. jq 1.7 and later \
    keep all digits, except in arithmetic.
    """,
  ]

  static let order = Input.option(
    "--order", value: "FIELDS", kind: .fieldsFor(.order),
    """
    Sort by these comma-separated fields, computed columns of `--fields`, or computed values, such \
    as `-length(title)` or `count(steps)`; `-` before a term means descending order. A path such as `owner.name` can \
    follow to-one relations, or lead to a key inside `json`. Values inside `json` are sorted by \
    type, in the order null, booleans, numbers, strings; it is an error if a value is an object or \
    an array. Records without a value are first in ascending order and last in descending order, \
    except that they are always last if the records are sorted by `distance`. Records with equal \
    values are sorted by id, in the same direction as the last field. By default, records are \
    sorted by id.
    """)

  static let fields = Input.option(
    "--fields", value: "FIELDS", kind: .fields,
    """
    Print only these comma-separated fields; the primary key is always included. FIELDS can also \
    contain paths through to-one relations, such as `owner.name`, parts of geopoints and files, \
    such as `place.lat` or `photo.size`, and keys inside `json`, such as `details.color`; in the \
    output, the path is the key of the value. `*` means all declared fields. `-note` leaves out \
    the field `note`; if FIELDS only leaves out fields, all other fields are printed. A computed \
    column is an expression such as `total = price * amount`, `year(due)` or `count(steps)`; \
    without a name, it is named after its function and field, such as `year_due`. Fields are \
    printed first, in the order of the schema. Paths and computed columns follow, in the given \
    order.
    """)

  static let system = Input.flag(
    "--system",
    "Also print the system fields in a table on a terminal. Other outputs always include them.")

  static let expansion = Input.option(
    "--expand", value: "RELATIONS", kind: .relations,
    """
    For these comma-separated relations, print the related records instead of their ids. A path \
    such as `steps.owner` expands nested relations, at most three levels deep. If RELATIONS \
    contains the declared inverse of a relation, the records that refer to each printed record are \
    also printed, as a list in the order of their ids.
    """)

  static let flatten = Input.flag(
    "--flatten",
    """
    For each to-one relation in `--expand`, print the fields of the related record as columns, \
    such as `owner.name`. Requires the format `csv`, `tsv` or `md`.
    """)

  /// Throws an error if `--flatten` cannot be used with a format.
  static func check(flatten: Bool, _ format: OutputFormat?) throws(UsageError) {
    guard flatten else { return }
    switch format {
    case .csv, .tsv, .md: break
    case nil, .json, .ndjson, .xml, .table, .ids, OutputFormat.none?, .page, .diff:
      throw UsageError("--flatten needs -o csv, -o tsv or -o md")
    }
  }

  /// Returns a repeatable option whose value is a comma-separated list of the values to aggregate.
  static func aggregates(
    _ name: String, of purpose: FieldPurpose, _ summary: String
  ) -> Input<[String]> {
    Input.repeatedOption(name, value: "FIELDS", kind: .fieldsFor(purpose), summary)
  }

  static let rules: [InputRule] = [
    .exactlyOne(["SCHEMA", "--function"]), .atMostOne(["--after", "--before"]),
    .atMostOne(["--count", "--fields"]), .atMostOne(["--fields", "--system"]),
    .atMostOne(["--count", "--system"]), .atMostOne(["--count", "--with-files"]),
    .atMostOne(["--count", "--expand"]), .atMostOne(["--count", "--after"]),
    .atMostOne(["--count", "--before"]), .atMostOne(["--count", "--section-by"]),
    .atMostOne(["--distinct", "--group-by", "--section-by"]),
    .atMostOne(["--section-by", "--explain"]), .atMostOne(["--map", "--count"]),
    .needs("--flatten", "--expand"),
    .atMostOne(["--map", "--section-by"]), .atMostOne(["--map", "--expand"]),
    .atMostOne(["--map", "--with-files"]), .atMostOne(["--map", "--explain"]),
    .atMostOne(["--distinct", "--sum"]), .atMostOne(["--distinct", "--avg"]),
    .atMostOne(["--distinct", "--median"]), .atMostOne(["--distinct", "--min"]),
    .atMostOne(["--distinct", "--max"]),
    .atMostOne(["--section-by", "--sum"]), .atMostOne(["--section-by", "--avg"]),
    .atMostOne(["--section-by", "--median"]), .atMostOne(["--section-by", "--min"]),
    .atMostOne(["--section-by", "--max"]),
  ]

  static let examples = [
    Example("datactl list todo", "Print all records."),
    Example(
      "datactl list todo done=false --order -due --limit 10",
      "Print ten open todos, with the latest due dates first."),
    Example(
      "datactl list todo --where \"title like 'B%' and due < now() + 7d\"",
      "Print the records that match a condition."),
    Example(
      "datactl list todo --order due --limit 2 -o page",
      "Print a page of two records and the token for the next page."),
    Example(
      "datactl list todo --group-by done --max due",
      "Print the number of records and the latest due date for each group."),
    Example(
      "datactl list todo --group-by 'month(due)'", "Print the number of records for each month."),
    Example(
      "datactl list todo --order 'distance(place, (47.37, 8.54))' --limit 10",
      "Print the ten todos nearest to a point."),
    Example(
      "datactl list todo --order '-length(title)' --limit 3",
      "Print the three records with the longest titles."),
    Example(
      "datactl list todo --group-by done --median priority --order -median_priority",
      "Print the median priority of done and of open todos, the higher one first."),
    Example(
      "datactl list todo --group-by done --max 'most = count(steps)'",
      "Print the maximum of a computed value for each group."),
    Example(
      "datactl list todo --where 'due on 2026-11-21' --zone Europe/Zurich",
      "Print the records of a day in a time zone."),
    Example(
      "datactl list todo --fields title,due -o csv > todos.csv",
      "Write two fields as CSV, for a spreadsheet."),
    Example(
      "datactl list todo --expand owner --flatten -o md",
      "Print a Markdown table with columns such as `owner.name`."),
    Example(
      "datactl list todo --fields '*,-tags,n = length(tags)'",
      "Print the declared fields without one of them, and a computed column."),
    Example(
      "datactl list todo --map camel -o json", "Print the records with names in camelCase."),
    Example("datactl list todo | jq -r .title", "Pipe the records to jq."),
  ]

  /// Rejects invalid combinations of options that `rules` cannot express.
  static func check(_ request: ReadRequest) throws(UsageError) {
    let purpose: String
    let formats: [OutputFormat]
    switch request.content {
    case .found: return
    case .records(_, let records):
      guard records.section != nil else { return }
      if records.bound != nil {
        throw UsageError("--section-by cannot be used with --after or --before")
      }
      if records.includesFiles {
        throw UsageError("--section-by and --with-files cannot be used together")
      }
      (purpose, formats) = ("--section-by prints sections", [.json, .ndjson, .table, .none])
    case .count: (purpose, formats) = ("--count prints a number", [.json])
    case .explanation: (purpose, formats) = ("--explain prints an explanation", [.json])
    case .groups(_, let options):
      if options.countsValues {
        (purpose, formats) = ("--count prints a number", [.json])
      } else {
        purpose =
          "\(options.distinct == nil ? "groups" : "distinct values") cannot be printed as ids or pages"
        formats = [.json, .ndjson, .csv, .tsv, .md, .table, .none]
      }
    }
    if let format = request.format, !formats.contains(format) {
      throw UsageError("\(purpose): \(format.rawValue) is not supported")
    }
  }
}
