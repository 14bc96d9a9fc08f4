package import DataModel

/// Determines how keys with the names of system fields, such as `created_at`, are interpreted in
/// records.
package enum SystemKeys: Sendable {
  /// The keys refer to the system fields.
  case system
  /// The meaning of a key depends on the record. If a record has the keys of all system fields,
  /// like the records that `list` prints, the keys refer to the system fields. In any other
  /// record, `created_at` refers to the field `original_created_at`. If the schema does not have
  /// this field, the key is unknown.
  case original
}

/// Finds the field that a key such as `created_at` sets in a record of a schema. The key is the
/// name of a system field, but does not always refer to the system field.
struct SystemKeyResolver: Sendable {
  /// For each system field, the slot (position in a row) of the field that a key with the same name
  /// sets, if the record does not have the keys of all system fields. Nil if the schema has no such
  /// field.
  private let slots: [Int?]
  private let fieldCount: Int
  /// Whether keys with the names of system fields always refer to the system fields.
  let isTrivial: Bool

  init(_ keys: SystemKeys, of schema: Schema) {
    fieldCount = schema.fields.count
    slots = SystemField.allCases.map { field in
      switch keys {
      case .system: schema.slot(field)
      case .original: schema.slot(named: field.originalName)
      }
    }
    isTrivial = keys == .system
  }

  /// Returns the slot (position in a row) of the field that a key sets, if the key is the name of a
  /// system field. Returns nil if the record cannot contain this key.
  ///
  /// - Parameters:
  ///   - system: The slot of the system field with this name.
  ///   - hasAllSystemKeys: Whether the record contains the keys of all system fields.
  func slot(for system: Int, hasAllSystemKeys: Bool) -> Int? {
    hasAllSystemKeys ? system : slots[system - fieldCount]
  }
}

extension Schema {
  /// Returns the slot (position in a row) of the field that a key sets in a record from another
  /// system. There, each name of a system field refers to a field with the prefix `original_`:
  /// `created_at` sets `original_created_at`. Returns nil if the schema does not have this field.
  package func slot(ofForeignKey key: String) -> Int? {
    slot(named: SystemField(named: key)?.originalName ?? key)
  }
}
