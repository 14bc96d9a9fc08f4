import DataModel

extension World {
  /// Sets a field of the open record to a random value or null.
  mutating func set(
    _ slot: Int, of schema: Schema, in batch: inout Changes, _ counts: [(String, Int)]
  ) {
    let type = schema.fields[slot].type
    if type == .password { return }
    if type.relation?.isMany != true, dice.falls(20) { return batch.setNull(slot) }
    switch type {
    case .id, .password: break
    case .text: batch.set(slot, text: dice.one(of: Samples.texts).utf8.span)
    case .integer: batch.set(slot, number: "\(dice.one(of: Samples.integers))".utf8.span)
    case .number:
      batch.set(slot, number: NumberText.text(dice.one(of: Samples.numbers)).utf8.span)
    case .boolean: batch.set(slot, boolean: dice.falls(50))
    case .datetime: batch.set(slot, text: dice.one(of: Samples.times).description.utf8.span)
    case .geopoint:
      let place = dice.one(of: Samples.places)
      batch.set(slot, latitude: place.latitude, longitude: place.longitude)
    case .json: batch.set(slot, json: dice.one(of: Samples.jsons).utf8.span)
    case .file: setFile(slot, in: &batch)
    case .relation(let relation):
      let ids = ids(of: relation.target, counts)
      guard relation.isMany else { return batch.set(slot, text: dice.one(of: ids).utf8.span) }
      batch.openList(slot)
      for id in ids.shuffled(using: &dice).prefix(dice.number(0...3)) {
        batch.append(text: id.utf8.span)
      }
      batch.closeList()
    case .array(let element):
      batch.openList(slot)
      for _ in 0..<dice.number(0...3) { append(element, to: &batch) }
      batch.closeList()
    }
  }

  private mutating func append(_ element: ElementType, to batch: inout Changes) {
    switch element {
    case .text: batch.append(text: dice.one(of: Samples.texts).utf8.span)
    case .integer: batch.append(number: "\(dice.one(of: Samples.integers))".utf8.span)
    case .number:
      batch.append(number: NumberText.text(dice.one(of: Samples.numbers)).utf8.span)
    case .boolean: batch.append(boolean: dice.falls(50))
    case .datetime: batch.append(text: dice.one(of: Samples.times).description.utf8.span)
    }
  }

  private mutating func setFile(_ slot: Int, in batch: inout Changes) {
    let content = Array(repeating: UInt8(ascii: "x"), count: dice.number(0...3))
    var digest = SHA256()
    digest.update(content.span)
    let file = FileReference(
      name: dice.one(of: Samples.files), type: dice.falls(50) ? "image/png" : "text/plain",
      size: Int64(content.count), sha256: digest.hexadecimal())
    batch.set(slot, file: file, content: .bytes(content))
  }

  private func ids(of schema: String, _ counts: [(String, Int)]) -> [String] {
    let count = counts.first { $0.0 == schema }?.1 ?? 0
    return (1...count).map { Self.id($0, of: schema) }
  }
}
