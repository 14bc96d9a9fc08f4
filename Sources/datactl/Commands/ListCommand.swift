import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import RecordText

/// `datactl list`: prints the records that match conditions, or aggregates of these records.
struct ListCommand: DeclaredCommand {
  var schemaName: String?
  var query = QueryInput("")
  var order: String?
  var records = RecordOptions()
  var groups = GroupingOptions()
  var sums: [String] = []
  var averages: [String] = []
  var medians: [String] = []
  var minimums: [String] = []
  var maximums: [String] = []
  var isExplanation = false
  /// The name of the map that describes the output (`--map`).
  var map: String?
  var format: OutputFormat?
  var numbers = RecordWriter.NumberStyle.number

  static let declaration = CommandDeclaration(
    ListCommand.self, "list", "Print the records of a schema.",
    usages: ["SCHEMA [FIELD=VALUE…]", "--function ID [FIELD=VALUE…]"],
    discussion: ListInputs.discussion,
    inputs: [
      .optionalOperand("SCHEMA", \.schemaName, kind: .schema, "The schema of the records."),
      .operands(
        "FIELD=VALUE", \.query.equalities, kind: .equality,
        """
        Select records whose FIELD equals VALUE. An empty VALUE selects records without a \
        value. For a text field, it selects the empty string instead.
        """),
      .option(
        "--function", \.query.function, value: "ID", kind: .function,
        """
        Run the function with this id, a query that is saved in the store. See `datactl help \
        functions`.
        """),
      .group(\.query, ConditionInputs.all),
      .option(
        "--order", \.order, value: "FIELDS", kind: .order,
        """
        Sort by these comma-separated fields, such as `done,-due`. `-` before a field, or `desc` \
        after it (`'n desc'`), means descending order. By default, records are sorted by id. FIELDS \
        can also contain paths and computed values: see Order in the description.
        """),
      .integer(
        "--limit", \.query.limit, value: "N", in: 0...Int.max,
        "Print at most N records or groups."),
      .option(
        "--per", \.query.limitedValue, value: "VALUE", kind: .order,
        """
        Apply `--limit` to the records of each value: with `--order -at --per author --limit 1`, print \
        the latest record of each author. VALUE is a field, a path or a computed value. The records \
        without a value count as those of one value.
        """),
      .option(
        "--after", \.records.bound, value: "TOKEN",
        """
        Print the page that follows TOKEN, which is the value of `next` in the output of `-o page`.
        """
      ) { .after($0) },
      .option(
        "--before", \.records.bound, value: "TOKEN",
        """
        Print the page that precedes TOKEN, which is the value of `previous` in the output of `-o \
        page`.
        """
      ) { .before($0) },
      .group(\.records, ListInputs.columnOptions + ListInputs.relationOptions),
      .flag(
        "--count", \.groups.isCounted,
        """
        Print only the number of records. With `--distinct`, print the number of distinct values. \
        With groups, the option has no effect, because each group contains its `count`. Without \
        `--distinct` and groups, `--order` cannot be used with it.
        """),
      .option(
        "--distinct", \.groups.distinct, value: "FIELD", kind: .fieldFor(.order),
        """
        Print the distinct values of a field, one per line, or with `each(tags)` the distinct elements \
        of lists.
        """),
      .option(
        "--group-by", \.groups.keys, value: "FIELDS", kind: .fieldsFor(.order),
        """
        Print one line for each group of records with the same values in these comma-separated \
        fields. FIELDS can also contain paths, such as `owner.name`, and computed columns, such as \
        `month(due)` or `m = month(due)`. With `each(tags)`, a record is in the group of each element \
        of a list (an array, a to-many relation, or an array in `json`), or in the group null if it \
        has none.
        """),
      .option(
        "--having", \.groups.having, value: "CONDITION", kind: .groupCondition,
        """
        Print only the groups that match this condition, such as `count > 5 and sum_price < 100`. \
        The condition can refer to the keys of the output. Requires `--group-by` or an option such \
        as `--sum`.
        """),
      .repeatedOption(
        "--sum", \.sums, value: "FIELDS", kind: .fieldsFor(.adding),
        """
        Print the sum of each of these comma-separated fields or computed values, such as `total = \
        price * amount`.
        """),
      .repeatedOption(
        "--avg", \.averages, value: "FIELDS", kind: .fieldsFor(.adding),
        """
        Print the average of each of these comma-separated fields or computed values, such as \
        `length(title)`.
        """),
      .repeatedOption(
        "--median", \.medians, value: "FIELDS", kind: .fieldsFor(.adding),
        "Print the median of each of these comma-separated fields or computed values."),
      .repeatedOption(
        "--min", \.minimums, value: "FIELDS", kind: .fieldsFor(.order),
        "Print the minimum of each of these comma-separated fields or computed values."),
      .repeatedOption(
        "--max", \.maximums, value: "FIELDS", kind: .fieldsFor(.order),
        "Print the maximum of each of these comma-separated fields or computed values."),
      .option(
        "--section-by", \.records.section, value: "FIELD", kind: .fieldFor(.sections),
        "Divide the records into sections by the first letter of this field."),
      .flag(
        "--explain", \.isExplanation,
        "Print how the query is parsed and how the store executes it, instead of its results."),
      .map(
        \.map,
        """
        Print records in the form that a map describes, with other names and another structure. \
        MAP is a file, the name of a built-in map, or the JSON of a map (see `datactl help maps`).
        """),
      .flag(
        "--with-files", \.records.includesFiles,
        """
        In JSON, CSV, TSV and XML, include the contents of file fields, encoded in Base64. `save` \
        restores the files from this output if the text of each record has at most 512 MiB, which \
        is a content of about 400 MB. It needs two to five times as much memory as the content. A \
        server accepts 96 MiB, which is about 75 MB. Copy larger contents with `get --content` and \
        `save FIELD@=PATH`.
        """),
      .choice(
        "--output", letter: "o", \.format, value: "FORMAT", of: OutputFormat.ofQueries,
        "The output format."),
      .numbers(\.numbers),
    ],
    rules: [
      .exactlyOne(["SCHEMA", "--function"]), .atMostOne(["--count", "--after", "--before"]),
      .atMostOne(["--count", "--fields", "--system"]), .atMostOne(["--count", "--with-files"]),
      .atMostOne(["--count", "--expand"]), .atMostOne(["--count", "--section-by"]),
      .atMostOne(["--distinct", "--group-by", "--section-by"]),
      .atMostOne(["--section-by", "--explain"]), .atMostOne(["--map", "--count"]),
      .needs("--flatten", "--expand"), .needs("--per", "--limit"),
      .atMostOne(["--per", "--after", "--before"]), .atMostOne(["--per", "--section-by"]),
      .atMostOne(["--map", "--section-by"]), .atMostOne(["--map", "--expand"]),
      .atMostOne(["--map", "--with-files"]), .atMostOne(["--map", "--numbers"]),
      .atMostOne(["--map", "--explain"]),
      .atMostOne(["--distinct", "--sum"]), .atMostOne(["--distinct", "--avg"]),
      .atMostOne(["--distinct", "--median"]), .atMostOne(["--distinct", "--min"]),
      .atMostOne(["--distinct", "--max"]),
      .atMostOne(["--section-by", "--sum"]), .atMostOne(["--section-by", "--avg"]),
      .atMostOne(["--section-by", "--median"]), .atMostOne(["--section-by", "--min"]),
      .atMostOne(["--section-by", "--max"]),
    ],
    examples: ListInputs.examples,
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted, .brokenPipe,
      .terminated,
    ],
    seeAlso: ["get", "conditions", "functions", "formats"])
}

