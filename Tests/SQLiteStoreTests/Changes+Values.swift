import DataModel

extension RowChanges {
  /// Sets a field of the open record through the setters.
  mutating func set(_ slot: Int, _ value: Value) {
    switch value {
    case .null: setNull(slot)
    case .text(let text): set(slot, text: text.utf8.span)
    case .integer(let integer): set(slot, number: "\(integer)".utf8.span)
    case .number(let number): set(slot, number: NumberText.text(number).utf8.span)
    case .boolean(let boolean): set(slot, boolean: boolean)
    case .datetime(let time): set(slot, text: "\(time)".utf8.span)
    case .geopoint(let point): set(slot, latitude: point.latitude, longitude: point.longitude)
    case .file(let file): set(slot, file: file, content: nil)
    case .json(let text): set(slot, json: text.utf8.span)
    case .list(let values):
      openList(slot)
      for value in values { append(value) }
      closeList()
    }
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .text(let text): append(text: text.utf8.span)
    case .integer(let integer): append(number: "\(integer)".utf8.span)
    case .number(let number): append(number: NumberText.text(number).utf8.span)
    case .boolean(let boolean): append(boolean: boolean)
    case .datetime(let time): append(text: "\(time)".utf8.span)
    case .null, .geopoint, .file, .json, .list: appendInvalid("something else")
    }
  }

  /// Adds a record with values by field name and returns its problems.
  @discardableResult
  mutating func add(_ values: [String: Value], line: Int? = nil) -> [Problem] {
    beginRecord(line: line ?? count + 1)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let slot = schema.slot(named: name) { set(slot, value) }
    }
    return endRecord()
  }
}

extension Schema {
  /// Returns a chunk of records.
  func chunk(_ records: [String: Value]...) -> RowChanges {
    var changes = RowChanges(for: self)
    for record in records { changes.add(record) }
    return changes
  }
}
