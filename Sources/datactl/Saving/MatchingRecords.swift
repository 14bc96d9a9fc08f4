import DataClient
import DataModel
import DataStore
import DataText

/// The records that meet a condition, and the assignments that change them.
struct MatchingRecords {
  let question: CheckedQuestion
  let assignments: [String]
  let isConfirmed: Bool

  /// The maximum number of attempts. A retry follows only a conflict, so each one means that
  /// another writer made progress.
  private static let mostRounds = 100

  /// Changes all records that meet the condition, or none.
  ///
  /// After a conflict with another writer, retries with the records that meet the condition then,
  /// unless the user was asked to confirm a number of records.
  func save(with saving: RecordSaving) async throws {
    for _ in 1..<Self.mostRounds where isConfirmed && saving.options.commitEvery == nil {
      do {
        return try await saveOnce(with: saving)
      } catch let error as DataError where error.code == .changed {
        try saving.invocation.console.checkInterruption()
      }
    }
    try await saveOnce(with: saving)
  }

  /// Finds the records, prompts for confirmation, and changes them all or none.
  private func saveOnce(with saving: RecordSaving) async throws {
    let line = try LineRecord(
      id: nil, assignments, of: question.schema, with: saving.invocation)
    guard !line.namesRecord else {
      let key = question.schema.key.name
      throw DataError(
        .usage, "\(key): --where selects the records to change, and an id never changes",
        hint: "remove \(key), or pass the id of one record instead of --where")
    }
    let found = try await FoundRecords(question, in: saving.client.store)
    if found.count > 0, !isConfirmed {
      try saving.invocation.confirm(
        "change \(found.count.counted("record")) of \(question.schema.name)", in: saving.client,
        declined: "nothing was changed")
    }
    do {
      try await saving.save(
        ChangedRecords(
          try found.lines(), line, of: question.schema, roundsTimes: saving.options.roundsTimes,
          on: saving.invocation.console))
    } catch let error as DataError {
      throw error.changing { problem in
        guard problem.field != nil, let id = problem.id else { return }
        problem.message += ", in \(Excerpt.quoted(id))"
      }
    }
  }
}

/// The ids and revisions of the records found, in a temporary file, since their number is
/// unbounded.
private struct FoundRecords {
  private(set) var count = 0
  private let file: NamelessFile

  init(_ question: CheckedQuestion, in store: any DataStore) async throws {
    file = try NamelessFile()
    let schema = question.schema
    let revision = schema.slot(.revision)
    let stream = try await store.records(question.query(slots: [schema.keySlot, revision]))
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

  /// Returns a line for each record: its revision, a space and its id, which has no control
  /// characters.
  func lines() throws(DataError) -> InputStream.Lines {
    try file.input().lines(longest: IDs.limit + 20)
  }
}

/// The changes to the records found.
///
/// A record changed since then is a conflict, so that only confirmed records are changed.
private struct ChangedRecords: ChangesSource {
  private static let mostInBatch = 1_024

  private var found: InputStream.Lines
  private let line: LineRecord
  private let schema: Schema
  private let roundsTimes: Bool
  private let console: Console

  init(
    _ found: InputStream.Lines, _ line: LineRecord, of schema: Schema, roundsTimes: Bool,
    on console: Console
  ) {
    self.found = found
    self.line = line
    self.schema = schema
    self.roundsTimes = roundsTimes
    self.console = console
  }

  let rejected: [Rejection] = []
  var bytesRead: Int { 0 }

  mutating func next(
    reusing memory: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    try console.checkInterruption()
    var changes = memory
    if roundsTimes { changes = Changes(for: schema, roundsTimes: true) }
    changes.removeAll()
    while changes.count < Self.mostInBatch, let words = try found.next() {
      guard let space = words.utf8.firstIndex(of: UInt8(ascii: " ")) else { continue }
      try line.add(
        to: &changes, id: String(words[words.utf8.index(after: space)...]),
        revision: String(words[..<space]))
    }
    return changes.count > 0 ? changes : nil
  }

  func placed(_ problem: Problem) -> Problem {
    var placed = problem
    placed.line = nil
    return placed
  }
}
