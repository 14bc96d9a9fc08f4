package import DataModel

/// A conversion of values from one type to another. The initializer returns nil if there is no
/// conversion between the types.
package struct Conversion: Hashable, Sendable {
  /// Whether a conversion can fail or lose information.
  package enum Effect: Hashable, Sendable {
    /// Every value has an equivalent in the new type.
    case lossless
    /// Some values may have no equivalent in the new type. The user has to change them first.
    case mayFail
    /// Some values may be rounded, and lists may be reduced to their first element. Some values may
    /// have no equivalent in the new type.
    case lossy
  }

  package let effect: Effect

  package init?(_ old: FieldType, _ new: FieldType) {
    switch (old, new) {
    case (.text, .integer), (.text, .boolean), (.text, .date), (.text, .datetime),
      (.integer, .boolean):
      effect = .mayFail
    case (.integer, .text), (.number, .text), (.boolean, .text), (.date, .text),
      (.datetime, .text), (.date, .datetime),
      (.boolean, .integer), (.text, .json), (.integer, .json), (.number, .json),
      (.boolean, .json), (.date, .json), (.datetime, .json), (.array, .json):
      effect = .lossless
    case (.text, .number), (.integer, .number), (.number, .integer), (.datetime, .date):
      effect = .lossy
    case (_, .array(let element)) where old == element.fieldType: effect = .lossless
    case (.array(let element), _) where new == element.fieldType: effect = .lossy
    case (.integer, .array(.number)), (.array(.integer), .array(.number)),
      (.datetime, .array(.date)), (.array(.datetime), .array(.date)):
      effect = .lossy
    case (.integer, .array(.text)), (.number, .array(.text)), (.boolean, .array(.text)),
      (.date, .array(.text)), (.datetime, .array(.text)), (.date, .array(.datetime)),
      (.array(.date), .array(.datetime)), (.array, .array(.text)):
      effect = .lossless
    case (.text, .relation(let relation)) where !relation.isMany: effect = .mayFail
    case (.relation(let relation), .text) where !relation.isMany: effect = .lossless
    case (.relation(let left), .relation(let right)):
      if left.isMany && !right.isMany {
        effect = .lossy
      } else {
        effect = left.target == right.target ? .lossless : .mayFail
      }
    case (.id, _), (.text, _), (.integer, _), (.number, _), (.boolean, _), (.date, _),
      (.datetime, _),
      (.geopoint, _), (.file, _), (.json, _), (.password, _), (.relation, _), (.array, _):
      return nil
    }
  }
}

extension RowChanges {
  /// The effect of a conversion on a single value.
  enum ConversionResult {
    case exact
    /// The value was rounded, or was a list that did not have exactly one element.
    case lossy
  }

  /// Sets a field to a value that is converted to the type of the field, and returns whether the
  /// conversion lost information. If the value cannot be converted, adds the same problem as for
  /// an invalid value in a save.
  mutating func assign(_ value: Value, to slot: Int) -> ConversionResult {
    switch (value, schema.type(of: slot)) {
    case (.null, .relation(let relation)) where relation.isMany:
      openList(slot)
      closeList()
    case (.null, _): setNull(slot)
    case (.list(let values), .json): set(slot, json: ListText.bytes(values).span)
    case (.list(let values), let type) where type.isList:
      openList(slot)
      var result = ConversionResult.exact
      for value in values where append(value, elementOf: type) == .lossy {
        result = .lossy
      }
      closeList()
      return result
    case (.list(let values), _):
      guard let first = values.first else {
        setNull(slot)
        // An empty array becomes null, which is a different value, so information is lost. An empty
        // to-many relation means the same as null.
        return isRelation(slot) ? .exact : .lossy
      }
      _ = assign(first, to: slot)
      return values.count > 1 ? .lossy : .exact
    case (_, let type) where type.isList:
      openList(slot)
      let result = append(value, elementOf: type)
      closeList()
      return result
    case (.json(let text), _): set(slot, json: text.utf8.span)
    case (.text, .json), (.integer, .json), (.number, .json), (.boolean, .json), (.date, .json),
      (.datetime, .json):
      set(slot, json: value.jsonText.utf8.span)
    case (.geopoint(let point), _):
      set(slot, latitude: point.latitude, longitude: point.longitude)
    case (.file(let file), _): set(slot, file: file, content: nil)
    case (.text(let text), let type): return assign(text, to: slot, type)
    case (.date(let date), .datetime): set(slot, text: "\(date.start)".utf8.span)
    case (.date(let date), _): set(slot, text: "\(date)".utf8.span)
    case (.datetime(let time), .date):
      let date = CalendarDate(time)
      set(slot, text: "\(date)".utf8.span)
      return date.start == time ? .exact : .lossy
    case (.datetime(let time), _): set(slot, text: "\(time)".utf8.span)
    case (.boolean(let boolean), .boolean): set(slot, boolean: boolean)
    case (.boolean(let boolean), .integer): set(slot, number: (boolean ? "1" : "0").utf8.span)
    case (.boolean(let boolean), _): set(slot, text: "\(boolean)".utf8.span)
    case (.integer(let integer), let type): return assign(integer, to: slot, type)
    case (.number(let number), let type): return assign(number, to: slot, type)
    }
    return .exact
  }

