package import DataModel
package import DataOutput
package import DataStore
package import RecordText

/// Prints records in sections. There is one section for each first letter of the values of a field.
///
/// The sections are sorted by title, but the records are fetched in a different order. So the
/// output of each section is buffered until all records have been fetched.
package struct SectionListing {
  private struct Section {
    var count = 0
    var printer: RecordPrinter
    var spool = Spool()
  }

  private let query: Query
  private let fields: FieldChoice
  private let expansion: Expansion
  private let format: OutputFormat?
  private let numbers: RecordWriter.NumberStyle
  /// The index of the cell whose value determines the section of a row.
  private let titleCell: Int
  private let isDescending: Bool

  /// Returns whether an output format can show sections. Formats such as CSV cannot.
  package static func supports(_ format: OutputFormat?) -> Bool {
    switch format {
    case nil, .json, .ndjson, .table, OutputFormat.none?: true
    case .csv, .tsv, .md, .xml, .ids, .lines, .page, .diff: false
    }
  }

  package init(
    _ query: Query, in catalog: Catalog, by field: String, fields: FieldChoice,
    expansion: Expansion, format: OutputFormat?, numbers: RecordWriter.NumberStyle
  ) throws(DataError) {
    let (resolvedPath, path) = try catalog.section(by: FieldPath(dotted: field), of: query.schema)
    var query = fields.selected(by: query)
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
    self.numbers = numbers
    isDescending = query.order.contains { $0.field == path.description && $0.isDescending }
  }

  package func print(
    from reader: any StoreReader, to output: AnswerOutput
  ) async throws(DataError) {
    let form = format ?? (output.terminal == nil ? .ndjson : .table)
    var sections: [String: Section] = [:]
    let stream = try await reader.records(query)
    var memory = Rows(width: query.width)
    while let rows = try await stream.next(reusing: memory) {
      try await output.prepareForChunk()
      var ranges = expansion.ranges(of: rows, upTo: rows.count)
      while let related = try await ranges.next(of: rows, from: reader) {
        for row in related.range {
          let title = SectionTitle.of(rows.value(rows[row, titleCell], of: .text))
          // `??` is not used, because it would throw errors of any type instead of a `DataError`.
          var section =
            if let section = sections.removeValue(forKey: title) {
              section
            } else {
              try makeSection(form, on: output.terminal)
            }
          section.count += 1
          for row in section.printer.expand(related.only(row), of: rows) {
            try section.spool.append { section.printer.write(rows, row..<row + 1, to: &$0) }
          }
          sections[title] = section
        }
      }
      memory = rows
    }
    let titles = SectionTitle.sorted(sections.keys, descending: isDescending)
    var frame = SectionFrame(form, to: output.sink)
    var damage: DataError?
    for title in titles {
      guard var section = sections.removeValue(forKey: title) else { continue }
      try frame.begin(title, count: section.count)
      try section.spool.append { section.printer.end(to: &$0) }
      try section.spool.print(to: output)
      try frame.end()
      for problem in section.printer.damage?.problems ?? [] { damage.add(problem) }
    }
    try frame.finish(titles)
    if let damage { throw damage }
  }

  private func makeSection(
    _ form: OutputFormat, on terminal: TerminalStyle?
  ) throws(DataError) -> Section {
    var section = Section(
      printer: RecordPrinter(
        fields.columns, of: query.schema, format: form, defaultFormat: .table,
        cardinality: .several, on: terminal, numbers: numbers))
    try section.spool.append { section.printer.begin(to: &$0) }
    return section
  }
}

/// Writes the output around the records of sections: the title of each section, the number of its
/// records and, in JSON, the objects that contain the records.
private struct SectionFrame {
  private let form: OutputFormat
  private let sink: any ByteSink
  private var count = 0

  init(_ form: OutputFormat, to sink: any ByteSink) {
    self.form = form
    self.sink = sink
  }

  /// Writes the text that precedes the records of a section.
  mutating func begin(_ title: String, count: Int) throws(DataError) {
    let isFirst = self.count == 0
    self.count += 1
    switch form {
    case .json:
      let head = isFirst ? "{\"sections\":[\n" : ",\n"
      try sink.write("\(head){\"title\":\"\(title)\",\"count\":\(count),\"records\":")
    case .ndjson:
      try sink.write("{\"section\":\"\(title)\",\"count\":\(count)}\n")
    case .table:
      try sink.write("\(isFirst ? "" : "\n")\(title) (\(count.grouped))\n")
    case .csv, .tsv, .md, .xml, .ids, .lines, .none, .page, .diff: break
    }
  }

  /// Writes the text that follows the records of a section.
  func end() throws(DataError) {
    switch form {
    case .json: try sink.write("}")
    case .ndjson, .table, .csv, .tsv, .md, .xml, .ids, .lines, .none, .page, .diff: break
    }
  }

  /// Writes the end of the output, which follows the last section. In JSON, it includes the titles
  /// of the sections.
  func finish(_ titles: [String]) throws(DataError) {
    guard form == .json else { return }
    let list = titles.map { "\"\($0)\"" }.joined(separator: ",")
    let index = titles.count > 1 ? "[\(list)]" : "null"
    let head = titles.isEmpty ? "{\"sections\":[]" : "\n]"
    try sink.write("\(head),\"index\":\(index)}\n")
  }
}
