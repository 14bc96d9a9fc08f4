package import DataModel
import JSONText

/// Random schemas with random valid records. The same seed always creates the same data.
package struct SampleData: Sendable {
  package let catalog: Catalog
  /// The records of each schema, which contain only their ids. They are saved first, so that the
  /// complete records can refer to each other.
  package private(set) var keyChunks: [String: RowChanges] = [:]
  /// The complete records of each schema. They are saved after the records that contain only ids.
  package private(set) var chunks: [String: RowChanges] = [:]
  /// The expected contents of a store: the records by schema and id.
  package private(set) var records: [String: [[UInt8]: Rows]] = [:]
  /// The time and the user with which the records are saved.
  package let stamp: Stamp
  var random: SeededRandom

  package init(seed: UInt64, recordsPerSchema: Int = 12) throws(DataError) {
    random = SeededRandom(seed: seed)
    catalog = try Self.catalog(&random)
    guard let noon = Samples.times.dropFirst(5).first else {
      throw DataError(.failed, "there is no time to make records")
    }
    stamp = Stamp(time: noon, user: random.chance(70) ? "user-1" : nil)
    let counts = catalog.schemas.map {
      ($0.name, random.number(recordsPerSchema / 2...recordsPerSchema))
    }
    for (name, count) in counts {
      try addRecords(of: try catalog.schema(name), count: count, counts)
    }
  }

  /// The records, for the evaluation of conditions.
  package var related: RelatedRecords { RelatedRecords(catalog, records) }

  private mutating func addRecords(
    of schema: Schema, count: Int, _ counts: [(String, Int)]
  ) throws(DataError) {
    var (keyChunk, chunk) = (RowChanges(for: schema), RowChanges(for: schema))
    for number in 1...count {
      let id = Self.id(number, of: schema.name)
      keyChunk.beginRecord(line: number)
      keyChunk.set(schema.keySlot, text: id.utf8.span)
      chunk.beginRecord(line: number)
      chunk.set(schema.keySlot, text: id.utf8.span)
      for slot in schema.fields.indices where slot != schema.keySlot {
        set(slot, of: schema, in: &chunk, counts)
      }
      if let error = DataError(keyChunk.endRecord() + chunk.endRecord()) { throw error }
    }
    keyChunks[schema.name] = keyChunk
    chunks[schema.name] = chunk
    for row in 0..<count {
      _ = keyChunk.resolve(row, over: nil, by: SavePolicy(), stamp: stamp)
      _ = chunk.resolve(row, over: keyChunk.rows, at: row, by: SavePolicy(), stamp: stamp)
      records[schema.name, default: [:]][Array(Self.id(row + 1, of: schema.name).utf8)] =
        Self.record(row, of: chunk.rows, width: schema.width)
    }
  }

  private static func record(_ row: Int, of rows: Rows, width: Int) -> Rows {
    var record = Rows(width: width)
    record.addRow()
    for slot in 0..<width {
      let cell = rows[row, slot]
      switch cell.kind {
      case .missing, .null, .integer, .number: record[0, slot] = cell
      case .input, .arena: record[0, slot] = rows.withBytes(of: cell) { record.store($0) }
      }
    }
    return record
  }

  /// Returns the id of the nth record of a schema.
  static func id(_ number: Int, of schema: String) -> String { "\(schema)-\(number)" }
}

extension SampleData {
  /// Returns schemas that refer to each other. Each has a random subset of its possible fields.
  static func catalog(_ random: inout SeededRandom) throws(DataError) -> Catalog {
    let towns = draft("town", townFields, &random)
    let items = draft("item", itemFields, &random)
    var users = draft("user", [Field("town", .relation(Relation(to: "town")))], &random)
    users.kind = .user
    users.fields[0].field.name = "username"
    users.fields.append(.init(Field("password", .password)))
    return try Catalog(
      checking: [
        try Schema(checking: towns), try Schema(checking: users), try Schema(checking: items),
      ])
  }

  private static var townFields: [Field] {
    [
      Field("name", .text), Field("population", .integer), Field("place", .geopoint),
      Field("mayor", .relation(Relation(to: "user"))),
      Field("items", .relation(Relation(to: "item", isMany: true, inverse: "listings"))),
    ]
  }

  private static var itemFields: [Field] {
    [
      Field("title", .text), Field("like", .text), Field("stock", .integer),
      Field("least_stock", .integer), Field("price", .number), Field("done", .boolean),
      Field("cost", .decimal(digits: 12, scale: 2)),
      Field("weight", .decimal(digits: 18, scale: 6)),
      Field("due", .datetime), Field("day", .date), Field("place", .geopoint),
      Field("photo", .file),
      Field("details", .json), Field("owner", .relation(Relation(to: "user"))),
      Field("town", .relation(Relation(to: "town"))),
      Field("parent", .relation(Relation(to: "item", inverse: "children"))),
      Field("parts", .relation(Relation(to: "item", isMany: true, inverse: "wholes"))),
      Field("towns", .relation(Relation(to: "town", isMany: true))),
      Field("tags", .array(.text)), Field("sizes", .array(.integer)),
      Field("weights", .array(.number)), Field("flags", .array(.boolean)),
      Field("times", .array(.datetime)), Field("days", .array(.date)),
    ]
  }

  private static func draft(
    _ name: String, _ fields: [Field], _ random: inout SeededRandom
  ) -> SchemaDraft {
    var draft = SchemaDraft(name: name)
    draft.fields = [.init(Field("\(name)_id", .id))]
    for field in fields.shuffled(using: &random) where random.chance(75) {
      draft.fields.append(.init(field))
    }
    let names = draft.fields.map(\.field.name)
    for terms in [["parent", "stock"], ["town", "due", "title"]]
    where terms.allSatisfy(names.contains) {
      draft.indexes.append(SchemaDraft.IndexDraft(terms.map { OrderTerm($0) }))
    }
    return draft
  }
}

extension SampleData {
  /// Returns a random number that a decimal field can store. Small numbers are frequent, so that
  /// many values are equal.
  mutating func decimal(_ digits: DecimalDigits) -> DecimalValue {
    let limit = Int(DecimalValue.power(random.chance(50) ? 1 : digits.digits)) - 1
    return DecimalValue(
      coefficient: Int128(random.number(-limit...limit)), scale: digits.scale)
  }

  /// Sets a field of the chunk's last record to a random value or null. The record is still being
  /// built.
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
    case .decimal(let digits):
      chunk.set(slot, number: decimal(digits).description.utf8.span)
    case .boolean: chunk.set(slot, boolean: random.chance(50))
    case .date: chunk.set(slot, text: random.pick(Samples.dates).description.utf8.span)
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
    case .date: chunk.append(text: random.pick(Samples.dates).description.utf8.span)
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
