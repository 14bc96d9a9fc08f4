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
    "list", "Print the records of a schema.",
    usages: ["SCHEMA [FIELD=VALUE…]", "--function ID [FIELD=VALUE…]"],
    discussion: ListInputs.discussion,
    inputs:
      .optionalOperand("SCHEMA", kind: .schema, "The schema of the records."),
    .operands(
      "FIELD=VALUE", kind: .equality,
      """
      Select records whose FIELD equals VALUE. An empty VALUE selects records without a \
      value. For a text field, it selects the empty string instead.
      """),
    .option(
      "--function", value: "ID", kind: .function,
      """
      Run the function with this id, a query that is saved in the store. See `datactl help \
      functions`.
      """),
    ConditionInputs.conditions, ConditionInputs.parameters, ConditionInputs.zone, ListInputs.order,
    .integer("--limit", value: "N", in: 0...Int.max, "Print at most N records or groups."),
    .option(
      "--after", value: "TOKEN",
      """
      Print the page that follows TOKEN, which is the value of `next` in the output of `-o page`.
      """),
    .option(
      "--before", value: "TOKEN",
      """
      Print the page that precedes TOKEN, which is the value of `previous` in the output of `-o \
      page`.
      """),
    ListInputs.fields, ListInputs.system, ListInputs.expansion, ListInputs.flatten,
    .flag(
      "--count",
      """
      Print only the number of records. With `--distinct`, print the number of distinct values. \
      With groups, the option has no effect, because each group contains its `count`. Without \
      `--distinct` and groups, `--order` cannot be used with it.
      """),
    .option(
      "--distinct", value: "FIELD", kind: .fieldFor(.order),
      "Print the distinct values of a field, one per line."),
    .option(
      "--group-by", value: "FIELDS", kind: .fieldsFor(.order),
      """
      Print one line for each group of records with the same values in these comma-separated \
      fields. FIELDS can also contain paths, such as `owner.name`, and computed columns, such as \
      `month(due)` or `m = month(due)`.
      """),
    .option(
      "--having", value: "CONDITION", kind: .groupCondition,
      """
      Print only the groups that match this condition, such as `count > 5 and sum_price < 100`. \
      The condition can refer to the keys of the output. Requires `--group-by` or an option such \
      as `--sum`.
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
    .flag(
      "--explain",
      "Print how the query is parsed and how the store executes it, instead of its results."),
    .map(
      """
      Print records in the form that a map describes, with other names and another structure. MAP \
      is a file or the name of a built-in map (see `datactl help maps`).
      """),
    .flag(
      "--with-files",
      """
      In JSON, CSV, TSV and XML, include the contents of file fields, encoded in Base64. `save` \
      restores the files from this output if the text of each record has at most 96 MiB, which is \
      a content of about 72 MB. Copy larger contents with `get --content` and `save FIELD@=PATH`.
      """),
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
