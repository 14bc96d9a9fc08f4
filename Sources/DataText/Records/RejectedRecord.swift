package import DataModel

/// A record that is not among the changes, and why.
package struct RejectedRecord: Sendable {
  /// What is wrong with it, with file, line and column.
  package var problems: [Problem]
  /// The line on which it begins.
  package var line: Int
  /// Its bytes as they were read, if the reader keeps them.
  package var text: [UInt8]?
}

/// The rejected records of a batch.
struct Rejections: Sendable {
  let file: String
  let keepsText: Bool
  var records: [RejectedRecord] = []

  init(file: String, keepsText: Bool) {
    self.file = file
    self.keepsText = keepsText
  }

  /// Notes a record with its bytes, which stand in a range of the text.
  mutating func add(
    _ problems: [Problem], line: Int, _ text: Span<UInt8>, _ range: Range<Int>
  ) {
    add(problems, line: line)
    guard keepsText else { return }
    var copy: [UInt8] = []
    copy.append(copying: text.extracting(range))
    records[records.count - 1].text = copy
  }

  /// Notes a record whose bytes are not kept.
  mutating func add(_ problems: [Problem], line: Int) {
    var placed = problems
    for index in placed.indices { placed[index].file = file }
    records.append(RejectedRecord(problems: placed, line: line))
  }
}
