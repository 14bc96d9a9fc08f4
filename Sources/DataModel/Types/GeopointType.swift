extension TypeDescriptor {
  static let geopoint = TypeDescriptor(
    name: "geopoint", synonyms: ["point", "location"],
    declaration: .nothing, storeFormat: 1, storage: .point, scale: nil, textForm: .json,
    kind: .geopoint, family: nil, isOrdered: false,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: true), indexSize: 0,
    phrases: Phrases(
      withArticle: "a geopoint", expectation: "geopoint, such as {\"lat\": 47.37, \"lon\": 8.54}",
      operand: "a point, such as (47.37, 8.54)", bounds: ("", "")),
    sample: (try? GeoPoint(latitude: 0, longitude: 0)).map(Value.geopoint) ?? .null,
    setText: { changes, slot, text, _ in changes.set(slot, geopoint: text) },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil, element: nil,
    parse: { (text) throws(ValueTextError) in
      do throws(GeoPoint.ParseError) {
        return .geopoint(try GeoPoint(parsing: text))
      } catch {
        throw .invalid(error.message(found: Excerpt.quoted(text)), hint: nil)
      }
    }, literal: nil,
    conversion: { _ in nil },
    value: { rows, cell in
      rows.withBytes(of: cell) { GeoPoint(bytes: $0) }.map(Value.geopoint) ?? .null
    },
    postgresType: "double precision", jsonSchema: schema, writtenJSONSchema: schema,
    typeScript: .point,
    equivalents: Equivalents(
      json: "{\"lat\":…,\"lon\":…}", swift: "GeoPoint", sqlite: "two REAL, INTEGER",
      postgres: "two double precision", telerik: "GeoPoint", stackMob: "GeoPoint",
      backendless: "POINT", coreData: "Transformable"))

  private static let schema = """
    {"type":"object","properties":{"lat":{"type":"number","minimum":-90,"maximum":90},\
    "lon":{"type":"number","minimum":-180,"maximum":180}},"required":["lat","lon"],\
    "additionalProperties":false}
    """
}

extension RowChanges {
  /// Sets a field to a geographic point of the form `LAT,LON`.
  fileprivate mutating func set(_ slot: Int, geopoint text: Span<UInt8>) {
    do throws(GeoPoint.ParseError) {
      let point = try GeoPoint(parsing: text)
      set(slot, latitude: point.latitude, longitude: point.longitude)
    } catch {
      if setLeniently(slot, text) { return }
      let rule =
        switch error {
        case .notAPoint: ""
        case .latitude: " with -90 ≤ lat ≤ 90"
        case .longitude: " with -180 ≤ lon ≤ 180"
        }
      reportMismatch(slot, found: "text \(Excerpt.quoted(text))", rule: rule)
    }
  }
}
