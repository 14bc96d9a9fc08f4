package import DataModel
package import DataOutput
package import DataStore
import JSONText
package import RecordText

/// Prints the records that a query selects. The records are printed while further ones are being
/// fetched.
package struct RecordListing {
  private let query: Query
  private let catalog: Catalog
  private let bound: Query.Bound?
  private let fields: FieldChoice
  private let expansion: Expansion
  private let format: OutputFormat?
  private let includesFiles: Bool
  private let map: MapOutput?
  private let numbers: RecordWriter.NumberStyle
  private let token: (Query.Cursor) -> String

  /// Creates a listing of the records of a query.
  ///
  /// - Parameters:
  ///   - query: The query. Its `bound` must be nil.
  ///   - catalog: The schemas of the store.
  ///   - bound: The cursor that the records must follow or precede, or nil to print all records.
  ///   - fields: The fields to print.
  ///   - expansion: The relations whose related records are printed in place of the ids.
  ///   - format: The output format, or nil for the default format.
  ///   - includesFiles: Whether to print the contents of files, in base64.
  ///   - map: The map to apply to the printed records, or nil.
  ///   - numbers: How numbers are written in JSON.
  ///   - token: A closure that returns the page token for a cursor.
  package init(
    _ query: Query, in catalog: Catalog, at bound: Query.Bound?, fields: FieldChoice,
    expansion: Expansion, format: OutputFormat?, includesFiles: Bool,
    map: MapOutput? = nil, numbers: RecordWriter.NumberStyle,
    token: @escaping (Query.Cursor) -> String
  ) {
    self.query = query
    self.catalog = catalog
    self.bound = bound
    self.fields = fields
    self.expansion = expansion
    self.format = format
    self.includesFiles = includesFiles
    self.map = map
    self.numbers = numbers
    self.token = token
  }

  /// Prints the records. Returns whether records were omitted because a table reached its maximum
  /// number of rows.
  package func print(
    from reader: any StoreReader, to output: AnswerOutput
  ) async throws(DataError) -> Bool {
    let sink = output.sink
    var page = Page(query, in: catalog, at: bound, token: token)
    var query = fields.selected(by: query)
    query.bound = bound
    if format == .page { query = try page.query(query) }
    var printer = RecordPrinter(
      fields.columns, of: query.schema, format: format, defaultFormat: .table,
      cardinality: .several,
      files: includesFiles ? .inserted : .left, on: output.terminal,
      rowLimit: query.limit == nil ? .ofRequested : .never, map: map, numbers: numbers)
    if !expansion.schemas.isEmpty {
      try await reader.prepare(toRead: [query.schema] + expansion.schemas)
    }
    let stream = try await reader.records(try await reader.nearby(query))
    // Nothing is printed until the store has returned the first chunk. If it throws an error
    // instead, there is no output.
    var hasStarted = false
    // No other variable refers to these rows, so that their memory can be reused without a copy.
    var memory: Rows?
    while !printer.hasMore {
      let chunk: Rows?
      do throws(DataError) {
        chunk = try await stream.next(reusing: memory.take() ?? Rows(width: query.width))
      } catch {
        // If a stored value is invalid, the records before it are printed as valid output.
        if hasStarted, error.code == .storeDamaged { try sink.append { printer.end(to: &$0) } }
        throw error
      }
      guard let rows = chunk else { break }
      try await output.prepareForChunk()
      if !hasStarted { try sink.append { printer.begin(to: &$0) } }
      hasStarted = true
      let count = format == .page ? try page.take(rows, of: query) : rows.count
      var ranges = expansion.ranges(of: rows, upTo: count)
      while let related = try await ranges.next(of: rows, from: reader) {
        if includesFiles {
          for row in printer.expand(related, of: rows) {
            try await write(rows, row, &printer, from: reader, to: sink)
          }
        } else {
          try printer.write(rows, related, to: sink)
        }
        try await output.prepareForChunk()
      }
      if output.terminal != nil { try sink.flush() }
      memory = rows
    }
    let tokens = format == .page ? try await page.tokens(from: reader) : PageTokens()
    if !hasStarted { try sink.append { printer.begin(to: &$0) } }
    try sink.append { printer.end(tokens, to: &$0) }
    if let damage = printer.damage { throw damage }
    return printer.hasMore
  }

  /// Writes one record, including the contents of its files in base64.
  private func write(
    _ rows: Rows, _ row: Int, _ printer: inout RecordPrinter, from reader: any StoreReader,
    to sink: any ByteSink
  ) async throws(DataError) {
    var text: [UInt8] = []
    printer.write(rows, row..<row + 1, to: &text)
    if text.isEmpty { return }
    let id = rows.text(rows[row, query.schema.keySlot])
    var start = 0
    for insertion in printer.takeInsertions() {
      try sink.write(text.span.extracting(start..<insertion.offset))
      start = insertion.offset
      guard
        let content = try await reader.content(of: insertion.slot, id: id, in: query.schema)
      else { continue }
      var encoder = Base64.Encoder()
      while let piece = try await content.next() {
        try sink.append { encoder.append(piece.span, to: &$0) }
      }
      try sink.append { encoder.finish(to: &$0) }
    }
    try sink.write(text.span.extracting(start..<text.count))
  }
}
