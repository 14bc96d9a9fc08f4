import DataModel

/// Values of CSV cells.
extension FieldStatistics {
  /// Counts an unquoted cell. An empty cell is null unless it was quoted in the file.
  mutating func add(cell: Span<UInt8>, isQuoted: Bool, line: Int) throws(ScanError) {
    guard !cell.isEmpty || isQuoted else {
      nulls += 1
      return
    }
    if cell.isEqual(to: "true".utf8.span) || cell.isEqual(to: "false".utf8.span) {
      values.add(.boolean)
      show(.boolean, line: line) { Self.excerpt(cell) }
    } else if Self.isPlainNumber(cell) {
      let kind = values.add(number: cell)
      decimals.add(cell)
      show(kind, line: line) { Self.excerpt(cell) }
    } else if let first = cell.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? JSONScanner.compactValue(cell)) != nil
    {
      var json = JSONScanner()
      json.line = line
      try add(first, &json, cell)
      return
    } else {
      let kind = values.add(text: cell)
      show(kind, line: line) { Excerpt.quoted(cell) }
    }
    ids?.add(cell, line: line)
  }

  /// Whether a cell is a number that keeps its text when it is stored as one. For example, `12E3`
  /// may be a part number and 20 digits an account number.
  private static func isPlainNumber(_ cell: Span<UInt8>) -> Bool {
    guard NumberText.isJSONNumber(cell) else { return false }
    switch NumberText.losslessType(of: cell) {
    case .integer: return true
    case .text: return false
    case .number:
      if NumberText.isWrittenAsInteger(cell) { return false }
      for index in cell.indices
      where cell[index] == UInt8(ascii: ".") || cell[index] == UInt8(ascii: "+")
        || index > 0 && cell[index] == UInt8(ascii: "-")
      {
        return true
      }
      guard let double = try? NumberText.double(cell) else { return false }
      return cell.isEqual(to: NumberText.text(double).utf8.span)
    }
  }
}

extension Span<UInt8> {
  fileprivate var first: UInt8? { isEmpty ? nil : self[0] }
}
