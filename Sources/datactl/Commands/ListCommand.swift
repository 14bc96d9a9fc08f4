import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl list`: prints the records of a schema, those that meet conditions, or aggregates of
/// them.
struct ListCommand: Command {
  /// The kind of output.
  enum Answer: Sendable {
    case records(RecordWords)
    case count
    case groups(GroupWords)
    /// The query plan for records, or for groups of them.
    case explanation(GroupWords?, isCount: Bool)
  }

  let question: Question
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
    ListInputs.sums("--sum", of: .adding, "Print the sum of these fields, for each group."),
    ListInputs.sums("--avg", of: .adding, "Print the average of these fields."),
    ListInputs.sums("--min", of: .order, "Print the minimum of these fields."),
    ListInputs.sums("--max", of: .order, "Print the maximum of these fields."),
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
      .done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted, .readerGone,
      .terminated,
    ],
    seeAlso: ["get", "conditions", "functions", "formats"]
  ) {
    schema, equalities, function, conditions, parameters, order, limit, after, before, fields,
    expansion, count, distinct, keys, sums, averages, least, greatest, section, explains, files,
    format throws(UsageError) in
    if let order, order.isEmpty { throw UsageError("--order: the field name is missing") }
    let sums =
      sums.map(GroupSum.sum) + averages.map(GroupSum.average)
      + least.map(GroupSum.least) + greatest.map(GroupSum.greatest)
    let groups = GroupWords(
      distinct: distinct, keys: keys?.fieldNames ?? [], sums: sums, order: order,
      isCounted: count)
    let question = Question(
      schema ?? "", equalities: equalities, conditions: conditions, parameters: parameters,
      order: groups.isAsked ? "" : order ?? "", limit: limit, function: function)
    if count, !question.order.isEmpty {
      throw UsageError("--count and --order cannot be used together")
    }
    let records = RecordWords(
      bound: after.map(RecordWords.Bound.after) ?? before.map(RecordWords.Bound.before),
      fields: fields, expansion: expansion, section: section, includesFiles: files)
    let answer: Answer =
      explains
      ? .explanation(groups.isAsked ? groups : nil, isCount: count && !groups.isAsked)
      : groups.isAsked ? .groups(groups) : count ? .count : .records(records)
    try ListInputs.check(answer, records, format)
    return ListCommand(question: question, answer: answer, format: format)
  }
}

extension ListCommand {
  func run(with invocation: Invocation) async throws {
    try await invocation.answer { try await print(with: invocation) }
  }

  private func print(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .reading)
    let reader = try await client.store.snapshot()
    let question = try await client.check(question, from: reader)
    for warning in question.warnings { try invocation.say(warning) }
    switch answer {
    case .records(let words):
      try await words.print(question, as: format, from: reader, with: invocation)
    case .count:
      let count = try await reader.count(question.query(slots: [question.schema.keySlot]))
      try print(count: count, on: invocation.console)
    case .groups(let words):
      let query = try words.query(of: question)
      let listing = try GroupListing(
        query, in: question.stored.catalog, distinct: words.distinct != nil, format: format)
      if words.countsValues {
        try print(count: try await listing.count(from: reader), on: invocation.console)
      } else {
        try await listing.print(from: reader, with: invocation)
      }
    case .explanation(let words, let isCount):
      let groups = try words.map { words throws(DataError) in try words.query(of: question) }
      _ = try groups?.columns(in: question.stored.catalog)
      var query = question.query()
      query.isCounted = isCount
      let explanation = QuestionExplanation(
        question, groups, isCount: isCount, by: try await reader.explain(query))
      try invocation.console.output.write(explanation.text(as: format))
    }
  }

  private func print(count: Int, on console: Console) throws(DataError) {
    try console.output.write(format == .json ? "{\"count\":\(count)}\n" : "\(count)\n")
  }
}
