package import DataModel
import JSONText

extension RowChanges {
  /// Sets a field of the open record through the setters, as a record reader does.
  package mutating func set(_ slot: Int, to value: Value) {
    switch value {
    case .null: setNull(slot)
    case .text(let text): set(slot, text: text.utf8.span)
    case .integer(let integer): set(slot, number: "\(integer)".utf8.span)
    case .number(let number): set(slot, number: NumberText.text(number).utf8.span)
    case .decimal: set(slot, number: value.text.utf8.span)
    case .boolean(let boolean): set(slot, boolean: boolean)
    case .date(let date): set(slot, text: "\(date)".utf8.span)
    case .datetime(let time): set(slot, text: "\(time)".utf8.span)
    case .geopoint(let point): set(slot, latitude: point.latitude, longitude: point.longitude)
    case .file(let file): set(slot, file: file, content: nil)
    case .json(let text): set(slot, json: text.utf8.span)
    case .list(let values): setList(slot, to: values, as: .value)
    }
  }

  package mutating func setList(_ slot: Int, to values: [Value], as role: ListRole) {
    openList(slot, as: role)
    for value in values {
      switch value {
      case .text(let text): append(text: text.utf8.span)
      case .integer(let integer): append(number: "\(integer)".utf8.span)
      case .number(let number): append(number: NumberText.text(number).utf8.span)
      case .boolean(let boolean): append(boolean: boolean)
      case .date(let date): append(text: "\(date)".utf8.span)
      case .datetime(let time): append(text: "\(time)".utf8.span)
      case .null, .decimal, .geopoint, .file, .json, .list: appendInvalid("a value of another type")
      }
    }
    closeList()
  }
}