extension ListCommand {
  mutating func validate() throws(UsageError) {
    if let order, order.isEmpty { throw UsageError("--order: the field name is missing") }
    let lists: KeyValuePairs<AggregateFunction, [String]> = [
      .sum: sums, .average: averages, .median: medians, .minimum: minimums, .maximum: maximums,
    ]
    groups.aggregates = lists.flatMap { function, lists in
      lists.map { AggregatedValues(function: function, list: $0) }
    }
    groups.order = order
    if groups.having != nil, !groups.isGrouped {
      throw UsageError("--having needs --group-by or an aggregate such as --sum")
    }
    query.schema = schemaName ?? ""
    query.order = groups.isGrouped ? "" : order ?? ""
    query.columns = records.fields
    if groups.isCounted, !query.order.isEmpty {
      throw UsageError("--count and --order cannot be used together")
    }
    try ListInputs.check(flatten: records.isFlattened, format)
    if groups.isGrouped,
      query.limitedValue != nil || !isExplanation && !(records.isDefault && map == nil)
    {
      throw UsageError(
        """
        --fields, --system, --expand, --after, --before, --per, --map and --with-files cannot be \
        used with \(groups.distinct == nil ? "groups" : "--distinct")
        """)
    }
    try ListInputs.check(request)
  }

  private var request: ReadRequest {
    let isCount = groups.isCounted && !groups.isGrouped
    let content: ReadRequest.Content =
      isExplanation
      ? .explanation(query, groups.isGrouped ? groups : nil, isCount: isCount)
      : groups.isGrouped
        ? .groups(query, groups) : isCount ? .count(query) : .records(query, records)
    return ReadRequest(content, as: format, numbers: numbers)
  }

  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    var command = self
    command.query = context.selecting(query)
    var request = command.request
    request.map = try context.map(map)
    try await client.answer(request, to: context.answerOutput)
  }
}
