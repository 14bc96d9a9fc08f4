import ClientCore
import DataModel
import DataOutput
import DataStore
import Platform
import RecordText

/// The records that match a condition, and the assignments to apply to each record.
struct MatchingRecords {
  let selection: CheckedQuery
  let assignments: [String]
  let isConfirmed: Bool

  /// The maximum number of attempts. It is high, because an attempt fails only if another program
  /// has changed one of the records meanwhile. It is limited, so that the command ends even if
  /// other programs never stop changing them.
  private static let maxAttempts = 100

  /// Changes all records that match the condition, or none of them.
  ///
  /// After a conflict with another writer, finds the records again and retries. In two cases,
  /// throws the conflict as an error instead:
  /// - The user has confirmed the number of records at a prompt. A retry might change a different
  ///   number.
  /// - `--commit-every` was given. Some changes may already be committed.
  func save(with saver: RecordSaver) async throws {
    for _ in 1..<Self.maxAttempts where isConfirmed && saver.options.commitEvery == nil {
      do {
        return try await saveOnce(with: saver)
      } catch let error as DataError where error.code == .changed {
        try saver.context.console.checkInterruption()
      }
    }
    try await saveOnce(with: saver)
  }

  /// Makes one attempt to save: finds the matching records, prompts for confirmation if needed, and
  /// changes the records.
  private func saveOnce(with saver: RecordSaver) async throws {
    let line = try CommandLineRecord(
      id: nil, assignments, of: selection.schema, with: saver.context)
    guard !line.setsPrimaryKey else {
      let key = selection.schema.key.name
      throw DataError(
        .usage, "\(key): --where selects the records to change, and their ids cannot be changed",
        hint: "remove \(key), or pass the id of one record instead of --where")
    }
    let found = try await saver.context.change(orSay: "nothing was saved") {
      try await FoundRecords(selection, in: saver.client.store)
    }
    if found.count > 0, !isConfirmed {
      try saver.context.confirm(
        "change \(found.count.counted("record")) of \(selection.schema.name)", in: saver.client,
        declined: "nothing was changed")
    }
    do {
      try await saver.save(
        ChangedRecords(
          try found.lines(), line, of: selection.schema, conversions: saver.options.conversions,
          on: saver.context.console))
    } catch let error as DataError {
      throw error.modifyingProblems { problem in
        guard problem.field != nil, let id = problem.id else { return }
        problem.message += ", in \(Excerpt.quoted(id))"
      }
    }
  }
}

/// The ids and revisions of the records that match the condition. They are kept in a temporary
/// file, because their number is not limited.
private struct FoundRecords {
  private(set) var count = 0
  private let file: AnonymousTempFile

  init(_ selection: CheckedQuery, in store: any Store) async throws {
    file = try AnonymousTempFile()
    let schema = selection.schema
    let revision = schema.slot(.revision)
    let stream = try await store.records(selection.query(slots: [schema.keySlot, revision]))
    var memory = Rows(width: schema.width)
    var lines: [UInt8] = []
    while let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count {
        lines += "\(rows[row, revision].integer) \(rows.text(rows[row, schema.keySlot]))\n".utf8
      }
      try file.write(lines.span)
      lines.removeAll(keepingCapacity: true)
      count += rows.count
      memory = rows
    }
  }

  /// Returns one line for each record. It contains the revision, a space and the id. Ids contain no
  /// control characters, and therefore no newlines.
  func lines() throws(DataError) -> InputStream.Lines {
    try file.input().lines(longest: IDs.limit + 20)
  }
}

/// The changes to the records that were found, read in chunks.
///
/// Each change includes the revision that the record had when it was found. If the record has
/// changed since then, saving the change causes a conflict.
private struct ChangedRecords: ChunkSource {
  private static let maxChunkSize = 1_024

  private var found: InputStream.Lines
  private let line: CommandLineRecord
  private let schema: Schema
  private let conversions: ValueConversions
  private let console: Console

  init(
    _ found: InputStream.Lines, _ line: CommandLineRecord, of schema: Schema,
    conversions: ValueConversions, on console: Console
  ) {
    self.found = found
    self.line = line
    self.schema = schema
    self.conversions = conversions
    self.console = console
  }

  let rejected: [Rejection] = []
  var bytesRead: Int { 0 }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try console.checkInterruption()
    var changes = memory
    if changes.conversions != conversions {
      changes = RowChanges(for: schema, conversions: conversions)
    }
    changes.removeAll()
    while changes.count < Self.maxChunkSize, let text = try found.next() {
      guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { continue }
      try line.add(
        to: &changes, id: String(text[text.utf8.index(after: space)...]),
        revision: String(text[..<space]))
    }
    return changes.count > 0 ? changes : nil
  }

  var locator: InputLocator { .withoutLines }
}
