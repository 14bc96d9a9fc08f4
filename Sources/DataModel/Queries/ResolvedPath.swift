/// A path whose names have been looked up in the schemas of a catalog.
package struct ResolvedPath: Hashable, Sendable {
  /// A relation that the path follows from one record to the next.
  package struct Hop: Hashable, Sendable {
    /// The slot of the relation, or of a system field that contains a user's id.
    package var slot: Int
    /// The name of the referenced schema.
    package var target: String
    package var isMany: Bool
    /// Whether the hop follows a system field, which may contain the id of a deleted user.
    package var isSystemField = false

    package init(slot: Int, target: String, isMany: Bool, isSystemField: Bool = false) {
      self.slot = slot
      self.target = target
      self.isMany = isMany
      self.isSystemField = isSystemField
    }
  }

  /// The part of the field's value that the path selects.
  package enum Part: Hashable, Sendable {
    case whole
    case latitude
    case longitude
    case fileName
    case fileType
    case fileSize
    case fileHash
    /// The value at a path of nested keys in JSON.
    case keys([String])
  }

  /// The relations to follow, in order.
  package var hops: [Hop]
  /// The schema that contains the field: the target of the last hop, or the schema at which the
  /// path starts.
  package var schema: Schema
  /// The slot of the field in `schema`.
  package var slot: Int
  package var part: Part
  /// The type of the selected part.
  package var type: FieldType

  /// Whether the path has at most one value. False if the path follows a to-many relation, or if
  /// the field is a list or JSON.
  package var isSingle: Bool { !type.isList && !hops.contains { $0.isMany } && type != .json }
}

/// The error for a path that cannot be resolved, and the index of the name that caused it.
package struct PathError: Error, Hashable, Sendable {
  package var index: Int
  package var message: String
  package var hint: String?
  /// The name of the schema in which the wrong name was looked up.
  package var schema: String
  /// Whether the path leads to a password. If so, callers must not include the compared value in
  /// messages.
  package var isSecret = false
}

extension DataError {
  /// Creates the error for a query with a path that cannot be resolved.
  package init(_ error: PathError) {
    self.init(Problem(.usage, error.message, hint: error.hint, schema: error.schema))
  }
}

/// A function that returns the record with the given id as the only row, or nil if the record does
/// not exist.
package typealias RecordLookup = (_ schema: String, _ id: [UInt8]) -> Rows?

extension ResolvedPath {
  /// Returns whether any value at the path satisfies the predicate. A list counts as one value, and
  /// a reference to a missing record counts as null.
  func anyValue(
    from rows: Rows, _ row: Int, _ records: RecordLookup, is predicate: (Value) -> Bool
  ) -> Bool {
    anyValue(from: rows, row, hops[...], records, is: predicate)
  }

  /// Returns the value at a path that follows only to-one relations.
  package func value(from rows: Rows, _ row: Int, _ records: RecordLookup) -> Value {
    var result = Value.null
    _ = anyValue(from: rows, row, records) { value in
      result = value
      return true
    }
    return result
  }

  private func anyValue(
    from rows: Rows, _ row: Int, _ hops: ArraySlice<Hop>, _ records: RecordLookup,
    is predicate: (Value) -> Bool
  ) -> Bool {
    guard let hop = hops.first else {
      return predicate(ownValue(of: rows, row))
    }
    let ids: [Value]
    if hop.isMany {
      guard case .list(let list) = rows.value(rows[row, hop.slot], of: .array(.text)) else {
        return false
      }
      ids = list
    } else {
      ids = [rows.value(rows[row, hop.slot], of: .text)]
    }
    return ids.contains { id in
      guard case .text(let id) = id, let target = records(hop.target, Array(id.utf8)) else {
        return predicate(.null)
      }
      return anyValue(from: target, 0, hops.dropFirst(), records, is: predicate)
    }
  }

  /// Returns the value that the path selects in a row of `schema`. The caller must have followed
  /// all relations of the path to find the row.
  private func ownValue(of rows: Rows, _ row: Int) -> Value {
    let cell = rows[row, slot]
    if case .keys(let keys) = part { return jsonValue(of: rows, cell, under: keys) }
    let whole = schema.type(of: slot)
    if whole == .json { return jsonValue(of: rows, cell, under: []) }
    let value = rows.value(cell, of: whole)
    switch (part, value) {
    case (.latitude, .geopoint(let point)): return .number(point.latitude)
    case (.longitude, .geopoint(let point)): return .number(point.longitude)
    case (.fileName, .file(let file)): return .text(file.name)
    case (.fileType, .file(let file)): return .text(file.type)
    case (.fileSize, .file(let file)): return .integer(file.size)
    case (.fileHash, .file(let file)): return .text(file.sha256)
    case (.whole, _), (.latitude, _), (.longitude, _), (.fileName, _), (.fileType, _),
      (.fileSize, _), (.fileHash, _), (.keys, _):
      return value
    }
  }

  private func jsonValue(of rows: Rows, _ cell: Cell, under keys: [String]) -> Value {
    guard cell.hasValue else { return .null }
    return rows.withBytes(of: cell) { JSONPathEvaluator.value(under: keys, in: $0) }
  }
}
