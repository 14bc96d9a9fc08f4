import DataModel

extension SampleData {
  /// Sets a field of the open record to a random value or null.
  mutating func set(
    _ slot: Int, of schema: Schema, in chunk: inout RowChanges, _ counts: [(String, Int)]
  ) {
    let type = schema.fields[slot].type
    if type == .password { return }
    if type.relation?.isMany != true, random.chance(20) { return chunk.setNull(slot) }
    switch type {
    case .id, .password: break
    case .text: chunk.set(slot, text: random.pick(Samples.texts).utf8.span)
    case .integer: chunk.set(slot, number: "\(random.pick(Samples.integers))".utf8.span)
    case .number:
      chunk.set(slot, number: NumberText.text(random.pick(Samples.numbers)).utf8.span)
    case .boolean: chunk.set(slot, boolean: random.chance(50))
    case .datetime: chunk.set(slot, text: random.pick(Samples.times).description.utf8.span)
    case .geopoint:
      let point = random.pick(Samples.points)
      chunk.set(slot, latitude: point.latitude, longitude: point.longitude)
    case .json: chunk.set(slot, json: random.pick(Samples.jsons).utf8.span)
    case .file: setFile(slot, in: &chunk)
    case .relation(let relation):
      let ids = ids(of: relation.target, counts)
      guard relation.isMany else { return chunk.set(slot, text: random.pick(ids).utf8.span) }
      chunk.openList(slot)
      for id in ids.shuffled(using: &random).prefix(random.number(0...3)) {
        chunk.append(text: id.utf8.span)
      }
      chunk.closeList()
    case .array(let element):
      chunk.openList(slot)
      for _ in 0..<random.number(0...3) { append(element, to: &chunk) }
      chunk.closeList()
    }
  }

  private mutating func append(_ element: ElementType, to chunk: inout RowChanges) {
    switch element {
    case .text: chunk.append(text: random.pick(Samples.texts).utf8.span)
    case .integer: chunk.append(number: "\(random.pick(Samples.integers))".utf8.span)
    case .number:
      chunk.append(number: NumberText.text(random.pick(Samples.numbers)).utf8.span)
    case .boolean: chunk.append(boolean: random.chance(50))
    case .datetime: chunk.append(text: random.pick(Samples.times).description.utf8.span)
    }
  }

  private mutating func setFile(_ slot: Int, in chunk: inout RowChanges) {
    let content = Array(repeating: UInt8(ascii: "x"), count: random.number(0...3))
    var digest = SHA256()
    digest.update(content.span)
    let file = FileReference(
      name: random.pick(Samples.files), type: random.chance(50) ? "image/png" : "text/plain",
      size: Int64(content.count), sha256: digest.hexadecimal())
    chunk.set(slot, file: file, content: .bytes(content))
  }

  private func ids(of schema: String, _ counts: [(String, Int)]) -> [String] {
    let count = counts.first { $0.0 == schema }?.1 ?? 0
    return (1...count).map { Self.id($0, of: schema) }
  }
}
