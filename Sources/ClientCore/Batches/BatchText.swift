package import DataModel
internal import DataOutput
internal import Platform
package import RecordText

/// The text of a batch, which is read to its end before the first operation is executed. Up to 4 MB
/// are kept in memory; a longer text is kept in a temporary file.
package final class BatchText: Sendable {
  private static let memoryLimit = 4 << 20
  /// The maximum length of a line in bytes.
  private static let maxLineLength = 128 << 20

  /// The file name that error messages show.
  let file: String
  private let memory: [UInt8]
  private let rest: AnonymousTempFile?

  /// Reads the text of a batch from a source, to the end.
  package init(_ source: consuming some ByteSource, file: String) throws(DataError) {
    var source = source
    var bytes: [UInt8] = []
    var rest: AnonymousTempFile?
    while try source.read(into: &bytes, atMost: 64 << 10) > 0 {
      guard bytes.count >= Self.memoryLimit else { continue }
      if rest == nil { rest = try AnonymousTempFile() }
      try rest?.write(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
    if let rest { try rest.write(bytes.span) }
    self.file = file
    self.rest = rest
    memory = rest == nil ? bytes : []
  }

  func operations() -> Operations { Operations(of: self) }

  /// Returns the number of the operation on each of the given lines. A line without an operation is
  /// left out.
  func operationNumbers(onLines lines: Set<Int>) throws(DataError) -> [Int: Int] {
    var numbers: [Int: Int] = [:]
    var operations = operations()
    while numbers.count < lines.count, let operation = try operations.next() {
      if lines.contains(operation.line) { numbers[operation.line] = operation.number }
    }
    return numbers
  }

  /// An iterator that parses one operation after another. A copy of the iterator continues with the
  /// same operation.
  struct Operations: Sendable {
    private let text: BatchText
    private var buffer: [UInt8] = []
    /// The offset of the next line in `buffer`.
    private var position = 0
    /// The offset in the text at which `buffer` ends.
    private var offset = 0
    private var line = 0
    private var number = 0

    fileprivate init(of text: BatchText) {
      self.text = text
    }

    /// Returns the next operation, or nil after the last one. Blank lines are skipped.
    mutating func next() throws(DataError) -> BatchOperation? {
      while let bytes = try nextLine() {
        let isBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if isBlank { continue }
        number += 1
        return try BatchOperation(parsing: bytes, number: number, line: line, file: text.file)
      }
      return nil
    }

    private mutating func nextLine() throws(DataError) -> [UInt8]? {
      var searched = position
      while true {
        if let end = buffer[searched...].firstIndex(of: 0x0A) {
          line += 1
          defer { position = end + 1 }
          return Array(buffer[position..<end])
        }
        searched = buffer.count
        guard searched - position <= BatchText.maxLineLength else {
          throw DataError(
            Problem(
              .syntax, "the line is longer than \(BatchText.maxLineLength >> 20) MiB",
              hint: "write one operation per line", file: text.file, line: line + 1))
        }
        if position > 0 {
          buffer.removeFirst(position)
          searched -= position
          position = 0
        }
        guard try fill() else { break }
      }
      guard !buffer.isEmpty else { return nil }
      line += 1
      defer { buffer = [] }
      return buffer
    }

    /// Appends the next bytes of the text to the buffer. Returns false at the end of the text.
    private mutating func fill() throws(DataError) -> Bool {
      let pieceSize = 64 << 10
      let count: Int
      if let rest = text.rest {
        count = try rest.read(at: offset, into: &buffer, atMost: pieceSize)
      } else {
        count = min(pieceSize, text.memory.count - offset)
        buffer += text.memory[offset..<offset + count]
      }
      offset += count
      return count > 0
    }
  }
}
