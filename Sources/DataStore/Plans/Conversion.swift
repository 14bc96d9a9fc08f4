package import DataModel

/// A conversion of values from one type to another; the initializer returns nil for types that have
/// none.
package struct Conversion: Hashable, Sendable {
  /// What can happen to the values.
  package enum Effect: Hashable, Sendable {
    /// Every value has an equivalent of the other type.
    case fits
    /// Some values may have no equivalent, and have to be changed first.
    case mayNotFit
    /// Some values may be rounded, or reduced to the first of several; some may have no equivalent.
    case mayLose
  }

  package let effect: Effect

  package init?(_ old: FieldType, _ new: FieldType) {
    switch (old, new) {
    case (.text, .integer), (.text, .boolean), (.text, .datetime),
      (.integer, .boolean):
      effect = .mayNotFit
    case (.integer, .text), (.number, .text), (.boolean, .text), (.datetime, .text),
      (.boolean, .integer), (.text, .json), (.integer, .json), (.number, .json),
      (.boolean, .json), (.datetime, .json), (.array, .json):
      effect = .fits
    case (.text, .number), (.integer, .number), (.number, .integer): effect = .mayLose
    case (_, .array(let element)) where old == element.fieldType: effect = .fits
    case (.array(let element), _) where new == element.fieldType: effect = .mayLose
    case (.integer, .array(.number)), (.array(.integer), .array(.number)): effect = .mayLose
    case (.integer, .array(.text)), (.number, .array(.text)), (.boolean, .array(.text)),
      (.datetime, .array(.text)), (.array, .array(.text)):
      effect = .fits
    case (.text, .relation(let relation)) where !relation.isMany: effect = .mayNotFit
    case (.relation(let relation), .text) where !relation.isMany: effect = .fits
    case (.relation(let left), .relation(let right)):
      if left.isMany && !right.isMany {
        effect = .mayLose
      } else {
        effect = left.target == right.target ? .fits : .mayNotFit
      }
    case (.id, _), (.text, _), (.integer, _), (.number, _), (.boolean, _), (.datetime, _),
      (.geopoint, _), (.file, _), (.json, _), (.password, _), (.relation, _), (.array, _):
      return nil
    }
  }
}

extension Changes {
  /// The result of a conversion.
  enum Handover {
    case kept
    /// The value was rounded, or was a list without exactly one element.
    case lessened
  }

  /// Sets a field to a value that may be of another type, through the setter of the field, which
  /// records a problem if the value is invalid.
  mutating func hand(_ value: Value, to slot: Int) -> Handover {
    switch (value, schema.type(of: slot)) {
    case (.null, .relation(let relation)) where relation.isMany:
      openList(slot)
      closeList()
    case (.null, _): setNull(slot)
    case (.list(let values), .json): set(slot, json: ListText.bytes(values).span)
    case (.list(let values), let type) where type.isList:
      openList(slot)
      var handover = Handover.kept
      for value in values where append(value, elementOf: type) == .lessened {
        handover = .lessened
      }
      closeList()
      return handover
    case (.list(let values), _):
      guard let first = values.first else {
        setNull(slot)
        // An empty array becomes null, which loses something; an empty to-many relation means the
        // same.
        return isRelation(slot) ? .kept : .lessened
      }
      _ = hand(first, to: slot)
      return values.count > 1 ? .lessened : .kept
    case (_, let type) where type.isList:
      openList(slot)
      let handover = append(value, elementOf: type)
      closeList()
      return handover
    case (.json(let text), _): set(slot, json: text.utf8.span)
    case (.text, .json), (.integer, .json), (.number, .json), (.boolean, .json), (.datetime, .json):
      set(slot, json: value.jsonText.utf8.span)
    case (.geopoint(let point), _):
      set(slot, latitude: point.latitude, longitude: point.longitude)
    case (.file(let file), _): set(slot, file: file, content: nil)
    case (.text(let text), let type): return hand(text, to: slot, type)
    case (.datetime(let time), _): set(slot, text: "\(time)".utf8.span)
    case (.boolean(let boolean), .boolean): set(slot, boolean: boolean)
    case (.boolean(let boolean), .integer): set(slot, number: (boolean ? "1" : "0").utf8.span)
    case (.boolean(let boolean), _): set(slot, text: "\(boolean)".utf8.span)
    case (.integer(let integer), let type): return hand(integer, to: slot, type)
    case (.number(let number), let type): return hand(number, to: slot, type)
    }
    return .kept
  }

  private mutating func hand(_ text: String, to slot: Int, _ type: FieldType) -> Handover {
    switch type {
    case .number where NumberText.isJSONNumber(text.utf8.span):
      set(slot, number: text.utf8.span)
      return NumberText.isRounded(asDouble: text.utf8.span) ? .lessened : .kept
    case .boolean where text == "true" || text == "false": set(slot, boolean: text == "true")
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password,
      .relation, .array:
      set(slot, text: text.utf8.span)
    }
    return .kept
  }

  private mutating func hand(_ integer: Int64, to slot: Int, _ type: FieldType) -> Handover {
    switch type {
    case .number:
      let number = Double(integer)
      set(slot, number: NumberText.text(number).utf8.span)
      return Int64(exactly: number) == integer ? .kept : .lessened
    case .boolean where integer == 0 || integer == 1: set(slot, boolean: integer == 1)
    case .text: set(slot, text: "\(integer)".utf8.span)
    case .id, .integer, .boolean, .datetime, .geopoint, .file, .json, .password, .relation, .array:
      set(slot, number: "\(integer)".utf8.span)
    }
    return .kept
  }

  private mutating func hand(_ number: Double, to slot: Int, _ type: FieldType) -> Handover {
    switch type {
    case .integer:
      let rounded = number.rounded()
      set(slot, number: NumberText.text(rounded).utf8.span)
      return rounded == number ? .kept : .lessened
    case .text: set(slot, text: NumberText.text(number).utf8.span)
    case .id, .number, .boolean, .datetime, .geopoint, .file, .json, .password, .relation, .array:
      set(slot, number: NumberText.text(number).utf8.span)
    }
    return .kept
  }

  private func isRelation(_ slot: Int) -> Bool { schema.type(of: slot).relation != nil }

  private mutating func append(_ value: Value, elementOf type: FieldType) -> Handover {
    switch (value, type) {
    case (.text(let text), _): append(text: text.utf8.span)
    case (.integer(let integer), .array(.text)): append(text: "\(integer)".utf8.span)
    case (.integer(let integer), .array(.number)):
      let number = Double(integer)
      append(number: NumberText.text(number).utf8.span)
      return Int64(exactly: number) == integer ? .kept : .lessened
    case (.integer(let integer), _): append(number: "\(integer)".utf8.span)
    case (.number(let number), .array(.text)): append(text: NumberText.text(number).utf8.span)
    case (.number(let number), _): append(number: NumberText.text(number).utf8.span)
    case (.boolean(let boolean), .array(.text)): append(text: "\(boolean)".utf8.span)
    case (.boolean(let boolean), _): append(boolean: boolean)
    case (.datetime(let time), _): append(text: "\(time)".utf8.span)
    case (.null, _), (.geopoint, _), (.file, _), (.json, _), (.list, _):
      appendMisfit("something else")
    }
    return .kept
  }
}

extension ListText {
  fileprivate static func bytes(_ values: [Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(values, to: &bytes)
    return bytes
  }
}
