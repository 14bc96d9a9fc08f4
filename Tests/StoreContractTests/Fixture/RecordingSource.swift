import DataModel
import DataStore
import Testing

/// Supplies chunks to a store and records what it reports.
struct RecordingSource: OperationSource {
  /// The chunks that the store has not yet taken.
  var chunks: [RowChanges]
  var policy = SavePolicy()
  /// Whether invalid records are skipped instead of rejecting the save.
  var skipsInvalid = false
  /// The error that it throws at the end to roll back the save.
  var finalError: DataError?
  private(set) var outcomes: [Outcome] = []
  private(set) var saved: [Record] = []
  private(set) var problems: [Problem] = []
  private(set) var committedLines: [Int] = []

  init(_ chunks: [RowChanges]) {
    self.chunks = chunks
  }

  var canRestart: Bool { true }

  mutating func next() throws(DataError) -> WriteOperation? {
    chunks.isEmpty ? nil : .save(chunks.removeFirst(), policy)
  }

  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError) {
    for (row, outcome) in outcomes.enumerated() {
      self.outcomes.append(outcome)
      if case .refused(let found) = outcome {
        problems += found
      } else {
        saved.append(Record(chunk.rows, row, of: chunk.schema))
      }
    }
  }

  mutating func refused(_ problem: Problem) {
    problems.append(problem)
  }

  mutating func finish() throws(DataError) {
    if let finalError { throw finalError }
    if !skipsInvalid, let error = DataError(problems) { throw error }
  }

  mutating func committed(throughLine line: Int) throws(DataError) {
    committedLines.append(line)
  }
}

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

  private mutating func set(_ slot: Int, to value: Value) {
    switch value {
    case .null: setNull(slot)
    case .text(let text): set(slot, text: text.utf8.span)
    case .integer(let integer): set(slot, number: "\(integer)".utf8.span)
    case .number(let number): set(slot, number: NumberText.text(number).utf8.span)
    case .boolean(let boolean): set(slot, boolean: boolean)
    case .datetime(let time): set(slot, text: "\(time)".utf8.span)
    case .geopoint(let point):
      set(slot, latitude: point.latitude, longitude: point.longitude)
    case .file(let file): set(slot, file: file, content: nil)
    case .json(let text): set(slot, json: text.utf8.span)
    case .list(let values): setList(slot, to: values, as: .value)
    }
  }

  private mutating func setList(_ slot: Int, to values: [Value], as role: ListRole) {
    openList(slot, as: role)
    for value in values {
      switch value {
      case .text(let text): append(text: text.utf8.span)
      case .integer(let integer): append(number: "\(integer)".utf8.span)
      case .number(let number): append(number: NumberText.text(number).utf8.span)
      case .boolean(let boolean): append(boolean: boolean)
      case .datetime(let time): append(text: "\(time)".utf8.span)
      case .null, .geopoint, .file, .json, .list: appendInvalid("a value of another type")
      }
    }
    closeList()
  }
}
