package import DataModel

/// An invalid record and its problems.
package struct RejectedRecord: Sendable {
  /// The problems, with file, line and column.
  package var problems: [Problem]
  /// The line on which the record starts.
  package var line: Int
  /// The bytes of the record, if the reader keeps them.
  package var text: [UInt8]?
}

/// The rejected records of a chunk.
struct Rejections: Sendable {
  let file: String
  let keepsText: Bool
  var records: [RejectedRecord] = []

  init(file: String, keepsText: Bool) {
    self.file = file
    self.keepsText = keepsText
  }

  /// Adds a record together with its bytes, a range of the text.
  mutating func add(
    _ problems: [Problem], line: Int, _ text: Span<UInt8>, _ range: Range<Int>
  ) {
    add(problems, line: line)
    guard keepsText else { return }
    var copy: [UInt8] = []
    copy.append(copying: text.extracting(range))
    records[records.count - 1].text = copy
  }

  /// Adds a record without its bytes.
  mutating func add(_ problems: [Problem], line: Int) {
    var located = problems
    for index in located.indices { located[index].file = file }
    records.append(RejectedRecord(problems: located, line: line))
  }
}
