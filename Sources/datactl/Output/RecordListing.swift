import ClientCore
import DataModel
import DataStore
import DataText

/// Prints the records that a query selects, as they are fetched.
struct RecordListing {
  let checkedQuery: CheckedQuery
  let bound: Query.Bound?
  let fields: FieldChoice
  let expansion: Expansion
  let format: OutputFormat?
  let includesFiles: Bool
  let reader: any StoreReader

  func print(with context: CommandContext) async throws {
    let console = context.console
    var page = Page(checkedQuery, at: bound)
    var query = checkedQuery.query(slots: fields.slots, joinedFields: fields.joinedFields)
    query.bound = bound
    if format == .page { query = page.query(query) }
    var printer = RecordPrinter(
      fields.columns, format: format, defaultFormat: .table, cardinality: .several,
      files: includesFiles ? .inserted : .left, on: console,
      rowLimit: query.limit == nil ? .onTerminal : .never)
    let stream = try await reader.records(query)
    // Print nothing until the store has returned the first chunk, so that an error leaves no
    // output.
    var hasStarted = false
    // A second reference would prevent reusing the memory of a chunk.
    var memory: Rows?
    while !printer.hasMore,
      let rows = try await stream.next(reusing: memory.take() ?? Rows(width: query.width))
    {
      try console.checkInterruption()
      if !hasStarted { try console.output.append { printer.begin(to: &$0) } }
      hasStarted = true
      let count = format == .page ? try page.take(rows, of: query) : rows.count
      for (slot, records) in try await expansion.records(for: rows, from: reader) {
        printer.expand(slot, into: records)
      }
      if includesFiles {
        for row in 0..<count { try await write(rows, row, &printer, on: console.output) }
      } else {
        try console.output.append { printer.write(rows, 0..<count, to: &$0) }
      }
      if console.output.isTerminal { try console.output.flush() }
      memory = rows
    }
    let tokens = format == .page ? try await page.tokens(from: reader) : PageTokens()
    if !hasStarted { try console.output.append { printer.begin(to: &$0) } }
    try console.output.append { printer.end(tokens, to: &$0) }
    if printer.hasMore {
      try console.output.flush()
      try context.printMessage("\(RecordPrinter.truncationMessage) Pass --limit N to print more.")
    }
  }

  /// Writes one record, with the contents of its files inserted in base64.
  private func write(
    _ rows: Rows, _ row: Int, _ printer: inout RecordPrinter, on output: OutputStream
  ) async throws {
    var text: [UInt8] = []
    printer.write(rows, CollectionOfOne(row), to: &text)
    let id = rows.text(rows[row, checkedQuery.schema.keySlot])
    var start = 0
    for insertion in printer.takeInsertions() {
      try output.write(text.span.extracting(start..<insertion.offset))
      start = insertion.offset
      guard
        let content = try await reader.content(of: insertion.slot, id: id, in: checkedQuery.schema)
      else { continue }
      var encoder = Base64.Encoder()
      while let piece = try await content.next() {
        try output.append { encoder.append(piece.span, to: &$0) }
      }
      try output.append { encoder.finish(to: &$0) }
    }
    try output.write(text.span.extracting(start..<text.count))
  }
}
