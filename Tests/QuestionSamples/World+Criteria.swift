import DataModel

extension World {
  /// Returns a random criterion that is valid for the field of a path.
  mutating func criterion(_ route: Route, of schema: Schema) -> Criterion {
    let type = route.type
    if type == .file || dice.falls(12), type.relation?.isMany != true { return .isNull }
    if type.isList || type == .json, dice.falls(15) { return .isEmpty }
    if type == .geopoint { return placeCriterion() }
    if dice.falls(10), let other = other(than: route, of: schema) {
      return .comparePath(dice.one(of: Comparison.allCases), other)
    }
    if hasText(type), dice.falls(35) { return textCriterion(type) }
    if type.isList, dice.falls(30) { return .contains(value(type)) }
    switch dice.number(0...5) {
    case 0, 1: return .compare(.equal, value(type))
    case 2, 3: return .compare(dice.one(of: Comparison.allCases), value(type))
    case 4:
      let count = dice.falls(10) ? dice.number(90...300) : dice.number(1...4)
      return .isIn((0..<count).map { _ in value(type) })
    default:
      let ends = [value(type), value(type)]
      let isReversed = ends[0].order(beside: ends[1]) == .after && dice.falls(80)
      return isReversed ? .between(ends[1], ends[0]) : .between(ends[0], ends[1])
    }
  }

  private mutating func placeCriterion() -> Criterion {
    let centre = dice.one(of: Samples.places)
    let other = dice.one(of: Samples.places)
    if dice.falls(20) { return .compare(.equal, .geopoint(centre)) }
    if dice.falls(10) { return .isIn([.geopoint(centre), .geopoint(other)]) }
    if dice.falls(50) {
      let metres = dice.one(of: [0, 1, 1_500, 50_000, 250_000, 5_000_000, 10_010_000, 2.1e7])
      if let circle = GeoCircle(centre: centre, metres: metres) { return .withinCircle(circle) }
    }
    let box = try? GeoBox(southWest: centre, northEast: other)
    let turned = try? GeoBox(southWest: other, northEast: centre)
    return (box ?? turned).map(Criterion.withinBox) ?? .isNull
  }

  private mutating func textCriterion(_ type: FieldType) -> Criterion {
    let letters: LikePattern.Letters = dice.falls(50) ? .exact : .folded
    if dice.falls(60), let pattern = try? LikePattern(dice.one(of: Samples.patterns), letters) {
      return .like(pattern)
    }
    return .contains(type == .json ? value(type) : .text(dice.one(of: Samples.texts)))
  }

  private func hasText(_ type: FieldType) -> Bool {
    switch type {
    case .id, .text, .json, .relation, .array(.text): true
    case .integer, .number, .boolean, .datetime, .geopoint, .file, .password, .array: false
    }
  }

  /// Returns a value of the type, or of the type of its elements.
  private mutating func value(_ type: FieldType) -> Value {
    switch type {
    case .text, .array(.text): .text(dice.one(of: Samples.texts + Samples.files))
    case .integer, .array(.integer): .integer(dice.one(of: Samples.integers))
    case .number, .array(.number): .number(dice.one(of: Samples.numbers))
    case .boolean, .array(.boolean): .boolean(dice.falls(50))
    case .datetime, .array(.datetime): .datetime(dice.one(of: Samples.times))
    case .geopoint: .geopoint(dice.one(of: Samples.places))
    case .json: dice.one(of: Samples.jsonValues)
    case .relation(let relation): .text(Self.id(dice.number(1...6), of: relation.target))
    case .id, .file, .password: .text(Self.id(dice.number(1...6), of: "item"))
    }
  }

  /// Returns the path of another field that can be compared with a path.
  private mutating func other(than route: Route, of schema: Schema) -> FieldPath? {
    let type: FieldType =
      switch route.type {
      case .array(let element): element.fieldType
      case .id, .relation: .text
      case .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
        route.type
      }
    guard type != .json, type != .geopoint, type != .file else { return nil }
    let slots = (0..<schema.width).filter { slot in
      let other = schema.type(of: slot)
      let isText = other == .id || other.relation?.isMany == false
      return other == type || type == .text && isText
    }
    return slots.isEmpty ? nil : FieldPath(schema.name(of: dice.one(of: slots)))
  }
}
