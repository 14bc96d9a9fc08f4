import DataModel

extension SampleData {
  /// Returns a random criterion that is valid for the field of a path.
  mutating func criterion(_ resolvedPath: ResolvedPath, of schema: Schema) -> Criterion {
    let type = resolvedPath.type
    if type == .file || random.chance(12), type.relation?.isMany != true { return .isNull }
    if type.isList || type == .json, random.chance(15) { return .isEmpty }
    if type == .geopoint { return pointCriterion() }
    if random.chance(10), let other = other(than: resolvedPath, of: schema) {
      return .comparePath(random.pick(Comparison.allCases), other)
    }
    if hasText(type), random.chance(35) { return textCriterion(type) }
    if type.isList, random.chance(30) { return .contains(value(type)) }
    switch random.number(0...5) {
    case 0, 1: return .compare(.equal, value(type))
    case 2, 3: return .compare(random.pick(Comparison.allCases), value(type))
    case 4:
      let count = random.chance(10) ? random.number(90...300) : random.number(1...4)
      return .isIn((0..<count).map { _ in value(type) })
    default:
      let ends = [value(type), value(type)]
      let isReversed = ends[0].order(comparedTo: ends[1]) == .after && random.chance(80)
      return isReversed ? .between(ends[1], ends[0]) : .between(ends[0], ends[1])
    }
  }

  private mutating func pointCriterion() -> Criterion {
    let center = random.pick(Samples.points)
    let other = random.pick(Samples.points)
    if random.chance(20) { return .compare(.equal, .geopoint(center)) }
    if random.chance(10) { return .isIn([.geopoint(center), .geopoint(other)]) }
    if random.chance(50) {
      let meters = random.pick([0, 1, 1_500, 50_000, 250_000, 5_000_000, 10_010_000, 2.1e7])
      if let circle = GeoCircle(center: center, meters: meters) { return .withinCircle(circle) }
    }
    let box = try? GeoBox(southWest: center, northEast: other)
    let swapped = try? GeoBox(southWest: other, northEast: center)
    return (box ?? swapped).map(Criterion.withinBox) ?? .isNull
  }

  private mutating func textCriterion(_ type: FieldType) -> Criterion {
    let letters: LikePattern.Letters = random.chance(50) ? .exact : .folded
    if random.chance(60), let pattern = try? LikePattern(random.pick(Samples.patterns), letters) {
      return .like(pattern)
    }
    return .contains(type == .json ? value(type) : .text(random.pick(Samples.texts)))
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
    case .text, .array(.text): .text(random.pick(Samples.texts + Samples.files))
    case .integer, .array(.integer): .integer(random.pick(Samples.integers))
    case .number, .array(.number): .number(random.pick(Samples.numbers))
    case .boolean, .array(.boolean): .boolean(random.chance(50))
    case .datetime, .array(.datetime): .datetime(random.pick(Samples.times))
    case .geopoint: .geopoint(random.pick(Samples.points))
    case .json: random.pick(Samples.jsonValues)
    case .relation(let relation): .text(Self.id(random.number(1...6), of: relation.target))
    case .id, .file, .password: .text(Self.id(random.number(1...6), of: "item"))
    }
  }

  /// Returns the path of another field that can be compared with a path.
  private mutating func other(than resolvedPath: ResolvedPath, of schema: Schema) -> FieldPath? {
    let type: FieldType =
      switch resolvedPath.type {
      case .array(let element): element.fieldType
      case .id, .relation: .text
      case .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
        resolvedPath.type
      }
    guard type != .json, type != .geopoint, type != .file else { return nil }
    let slots = (0..<schema.width).filter { slot in
      let other = schema.type(of: slot)
      let isText = other == .id || other.relation?.isMany == false
      return other == type || type == .text && isText
    }
    return slots.isEmpty ? nil : FieldPath(schema.name(of: random.pick(slots)))
  }
}
