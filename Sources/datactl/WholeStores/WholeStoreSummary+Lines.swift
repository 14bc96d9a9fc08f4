import ClientCore
import DataModel
import DataOutput
import RecordText
import Synchronization

extension WholeStoreSummary {
  /// The lines that a command prints on stderr.
  ///
  /// - Parameter verb: What was done with the records, such as `dumped`.
  func lines(_ verb: String) -> [String] {
    var lines = ["\(records.counted("record")) of \(schemas.counted("schema")) \(verb)"]
    if !addedSchemas.isEmpty {
      lines.append(
        "Also \(verb), because the chosen schemas need them: "
          + addedSchemas.joined(separator: ", "))
    }
    if !omittedFunctions.isEmpty {
      lines.append(
        "Functions left out, because they use other schemas: "
          + omittedFunctions.joined(separator: ", "))
    }
    if usersWithoutPassword > 0 {
      let verb = usersWithoutPassword == 1 ? "needs" : "need"
      lines.append("\(usersWithoutPassword.counted("user")) \(verb) a new password")
    }
    return lines
  }

  /// Prints a line for each schema, and one for the functions.
  func print(to output: AnswerOutput, as format: OutputFormat?) throws(DataError) {
    let columns: [RecordWriter.Column] = [
      RecordWriter.Column("schema", .text, slot: 0),
      RecordWriter.Column("records", .integer, slot: 1),
      RecordWriter.Column("files", .integer, slot: 2),
      RecordWriter.Column("digest", .text, slot: 3),
    ]
    var rows = Rows(width: columns.count)
    for digest in digests + [functions].compactMap(\.self) {
      rows.addRow()
      let values: [Value] = [
        .text(digest.schema), .integer(Int64(digest.records)), .integer(Int64(digest.files)),
        .text(digest.sha256),
      ]
      for (slot, value) in values.enumerated() {
        rows[rows.count - 1, slot] = rows.cell(for: value)
      }
    }
    var printer = RecordPrinter(
      columns, of: nil, format: format, defaultFormat: .table, cardinality: .several,
      on: output.terminal, numbers: .number)
    try output.sink.append { bytes in
      printer.begin(to: &bytes)
      printer.write(rows, 0..<rows.count, to: &bytes)
      printer.end(to: &bytes)
    }
  }
}

extension CommandContext {
  /// Calls the body with a monitor that shows how many records have been read, and that throws an
  /// error if the program must stop.
  func showingProgress<Result>(
    _ body: (@escaping StoreWalk.Monitor) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let progress = isQuiet ? nil : Progress(on: console, total: nil)
    defer { progress?.end() }
    let count = Atomic(0)
    return try await body { [console] records throws(DataError) in
      try console.checkInterruption()
      progress?.show(
        records: count.add(records, ordering: .relaxed).newValue, bytes: 0)
    }
  }
  /// Calls the body, which reads the whole store of a client, and shows its progress. An error of a
  /// store on a server says how to log in.
  func reading<Result>(
    _ client: Client, _ body: (@escaping StoreWalk.Monitor) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    do throws(DataError) {
      return try await showingProgress(body)
    } catch {
      throw remoteClient(of: client.choice)?.error(error) ?? error
    }
  }
}
