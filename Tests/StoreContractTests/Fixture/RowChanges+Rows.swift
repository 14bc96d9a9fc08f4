import DataModel
import TestSupport
import Testing

extension RowChanges {
  /// Adds a row through the setters, as a record reader does, and returns its problems.
  mutating func take(_ row: Row, line: Int) throws -> [Problem] {
    beginRecord(line: line)
    for (name, input) in row.entries {
      let slot = try #require(schema.slot(named: name), "\(schema.name) has no field \(name)")
      switch input {
      case .value(let value): set(slot, to: value)
      case .add(let number):
        let digits = number.drop { $0 == "-" }
        set(slot, adding: Array(digits.utf8).span, negated: digits == number[...] ? .plus : .minus)
      case .edit(let removed, let appended):
        if !removed.isEmpty { setList(slot, to: removed, as: .remove) }
        if !appended.isEmpty { setList(slot, to: appended, as: .append) }
      case .file(let reference, let content): set(slot, file: reference, content: content)
      }
    }
    return endRecord()
  }
}
