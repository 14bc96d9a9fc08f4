package import DataModel
import JSONText

/// A record that was rejected because it is invalid, with its problems.
package struct RejectedRecord: Sendable {
  /// The part of the input that could not be read because of an error.
  package enum Unread: Sendable {
    /// All records, because the error is in the header or concerns the format.
    case wholeInput
    /// Everything after the record with the error, because the start of the next record is unknown.
    case rest
  }

  /// The problems of the record, with file, line and column.
  package var problems: [Problem]
  /// The number of the line on which the record starts.
  package var line: Int
  /// The bytes of the record, or nil if the reader does not keep them.
  package var text: [UInt8]?
  /// The ids by which the record is stored, if its id could be read. If the record is a tree, also
  /// those of the records in it that have the same schema. Nil if the id could not be read.
  package var ids: [String]?
  /// If the problems ended reading, the part of the input that was not read. If not, nil.
  package var unread: Unread?
}

/// The rejected records of one chunk, collected while the chunk is scanned.
struct Rejections: Sendable {
  /// The number of problems after which a chunk ends. The problems of many invalid records could
  /// need much more memory than the text of these records.
  private static let maxProblems = 1_000

  let file: String
  let keepsText: Bool
  /// Whether the problems that the scanner finds contain a column number. False if the input was
  /// converted from another format, because columns of the converted text are not columns of the
  /// input.
  let hasColumns: Bool
  private(set) var records: [RejectedRecord] = []
  private var problemCount = 0

  /// Whether the chunk has so many problems that it must end.
  var isFull: Bool { problemCount >= Self.maxProblems }

  init(file: String, keepsText: Bool, hasColumns: Bool = true) {
    self.file = file
    self.keepsText = keepsText
    self.hasColumns = hasColumns
  }

  /// Removes all rejected records, before the next chunk is scanned.
  mutating func removeAll() {
    records.removeAll()
    problemCount = 0
  }

  /// Adds a rejected record. If `keepsText` is true, stores the bytes in the range with the record.
  mutating func add(
    _ problems: [Problem], line: Int, _ text: Span<UInt8>, _ range: Range<Int>,
    unread: RejectedRecord.Unread? = nil
  ) {
    add(problems, line: line, unread: unread)
    guard keepsText else { return }
    var copy: [UInt8] = []
    copy.append(copying: text.extracting(range))
    records[records.count - 1].text = copy
  }

  /// Adds a rejected record without its bytes.
  mutating func add(
    _ problems: [Problem], line: Int, unread: RejectedRecord.Unread? = nil
  ) {
    var located = problems
    for index in located.indices {
      located[index].file = file
      if !hasColumns, !located[index].pathIsComplete { located[index].column = nil }
    }
    records.append(
      RejectedRecord(
        problems: located, line: line, ids: problems.first?.id.map { [$0] }, unread: unread))
    problemCount += located.count
  }
}
