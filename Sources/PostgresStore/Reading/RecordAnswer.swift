import DataModel
import DataStore

/// The records of a query, or what is said of groups, cursor after cursor: so that several answers
/// can be read side by side, and none is ever in memory as a whole.
final class RecordAnswer {
  /// How many rows make a batch at the most.
  private static let greatestCount: Int64 = 4_096
  /// How many bytes make a batch, about.
  private static let most = 256 << 10

  private let statements: [SQL]
  private let isBackwards: Bool
  private let reader: RowReader
  private let connection: Connection
  private let groups: GroupAnswering?
  private let name: String
  private var place = 0
  private var isOpen = false
  /// How many rows are fetched next: few at first, since somebody waits for the first.
  private var size: Int64 = 64
  /// How many records may still come.
  private var rest: Int?
  /// What was read backwards, as long as not all of it is given.
  private var turned: [Rows]?

  init(_ answering: Answering, limit: Int?, number: Int, on connection: Connection) {
    statements = (0..<answering.count).map { answering.statement($0, limit: limit) }
    isBackwards = answering.isBackwards
    reader = RowReader(answering.selection, store: connection.store)
    groups = nil
    rest = limit
    name = "_answer_\(number)"
    self.connection = connection
  }

  init(_ answering: GroupAnswering, number: Int, on connection: Connection) {
    statements = [answering.statement]
    isBackwards = false
    reader = RowReader(answering.selection, store: connection.store)
    groups = answering
    name = "_answer_\(number)"
    self.connection = connection
  }

  func next(reusing rows: consuming Rows) throws(DataError) -> Rows? {
    guard isBackwards else { return try read(reusing: rows) }
    if turned == nil {
      var batches: [Rows] = []
      while let batch = try read(reusing: Rows(width: reader.width)) {
        batches.append(batch.turned())
      }
      turned = batches
    }
    return turned?.popLast()
  }

  private func read(reusing rows: consuming Rows) throws(DataError) -> Rows? {
    var batch = rows
    if batch.width != reader.width { batch = Rows(width: reader.width) }
    batch.removeAll()
    while batch.count == 0, place < statements.count, rest ?? 1 > 0 {
      if !isOpen {
        connection.later("declare \(name: name) no scroll cursor for \(statements[place])")
        isOpen = true
      }
      let wanted = min(size, Int64(rest ?? .max))
      let answer = try fetch(wanted)
      for row in 0..<answer.count { try read(row, of: answer, into: &batch) }
      rest = rest.map { $0 - answer.count }
      if answer.count < wanted {
        connection.later("close \(name: name)")
        isOpen = false
        place += 1
      }
      grow(after: batch)
    }
    return batch.count > 0 ? batch : nil
  }

  private func fetch(_ count: Int64) throws(DataError) -> Answer {
    do throws(DataError) {
      return try connection.run("fetch \(number: count) from \(name: name)")
    } catch {
      if connection.failure == .outOfRange, let error = tooLargeSum(ofNumbers: true) { throw error }
      throw error
    }
  }

  private func read(_ row: Int, of answer: Answer, into batch: inout Rows) throws(DataError) {
    do throws(DataError) {
      try reader.read(row, of: answer, into: &batch)
    } catch {
      throw error.problems[0].message == RowReader.tooLarge
        ? tooLargeSum(ofNumbers: false) ?? error : error
    }
  }

  /// The error of a sum that is beyond what its column can hold.
  private func tooLargeSum(ofNumbers: Bool) -> DataError? {
    guard let groups else { return nil }
    let column = groups.columns.first { column in
      switch column.source {
      case .sum: (column.type == .number) == ofNumbers
      case .average: ofNumbers
      case .key, .count, .least, .greatest: false
      }
    }
    return column.map { .sumTooLarge($0, of: groups.schema) }
  }

  /// Fetches as many next as make a batch of the size that is best.
  private func grow(after batch: borrowing Rows) {
    guard batch.count > 0 else { return }
    let bytes = max(1, (batch.arena.count + batch.cells.count * 8) / batch.count)
    size = min(size * 2, Self.greatestCount, max(16, Int64(Self.most / bytes)))
  }
}
