package import DataModel

/// A random write of one record.
package struct SampleWrite: Sendable {
  package enum Kind: Sendable {
    case save(RowChanges, SavePolicy.Mode)
    case delete
  }

  package var schema: Schema
  package var id: String
  package var kind: Kind
}

extension SampleWrite: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .save(let chunk, let mode): "\(mode) \(chunk.rows.values(ofRow: 0, in: schema))"
    case .delete: "delete \(id)"
    }
  }
}

extension SampleData {
  /// Returns a random write of an existing or a new record. Some of its references are dangling.
  package mutating func write() throws(DataError) -> SampleWrite {
    let schema = random.pick(catalog.schemas)
    let number = random.number(1...16)
    let id = Self.id(number, of: schema.name)
    if schema.kind == .records, random.chance(15) {
      return SampleWrite(schema: schema, id: id, kind: .delete)
    }
    let counts = catalog.schemas.map { ($0.name, 8) }
    var chunk = RowChanges(for: schema)
    chunk.beginRecord(line: 1)
    chunk.set(schema.keySlot, text: id.utf8.span)
    for slot in schema.fields.indices where slot != schema.keySlot && random.chance(40) {
      set(slot, of: schema, in: &chunk, counts)
    }
    if let error = DataError(chunk.endRecord()) { throw error }
    let mode = random.pick([SavePolicy.Mode.create, .update, .createOrChange, .replace])
    return SampleWrite(schema: schema, id: id, kind: .save(chunk, mode))
  }

  /// Returns a random condition for an access rule. Some conditions are true or false for every
  /// record.
  package mutating func rule(of schema: Schema) -> Condition {
    if random.chance(30) { return .all }
    if random.chance(10) { return .not(.all) }
    let condition = condition(of: schema, depth: 2)
    return random.chance(50) ? condition.negation : condition
  }
}
