/// The parts of a schema that are visible to a caller.
package struct SchemaVisibility: Hashable, Sendable {
  /// The slots of the fields that the caller may not read. To the caller, these fields do not
  /// exist.
  package var hiddenSlots: Set<Int>
  /// Whether the caller may read at least some records.
  package var isReadable: Bool
}

extension Schema {
  /// The slots of the fields that the caller may not read. Empty if `visibility` is nil, because
  /// the caller may then read all fields.
  package var hiddenSlots: Set<Int> { visibility?.hiddenSlots ?? [] }

  /// The slots of the fields and system fields that are not hidden from the caller.
  package var knownSlots: [Int] {
    guard let visibility, !visibility.hiddenSlots.isEmpty else { return Array(0..<width) }
    return (0..<width).filter { !visibility.hiddenSlots.contains($0) }
  }

  /// The slots of the declared fields that are not hidden from the caller.
  package var knownFieldSlots: [Int] {
    let hiddenSlots = hiddenSlots
    return fields.indices.filter { !hiddenSlots.contains($0) }
  }

  /// The names of the declared fields that are not hidden from the caller.
  package var knownFieldNames: [String] { knownFieldSlots.map { fields[$0].name } }

  /// Returns the existing name that the caller probably meant by an unknown name, or nil if no name
  /// is similar.
  ///
  /// - Parameter names: The possible names. By default, these are the names of the declared fields.
  package func suggestedName(for name: String, among names: [String]? = nil) -> String? {
    let names = names ?? knownFieldNames
    let suggested = Names.suggested(for: name) ?? name
    if names.contains(suggested) { return suggested }
    return suggested == "id" ? key.name : nearest(name, among: names)
  }

  /// Returns a copy of the schema in which hidden fields cannot be found by name. All fields keep
  /// their slots. The copy is equal to the schema, because `==` ignores the visibility.
  func known(as visibility: SchemaVisibility) -> Schema {
    Schema(
      name: name, doc: doc, kind: kind, fields: fields, indexes: indexes, properties: properties,
      keySlot: keySlot, access: access, roles: roles, disabled: disabled, visibility: visibility)
  }

  /// The schema as it is shown to the caller. It has no access rules, no hidden fields, and no
  /// indexes or properties of hidden fields.
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
