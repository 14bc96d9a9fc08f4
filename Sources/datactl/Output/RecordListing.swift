import DataModel
import DataStore
import DataText

/// Prints the answer to a query as it is found.
struct RecordListing {
  private let query: Query
  private let store: any DataStore
  private let format: OutputFormat?
  private let includesFiles: Bool

  init(_ query: Query, of store: any DataStore, format: OutputFormat?, includesFiles: Bool) {
    self.query = query
    self.store = store
    self.format = format
    self.includesFiles = includesFiles
  }

  func print(with invocation: Invocation) async throws {
    let console = invocation.console
    var printer = RecordPrinter(
      query.schema, slots: query.slots, format: format, habit: .table, number: .several,
      files: includesFiles ? .inserted : .left, on: console,
      stopping: query.limit == nil ? .onTerminal : .never)
    try console.output.append { printer.begin(to: &$0) }
    let stream = try await store.records(query)
    // Held twice, the memory of a batch would not be used again.
    var memory: Rows?
    while !printer.hasMore,
      let rows = try await stream.next(
        reusing: memory.take() ?? Rows(width: query.schema.width))
    {
      try console.checkInterruption()
      if includesFiles {
        for row in 0..<rows.count { try await write(rows, row, &printer, on: console.output) }
      } else {
        try console.output.append { printer.write(rows, 0..<rows.count, to: &$0) }
      }
      if console.output.isTerminal { try console.output.flush() }
      memory = rows
    }
    try console.output.append { printer.end(to: &$0) }
    if printer.hasMore {
      try console.output.flush()
      try invocation.say("\(RecordPrinter.moreWords) --limit N prints as many as you like.")
    }
  }

  /// Writes one record, with the bytes of its files where they belong.
  private func write(
    _ rows: Rows, _ row: Int, _ printer: inout RecordPrinter, on output: OutputStream
  ) async throws {
    var text: [UInt8] = []
    printer.write(rows, CollectionOfOne(row), to: &text)
    let id = rows.text(rows[row, query.schema.keySlot])
    var start = 0
    for insertion in printer.takeInsertions() {
      try output.write(text.span.extracting(start..<insertion.offset))
      start = insertion.offset
      guard
        let content = try await store.content(of: insertion.slot, id: id, in: query.schema)
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
