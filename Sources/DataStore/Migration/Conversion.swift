package import DataModel
import JSONText

/// A conversion of values from one type to another. The initializer returns nil if there is no
/// conversion between the types.
package struct Conversion: Hashable, Sendable {
  package typealias Effect = TypeDescriptor.ConversionEffect

  package let effect: Effect

  package init?(_ old: FieldType, _ new: FieldType) {
    let effect: Effect? =
      switch (old.relation, new.relation) {
      case (let left?, let right?):
        if left.isMany && !right.isMany {
          .lossy
        } else {
          left.target == right.target ? .lossless : .mayFail
        }
      case (let relation?, nil), (nil, let relation?):
        relation.isMany ? nil : old.descriptor.conversion(new.name)
      case (nil, nil): Self.effect(old, new)
      }
    guard let effect else { return nil }
    self.effect = effect
  }

  private static func effect(_ old: FieldType, _ new: FieldType) -> Effect? {
    if let digits = old.digits, let newDigits = new.digits {
      return newDigits.includes(digits) ? .lossless : .lossy
    }
    guard case .array(let element) = new else {
      if old.isArray, old.elementType.fieldType == new { return .lossy }
      return old.descriptor.conversion(new.name)
    }
    let (old, new) = (old.isArray ? old.elementType.fieldType : old, element.fieldType)
    if old == new { return .lossless }
    let isWidening = old.descriptor.family == new.descriptor.family && old != .number
    return isWidening || new == .text ? old.descriptor.conversion(new.name) : nil
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
    case (_, .json): set(slot, json: value.jsonText.utf8.span)
    case (.geopoint(let point), _):
      set(slot, latitude: point.latitude, longitude: point.longitude)
    case (.file(let file), _): set(slot, file: file, content: nil)
    case (.boolean(let boolean), .boolean): set(slot, boolean: boolean)
    case (.text("true"), .boolean), (.text("false"), .boolean):
      set(slot, boolean: value == .text("true"))
    case (.integer(0), .boolean), (.integer(1), .boolean):
      set(slot, boolean: value == .integer(1))
    case (_, let type):
      let (converted, result) = value.converted(to: type)
      if converted == .null {
        setNull(slot)
      } else if converted.type?.isNumeric == true
        || type == .number && NumberText.isJSONNumber(converted.text.utf8.span)
      {
        set(slot, number: converted.text.utf8.span)
      } else {
        set(slot, text: converted.text.utf8.span)
      }
      return result
    }
    return .exact
  }

  private func isRelation(_ slot: Int) -> Bool { schema.type(of: slot).relation != nil }

  private mutating func append(_ value: Value, elementOf type: FieldType) -> ConversionResult {
    guard let own = value.type, own.descriptor.textForm != .json else {
      appendInvalid("a value of another type")
      return .exact
    }
    let (converted, result) = value.converted(to: type.isArray ? type.elementType.fieldType : own)
    if case .boolean(let boolean) = converted {
      append(boolean: boolean)
    } else if converted.double != nil {
      append(number: converted.text.utf8.span)
    } else {
      append(text: converted.text.utf8.span)
    }
    return result
  }
}

extension Value {
  /// Returns the value that a field of the given type has instead of this scalar, and whether
  /// information is lost. A value without such a counterpart is returned unchanged.
  fileprivate func converted(to type: FieldType) -> (Value, RowChanges.ConversionResult) {
    switch (self, type) {
    case (.integer(let integer), .number):
      let number = Double(integer)
      return (.number(number), Int64(exactly: number) == integer ? .exact : .lossy)
    case (.number(let number), .integer):
      let rounded = number.rounded()
      return (.number(rounded), rounded == number ? .exact : .lossy)
    case (.text(let text), .number) where NumberText.isJSONNumber(text.utf8.span):
      return (self, NumberText.isRounded(asDouble: text.utf8.span) ? .lossy : .exact)
    case (_, .decimal(let digits)):
      return Self.decimal(text, digits) ?? (self, .exact)
    case (.decimal(let decimal), .number):
      let double = (try? NumberText.double(text.utf8.span)) ?? 0
      let isExact = DecimalValue(NumberText.text(double)) == decimal
      return (.number(double), isExact ? .exact : .lossy)
    case (.decimal(let decimal), .integer):
      guard let rounded = decimal.rounded(toScale: 0) else { return (self, .exact) }
      return (.decimal(rounded), rounded == decimal ? .exact : .lossy)
    case (.date(let date), .datetime): return (.datetime(date.start), .exact)
    case (.datetime(let time), .date):
      let date = CalendarDate(time)
      return (.date(date), date.start == time ? .exact : .lossy)
    case (.boolean(let boolean), .integer): return (.integer(boolean ? 1 : 0), .exact)
    case (_, .text): return (.text(text), .exact)
    case (_, _): return (self, .exact)
    }
  }

  /// Returns a number with the scale of a decimal field, and whether digits were removed. A number with
  /// too many digits before the point becomes null. Returns nil if the text is not a number.
  private static func decimal(
    _ text: String, _ digits: DecimalDigits
  ) -> (Value, RowChanges.ConversionResult)? {
    guard NumberText.isJSONNumber(text.utf8.span) else { return nil }
    guard let value = DecimalValue(number: text.utf8.span) ?? .shortened(text.utf8.span),
      let rounded = value.rounded(toScale: digits.scale),
      !digits.isExceeded(by: rounded.coefficient)
    else { return (.null, .lossy) }
    return (.decimal(rounded), rounded == value ? .exact : .lossy)
  }
}

extension ListText {
  fileprivate static func bytes(_ values: [Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(values, to: &bytes)
    return bytes
  }
}
