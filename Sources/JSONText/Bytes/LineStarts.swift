/// The offsets at which the lines of a text begin.
package struct LineStarts: Sendable {
  private var offsets = [0]

  package init(_ text: [UInt8]) {
    for (offset, byte) in text.enumerated() where byte == 0x0A { offsets.append(offset + 1) }
  }

  /// Returns the number of the line that contains an offset. The first line is 1.
  package func line(of offset: Int) -> Int {
    var (low, high) = (0, offsets.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// Returns the column of an offset in its line, in bytes. The first column is 1.
  package func column(of offset: Int) -> Int { offset - offsets[line(of: offset) - 1] + 1 }
}
