import ClientCore
import DataModel
import DataStore
import DataText

/// Prints records in sections, by the first letter of a field.
///
/// Sections are sorted by title, which is not the order of the records, so the text of each section
/// is buffered until all records have been fetched.
struct SectionListing {
  private struct Section {
    var count = 0
    var printer: RecordPrinter
    var spool = Spool()
  }

  private let query: Query
  private let fields: FieldChoice
  private let expansion: Expansion
  private let format: OutputFormat?
  /// The index of the cell that determines the section.
  private let titleCell: Int
  private let isDescending: Bool

  /// Returns whether a format can show sections.
  static func supports(_ format: OutputFormat?) -> Bool {
    switch format {
    case nil, .json, .ndjson, .table, OutputFormat.none?: true
    case .csv, .ids, .page: false
    }
  }

  init(
    _ checkedQuery: CheckedQuery, by field: String, fields: FieldChoice, expansion: Expansion,
    format: OutputFormat?
  ) throws(DataError) {
    let schema = checkedQuery.schema
    let (resolvedPath, path) = try checkedQuery.stored.catalog.section(
      by: FieldPath(dotted: field), of: schema)
    var query = checkedQuery.query(slots: fields.slots, joinedFields: fields.joinedFields)
    if resolvedPath.hops.isEmpty, resolvedPath.part == .whole {
      query.slots.append(resolvedPath.slot)
      titleCell = resolvedPath.slot
    } else {
      titleCell = query.width
      query.joinedFields.append(path)
    }
    self.query = query
    self.fields = fields
    self.expansion = expansion
    self.format = format
    isDescending = checkedQuery.order.contains { $0.field == path.description && $0.isDescending }
  }

  func print(from reader: any StoreReader, with context: CommandContext) async throws {
    let console = context.console
    let form = format ?? (console.output.isTerminal ? .table : .ndjson)
    var sections: [String: Section] = [:]
    let stream = try await reader.records(query)
    var memory = Rows(width: query.width)
    while let rows = try await stream.next(reusing: memory) {
      try console.checkInterruption()
      let expanded = try await expansion.records(for: rows, from: reader)
      for row in 0..<rows.count {
        let title = SectionTitle.of(rows.value(rows[row, titleCell], of: .text))
        var section = try sections.removeValue(forKey: title) ?? makeSection(form, on: console)
        for (slot, records) in expanded { section.printer.expand(slot, into: records) }
        section.count += 1
        try section.spool.append { section.printer.write(rows, CollectionOfOne(row), to: &$0) }
        sections[title] = section
      }
      memory = rows
    }
    let titles = SectionTitle.sorted(sections.keys, descending: isDescending)
    var output = SectionOutput(form, on: console)
    for title in titles {
      guard var section = sections.removeValue(forKey: title) else { continue }
      try output.begin(title, count: section.count)
      try section.spool.append { section.printer.end(to: &$0) }
      try section.spool.print(on: console.output)
      try output.end()
    }
    try output.finish(titles)
  }

  private func makeSection(_ form: OutputFormat, on console: Console) throws(DataError) -> Section {
    var section = Section(
      printer: RecordPrinter(
        fields.columns, format: form, defaultFormat: .table, cardinality: .several, on: console))
    try section.spool.append { section.printer.begin(to: &$0) }
    return section
  }
}

/// Writes the text around the records of sections.
struct SectionOutput {
  private let form: OutputFormat
  private let console: Console
  private var count = 0

  init(_ form: OutputFormat, on console: Console) {
    self.form = form
    self.console = console
  }

  /// Writes the start of a section.
  mutating func begin(_ title: String, count: Int) throws(DataError) {
    let isFirst = self.count == 0
    self.count += 1
    switch form {
    case .json:
      let head = isFirst ? "{\"sections\":[\n" : ",\n"
      try console.output.write("\(head){\"title\":\"\(title)\",\"count\":\(count),\"records\":")
    case .ndjson:
      try console.output.write("{\"section\":\"\(title)\",\"count\":\(count)}\n")
    case .table:
      try console.output.write("\(isFirst ? "" : "\n")\(title) (\(count.grouped))\n")
    case .csv, .ids, .none, .page: break
    }
  }

  /// Writes the end of a section.
  func end() throws(DataError) {
    switch form {
    case .json: try console.output.write("}")
    case .ndjson, .table, .csv, .ids, .none, .page: break
    }
  }

  /// Writes the end of the output, after the last section.
  func finish(_ titles: [String]) throws(DataError) {
    guard form == .json else { return }
    let list = titles.map { "\"\($0)\"" }.joined(separator: ",")
    let index = titles.count > 1 ? "[\(list)]" : "null"
    let head = titles.isEmpty ? "{\"sections\":[]" : "\n]"
    try console.output.write("\(head),\"index\":\(index)}\n")
  }
}
