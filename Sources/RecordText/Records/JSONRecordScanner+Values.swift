import DataModel
import JSONText

/// Parses the values of fields according to the types of the fields.
extension JSONRecordScanner {
  /// Parses the value at the current position and sets the field to it.
  ///
  /// - Parameter byte: The first byte of the value.
  @inline(__always)
  mutating func value(
    _ slot: Int, _ byte: UInt8, _ text: Span<UInt8>, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    switch byte {
    case UInt8(ascii: "\"") where kinds[slot] != .json:
      if let range = try json.string(text) {
        changes.set(slot, text: text.extracting(range), at: offset(range.lowerBound))
      } else {
        changes.set(slot, text: json.unescaped.span)
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let range = try json.number(text)
      if kinds[slot] == .json {
        changes.set(slot, json: text.extracting(range), at: offset(range.lowerBound))
      } else if hasDecimalCommas {
        changes.set(slot, text: text.extracting(range))
      } else {
        changes.set(slot, number: text.extracting(range))
      }
    default: try otherValue(slot, byte, text, into: &changes, nesting: &nesting)
    }
  }

  /// Returns the given offset if values may refer to the scanned text. Returns nil if they must be
  /// copied, because `changes` does not keep the text.
  @inline(__always)
  private func offset(_ offset: Int) -> Int? {
    switch source {
    case .kept: offset
    case .copied: nil
    }
  }

  private mutating func otherValue<Nesting: RecordNesting>(
    _ slot: Int, _ byte: UInt8, _ text: Span<UInt8>, into changes: inout RowChanges,
    nesting: inout Nesting
  ) throws(ScanError) {
    if byte == UInt8(ascii: "n") {
      try json.skip(.null, text)
      // In a tree, a record whose id is null is a record without an id.
      if !Nesting.isEnabled || kinds[slot] != .key { changes.setNull(slot) }
      return
    }
    if kinds[slot] == .json { return try jsonValue(slot, text, into: &changes) }
    switch byte {
    case UInt8(ascii: "t"):
      try json.skip(.yes, text)
      changes.set(slot, boolean: true)
    case UInt8(ascii: "f"):
      try json.skip(.no, text)
      changes.set(slot, boolean: false)
    case UInt8(ascii: "["): try list(slot, as: .value, text, into: &changes, nesting: &nesting)
    case UInt8(ascii: "{"):
      switch kinds[slot] {
      case .geopoint: try geopoint(slot, text, into: &changes)
      case .file: try file(slot, text, into: &changes)
      case .reference where nesting.canRead(slot): try nested(slot, nil, text, &changes, &nesting)
      case .key, .text, .scalar, .json, .password, .reference, .references, .array, .system:
        try operation(slot, text, into: &changes, nesting: &nesting)
      }
    default: throw ScanError(.expectedValue, json.position)
    }
  }

  /// Parses any JSON value, and sets the field to the value without insignificant whitespace.
  private mutating func jsonValue(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout RowChanges
  ) throws(ScanError) {
    let start = json.position
    let notes = try json.skipValue(text)
    if let violation = notes.violation { return changes.report(slot, violation.kind.message) }
    let value = text.extracting(start..<json.position)
    if notes.hasWhitespace {
      JSONScanner.compact(value, into: &scratch)
      changes.set(slot, json: scratch.span)
    } else {
      changes.set(slot, json: value, at: offset(start))
    }
  }

  /// Parses the array at the current position as a list, and applies it to the field.
  ///
  /// - Parameter role: What happens to the elements of the list: they are the new value, or are
  ///   appended to or removed from the current value.
  mutating func list(
    _ slot: Int, as role: RowChanges.ListRole, _ text: Span<UInt8>, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    changes.openList(slot, as: role)
    var index = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "]"))
    while let byte = next {
      if byte == UInt8(ascii: "{"), nesting.canRead(slot) {
        try nested(slot, index, text, &changes, &nesting)
      } else {
        try element(byte, of: slot, text, into: &changes)
      }
      index &+= 1
      next = try json.skipElementEnd(text)
    }
    changes.closeList()
  }

  /// Reads the object at the current position as a nested record, and sets the relation to its id,
  /// or appends the id to the relation.
  ///
  /// - Parameter index: The index of the object in the relation, or nil in a to-one relation.
  private mutating func nested(
    _ slot: Int, _ index: Int?, _ text: Span<UInt8>, _ changes: inout RowChanges,
    _ nesting: inout some RecordNesting
  ) throws(ScanError) {
    guard let id = try nesting.read(slot, index, text, &json) else { return }
    switch id {
    case .assigned(let id):
      if index == nil { changes.set(slot, text: id.span) } else { changes.append(text: id.span) }
    case .scalar(let position):
      let end = json.position
      json.position = position
      defer { json.position = end }
      if index == nil {
        var none = NoNesting()
        try value(slot, text[position], text, into: &changes, nesting: &none)
      } else {
        try element(text[position], of: slot, text, into: &changes)
      }
    }
  }

  private mutating func element(
    _ byte: UInt8, of slot: Int, _ text: Span<UInt8>, into changes: inout RowChanges
  ) throws(ScanError) {
    switch byte {
    case UInt8(ascii: "\""):
      if let range = try json.string(text) {
        changes.append(text: text.extracting(range))
      } else {
        changes.append(text: json.unescaped.span)
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let range = try json.number(text)
      if hasDecimalCommas {
        changes.append(text: text.extracting(range))
      } else {
        changes.append(number: text.extracting(range))
      }
    case UInt8(ascii: "t"):
      try json.skip(.yes, text)
      changes.append(boolean: true)
    case UInt8(ascii: "f"):
      try json.skip(.no, text)
      changes.append(boolean: false)
    case UInt8(ascii: "n"):
      try json.skip(.null, text)
      changes.appendInvalid("null")
    default:
      _ = try json.skipValue(text)
      let isRecord = byte == UInt8(ascii: "{") && kinds[slot] == .references
      changes.appendInvalid(
        byte == UInt8(ascii: "{") ? "an object" : "an array",
        hint: isRecord ? Self.hintForNestedRecord : nil)
    }
  }
}