  private mutating func assign(_ text: String, to slot: Int, _ type: FieldType) -> ConversionResult
  {
    switch type {
    case .number where NumberText.isJSONNumber(text.utf8.span):
      set(slot, number: text.utf8.span)
      return NumberText.isRounded(asDouble: text.utf8.span) ? .lossy : .exact
    case .boolean where text == "true" || text == "false": set(slot, boolean: text == "true")
    case .id, .text, .integer, .number, .boolean, .date, .datetime, .geopoint, .file, .json,
      .password,
      .relation, .array:
      set(slot, text: text.utf8.span)
    }
    return .exact
  }

  private mutating func assign(_ integer: Int64, to slot: Int, _ type: FieldType)
    -> ConversionResult
  {
    switch type {
    case .number:
      let number = Double(integer)
      set(slot, number: NumberText.text(number).utf8.span)
      return Int64(exactly: number) == integer ? .exact : .lossy
    case .boolean where integer == 0 || integer == 1: set(slot, boolean: integer == 1)
    case .text: set(slot, text: "\(integer)".utf8.span)
    case .id, .integer, .boolean, .date, .datetime, .geopoint, .file, .json, .password, .relation,
      .array:
      set(slot, number: "\(integer)".utf8.span)
    }
    return .exact
  }

  private mutating func assign(_ number: Double, to slot: Int, _ type: FieldType)
    -> ConversionResult
  {
    switch type {
    case .integer:
      let rounded = number.rounded()
      set(slot, number: NumberText.text(rounded).utf8.span)
      return rounded == number ? .exact : .lossy
    case .text: set(slot, text: NumberText.text(number).utf8.span)
    case .id, .number, .boolean, .date, .datetime, .geopoint, .file, .json, .password, .relation,
      .array:
      set(slot, number: NumberText.text(number).utf8.span)
    }
    return .exact
  }

  private func isRelation(_ slot: Int) -> Bool { schema.type(of: slot).relation != nil }

  private mutating func append(_ value: Value, elementOf type: FieldType) -> ConversionResult {
    switch (value, type) {
    case (.text(let text), _): append(text: text.utf8.span)
    case (.integer(let integer), .array(.text)): append(text: "\(integer)".utf8.span)
    case (.integer(let integer), .array(.number)):
      let number = Double(integer)
      append(number: NumberText.text(number).utf8.span)
      return Int64(exactly: number) == integer ? .exact : .lossy
    case (.integer(let integer), _): append(number: "\(integer)".utf8.span)
    case (.number(let number), .array(.text)): append(text: NumberText.text(number).utf8.span)
    case (.number(let number), _): append(number: NumberText.text(number).utf8.span)
    case (.boolean(let boolean), .array(.text)): append(text: "\(boolean)".utf8.span)
    case (.boolean(let boolean), _): append(boolean: boolean)
    case (.date(let date), .array(.datetime)): append(text: "\(date.start)".utf8.span)
    case (.date(let date), _): append(text: "\(date)".utf8.span)
    case (.datetime(let time), .array(.date)):
      let date = CalendarDate(time)
      append(text: "\(date)".utf8.span)
      return date.start == time ? .exact : .lossy
    case (.datetime(let time), _): append(text: "\(time)".utf8.span)
    case (.null, _), (.geopoint, _), (.file, _), (.json, _), (.list, _):
      appendInvalid("a value of another type")
    }
    return .exact
  }
}

extension ListText {
  fileprivate static func bytes(_ values: [Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(values, to: &bytes)
    return bytes
  }
}
