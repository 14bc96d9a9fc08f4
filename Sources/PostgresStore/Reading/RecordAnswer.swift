import DataModel
import DataStore

/// The records or groups of a query, read through one SQL cursor per statement, so that several
/// results can be read concurrently and none is in memory as a whole.
final class RecordAnswer {
  /// The maximum number of rows in a chunk.
  private static let greatestCount: Int64 = 4_096
  /// The approximate maximum number of bytes in a chunk.
  private static let most = 256 << 10

  private let statements: [SQL]
  private let isBackwards: Bool
  private let reader: RowReader
  private let connection: Connection
  private let groups: GroupAnswering?
  private let name: String
  private var place = 0
  private var isOpen = false
  /// The number of rows to fetch next: small at first, so that the first rows arrive early.
  private var size: Int64 = 64
  /// The number of records that the limit still allows.
  private var rest: Int?
  /// The chunks of a backward query that have not been returned yet, in reverse order.
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

  /// Returns the error for a sum that is out of the range of its column.
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

  /// Adjusts the number of rows to fetch to the best size of a chunk.
  private func grow(after batch: borrowing Rows) {
    guard batch.count > 0 else { return }
    let bytes = max(1, (batch.arena.count + batch.cells.count * 8) / batch.count)
    size = min(size * 2, Self.greatestCount, max(16, Int64(Self.most / bytes)))
  }
}
