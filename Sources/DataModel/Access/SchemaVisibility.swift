/// What a caller knows of a schema.
package struct SchemaVisibility: Hashable, Sendable {
  /// The slots of the fields that the caller may not read. Their names are unknown to the caller.
  package var hiddenSlots: Set<Int>
  /// Whether the caller may read at least some records.
  package var isReadable: Bool
}

extension Schema {
  /// The slots of the fields that the caller may not read. A schema in a store has none.
  package var hiddenSlots: Set<Int> { visibility?.hiddenSlots ?? [] }

  /// The slots of the fields and system fields whose names are known to the caller.
  package var knownSlots: [Int] {
    guard let visibility, !visibility.hiddenSlots.isEmpty else { return Array(0..<width) }
    return (0..<width).filter { !visibility.hiddenSlots.contains($0) }
  }

  /// The slots of the declared fields whose names are known to the caller.
  package var knownFieldSlots: [Int] {
    let hiddenSlots = hiddenSlots
    return fields.indices.filter { !hiddenSlots.contains($0) }
  }

  /// The names of the declared fields that are known to the caller.
  package var knownFieldNames: [String] { knownFieldSlots.map { fields[$0].name } }

  /// Returns a copy of the schema for a caller. The copy is equal to the schema, and its fields keep
  /// their slots, but the name table lacks the names of hidden fields.
  func known(as visibility: SchemaVisibility) -> Schema {
    Schema(
      name: name, doc: doc, kind: kind, fields: fields, indexes: indexes, properties: properties,
      keySlot: keySlot, access: access, roles: roles, visibility: visibility)
  }

  /// The schema as its caller sees it: without access rules, and without the hidden fields and
  /// everything that names them.
  package var shown: Schema {
    if visibility == nil { return self }
    let shownSlots = knownFieldSlots
    let names = Set(shownSlots.map { fields[$0].name })
    return Schema(
      name: name, doc: doc, kind: kind,
      fields: shownSlots.map { slot in
        var field = fields[slot]
        field.access = FieldAccess()
        return field
      },
      indexes: indexes.filter { $0.terms.allSatisfy { names.contains($0.field) } },
      properties: properties.filter { names.contains($0.field) },
      keySlot: shownSlots.firstIndex(of: keySlot) ?? keySlot)
  }
}
