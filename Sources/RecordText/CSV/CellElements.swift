/// The elements in a cell of a table (`--split-cells`).
package enum CellElements {
  /// Returns the byte ranges of the elements, without spaces around them. Empty elements are left
  /// out.
  package static func ranges(in cell: [UInt8], separatedBy separator: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var index = 0
    while index <= cell.count {
      let isEnd = index == cell.count
      guard isEnd || cell[index...].starts(with: separator) else {
        index += 1
        continue
      }
      var (first, last) = (start, index)
      while first < last, cell[first] == 0x20 { first += 1 }
      while last > first, cell[last - 1] == 0x20 { last -= 1 }
      if first < last { ranges.append(first..<last) }
      index += isEnd ? 1 : separator.count
      start = index
    }
    return ranges
  }
}
