package import DataModel

/// What the keys of records that are named like system fields, such as `created_at`, refer to.
package enum SystemKeys: Sendable {
  /// The system fields.
  case system
  /// The system fields, in a record with the keys of all system fields, as `list` prints it. In any
  /// other record, `created_at` refers to the field `original_created_at` if the schema has it.
  case original
  /// The same as `original`, but if the schema does not have the field, the key is unknown.
  case onlyOriginal
}

/// Resolves the keys of records that are named like system fields, for one schema.
struct SystemKeyResolver: Sendable {
  /// For each system field, the slot of the field with its name if a record does not contain all
  /// system fields. Nil if the name is then an unknown key.
  private let slots: [Int?]
  private let fieldCount: Int
  /// Whether each key refers to its system field, in any record.
  let isTrivial: Bool

  init(_ keys: SystemKeys, of schema: Schema) {
    fieldCount = schema.fields.count
    slots = SystemField.allCases.map { field in
      switch keys {
      case .system: schema.slot(field)
      case .original: schema.slot(named: field.originalName) ?? schema.slot(field)
      case .onlyOriginal: schema.slot(named: field.originalName)
      }
    }
    isTrivial = slots == SystemField.allCases.map { schema.slot($0) }
  }

  /// Returns the slot to which the name of the system field in the given slot refers.
  func slot(for system: Int, hasAllSystemKeys: Bool) -> Int? {
    hasAllSystemKeys ? system : slots[system - fieldCount]
  }
}

extension Schema {
  /// Returns the slot to which a key refers in a record without all system fields.
  package func slot(ofForeignKey key: String) -> Int? {
    slot(named: SystemField(named: key)?.originalName ?? key)
  }
}
