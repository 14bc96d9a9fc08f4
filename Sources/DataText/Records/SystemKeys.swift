package import DataModel

/// Determines how keys with the names of system fields, such as `created_at`, are interpreted in
/// records.
package enum SystemKeys: Sendable {
  /// The keys refer to the system fields.
  case system
  /// The meaning depends on the record. If a record has the keys of all system fields, like the
  /// records that `list` prints, the keys refer to the system fields. In any other record, each key
  /// refers to a field with the prefix `original_`: `created_at` refers to `original_created_at`.
  /// If the schema does not have this field, the key is unknown.
  case original
}

/// Finds the field that is set by a key with the name of a system field, such as `created_at`, in
/// the records of one schema.
struct SystemKeyResolver: Sendable {
  /// For each system field, the slot (position in a row) to which its key refers in a record that
  /// does not contain all system fields. Nil if the key is unknown in such a record.
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

  /// Returns the slot (position in a row) of the field that is set by a key with the name of a
  /// system field. Returns nil if the record cannot contain this key.
  ///
  /// - Parameters:
  ///   - system: The slot of the system field that has this name.
  ///   - hasAllSystemKeys: Whether the record contains the keys of all system fields.
  func slot(for system: Int, hasAllSystemKeys: Bool) -> Int? {
    hasAllSystemKeys ? system : slots[system - fieldCount]
  }
}

extension Schema {
  /// Returns the slot (position in a row) of the field that a key sets in a record without all
  /// system fields, or nil if there is no such field. In such a record, `created_at` sets
  /// `original_created_at`, and the same applies to the other names of system fields.
  package func slot(ofForeignKey key: String) -> Int? {
    slot(named: SystemField(named: key)?.originalName ?? key)
  }
}
