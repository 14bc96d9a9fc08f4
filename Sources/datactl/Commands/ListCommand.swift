import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl list`: prints the records of a schema, those that meet conditions, or aggregates of
/// them.
struct ListCommand: Command {
  /// The kind of output.
  enum Answer: Sendable {
    case records(RecordOutputOptions)
    case count
    case groups(GroupingOptions)
    /// The query plan for records, or for groups of them.
    case explanation(GroupingOptions?, isCount: Bool)
  }

  let selection: QueryInput
  let answer: Answer
  let format: OutputFormat?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the records of a schema.", discussion: ListInputs.discussion,
    inputs:
      .optionalOperand("SCHEMA", kind: .schema, "The schema of the records."),
    .operands("FIELD=VALUE", kind: .assignment, "Values that the records must have."),
    .option(
      "--function", value: "ID", kind: .function,
      "Run a stored function, which defines the schema, condition and order. See `functions`."),
    ConditionInputs.conditions, ConditionInputs.parameters, ListInputs.order,
    .integer("--limit", value: "N", in: 0...Int.max, "Print at most this many records, or groups."),
    .option("--after", value: "TOKEN", "Print the records after a page, given its `next` token."),
    .option(
      "--before", value: "TOKEN", "Print the records before a page, given its `previous` token."),
    ListInputs.fields, ListInputs.expansion,
    .flag(
      "--count",
      """
      Print only the number of records; with `--distinct`, the number of values. Groups always \
      have a `count`.
      """),
    .option(
      "--distinct", value: "FIELD", kind: .fieldFor(.order),
      "Print the distinct values of a field, one per line."),
    .option(
      "--group-by", value: "FIELDS", kind: .fieldsFor(.order),
      """
      Print one line for each group of records with equal values of these fields, with its \
      `count`.
      """),
    ListInputs.aggregates("--sum", of: .adding, "Print the sum of these fields, for each group."),
    ListInputs.aggregates("--avg", of: .adding, "Print the average of these fields."),
    ListInputs.aggregates("--min", of: .order, "Print the minimum of these fields."),
    ListInputs.aggregates("--max", of: .order, "Print the maximum of these fields."),
    .option(
      "--section-by", value: "FIELD", kind: .fieldFor(.sections),
      "Print the records in sections, by the first letter of this field."),
    .flag("--explain", "Print how the query is parsed and executed, instead of its result."),
    .flag(
      "--with-files", "Also print the content of files, in base64, so that `save` can read it."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.allCases,
      "How to print the records."),
    rules: ListInputs.rules, examples: ListInputs.examples,
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted, .brokenPipe,
      .terminated,
    ],
    seeAlso: ["get", "conditions", "functions", "formats"]
  ) {
    schema, equalities, function, conditions, parameters, order, limit, after, before, fields,
    expansion, count, distinct, keys, aggregates, averages, minimum, maximum, section,
    isExplanation, files,
    format throws(UsageError) in
    if let order, order.isEmpty { throw UsageError("--order: the field name is missing") }
    let aggregates =
      aggregates.map(Aggregate.sum) + averages.map(Aggregate.average)
      + minimum.map(Aggregate.minimum) + maximum.map(Aggregate.maximum)
    let groups = GroupingOptions(
      distinct: distinct, keys: keys?.fieldNames ?? [], aggregates: aggregates, order: order,
      isCounted: count)
    let selection = QueryInput(
      schema ?? "", equalities: equalities, conditions: conditions, parameters: parameters,
      order: groups.isGrouped ? "" : order ?? "", limit: limit, function: function)
    if count, !selection.order.isEmpty {
      throw UsageError("--count and --order cannot be used together")
    }
    let records = RecordOutputOptions(
      bound: after.map(RecordOutputOptions.Bound.after)
        ?? before.map(RecordOutputOptions.Bound.before),
      fields: fields, expansion: expansion, section: section, includesFiles: files)
    let answer: Answer =
      isExplanation
      ? .explanation(groups.isGrouped ? groups : nil, isCount: count && !groups.isGrouped)
      : groups.isGrouped ? .groups(groups) : count ? .count : .records(records)
    try ListInputs.check(answer, records, format)
    return ListCommand(selection: selection, answer: answer, format: format)
  }
}

extension ListCommand {
  func run(with context: CommandContext) async throws {
    try await context.answer { try await print(with: context) }
  }

  private func print(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let reader = try await client.store.snapshot()
    let selection = try await client.check(selection, from: reader)
    for warning in selection.warnings { try context.printMessage(warning) }
    switch answer {
    case .records(let options):
      try await options.print(selection, as: format, from: reader, with: context)
    case .count:
      let count = try await reader.count(selection.query(slots: [selection.schema.keySlot]))
      try print(count: count, on: context.console)
    case .groups(let options):
      let query = try options.query(of: selection)
      let listing = try GroupListing(
        query, in: selection.stored.catalog, distinct: options.distinct != nil, format: format)
      if options.countsValues {
        try print(count: try await listing.count(from: reader), on: context.console)
      } else {
        try await listing.print(from: reader, with: context)
      }
    case .explanation(let options, let isCount):
      let groups = try options.map { options throws(DataError) in try options.query(of: selection) }
      _ = try groups?.columns(in: selection.stored.catalog)
      var query = selection.query()
      query.isCounted = isCount
      let explanation = QueryExplanation(
        selection, groups, isCount: isCount, by: try await reader.explain(query))
      try context.console.output.write(explanation.text(as: format))
    }
  }

  private func print(count: Int, on console: Console) throws(DataError) {
    try console.output.write(format == .json ? "{\"count\":\(count)}\n" : "\(count)\n")
  }
}
