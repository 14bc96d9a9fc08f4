import DataModel

/// Values in the syntax of command-line arguments.
extension JSONRecordScanner {
  /// Parses an argument by the field's type. An empty argument means empty text for a text field,
  /// an empty (and so invalid) id for the primary key, and null for every other type.
  mutating func set(_ slot: Int, operand text: Span<UInt8>, into changes: inout RowChanges) {
    if text.isEmpty {
      if kinds[slot] == .text || kinds[slot] == .id {
        changes.set(slot, text: text)
      } else {
        changes.setNull(slot)
      }
      return
    }
    switch kinds[slot] {
    case .geopoint:
      do throws(GeoPoint.ParseError) {
        let point = try GeoPoint(parsing: text)
        changes.set(slot, latitude: point.latitude, longitude: point.longitude)
      } catch {
        let expected =
          switch error {
          case .notAPoint: "LAT,LON"
          case .latitude: "LAT,LON with -90 ≤ LAT ≤ 90"
          case .longitude: "LAT,LON with -180 ≤ LON ≤ 180"
          }
        changes.report(slot, "expected \(expected), found \(Excerpt.quoted(text))")
      }
    case .file:
      let name = changes.schema.name(of: slot)
      changes.report(
        slot, "expected a file, found text \(Excerpt.quoted(text))",
        hint: "read a file with \(name)@=PATH")
    case .references, .array:
      changes.openList(slot)
      append(text, of: changes.schema.type(of: slot), to: &changes)
      changes.closeList()
    case .id, .text, .integer, .number, .boolean, .datetime, .json, .password, .reference, .system:
      set(slot, cell: text, at: nil, into: &changes)
    }
  }

  /// Appends an element to the open list.
  func append(_ text: Span<UInt8>, of type: FieldType, to changes: inout RowChanges) {
    switch type {
    case .array(.integer), .array(.number):
      if NumberText.isJSONNumber(text) { return changes.append(number: text) }
    case .array(.boolean):
      if text.isEqual(toBytes: Array("true".utf8)) { return changes.append(boolean: true) }
      if text.isEqual(toBytes: Array("false".utf8)) { return changes.append(boolean: false) }
    case .array(.text), .array(.datetime), .id, .text, .integer, .number, .boolean, .datetime,
      .geopoint, .file, .json, .password, .relation:
      break
    }
    changes.append(text: text)
  }
}
