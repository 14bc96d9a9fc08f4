import JSONText

/// A path whose names have been looked up in the schemas of a catalog.
package struct ResolvedPath: Hashable, Sendable {
  /// One step of a path: the relation, or the inverse of a relation, that the path follows from one
  /// record to the related records.
  package struct Hop: Hashable, Sendable {
    /// The direction in which a step of the path follows a relation.
    package enum Direction: Hashable, Sendable {
      /// From a record to the records that its relation references.
      case forward
      /// From a record to the user whose id is in a system field. The user may have been deleted.
      case toUser
      /// From a record to the records that reference it. `key` is the slot of the id in the
      /// referenced record.
      case inverse(key: Int)
    }

    /// The slot (field index) of the relation or system field. For the inverse of a relation, it is
    /// the slot of this relation in the referencing schema, `target`.
    package var slot: Int
    /// The slot to read in a record to find the related records: the slot of the relation or system
    /// field. If the step follows the inverse of a relation, it is the slot of the id.
    package var sourceSlot: Int { if case .inverse(let key) = direction { key } else { slot } }
    /// The name of the schema of the related records.
    package var target: String
    package var isMany: Bool
    package var direction: Direction
    /// The slot of the field that orders the related records, if they are the parts of a record; nil
    /// if their ids do.
    package var positionSlot: Int?

    package init(
      slot: Int, target: String, isMany: Bool, direction: Direction = .forward
    ) {
      self.slot = slot
      self.target = target
      self.isMany = isMany
      self.direction = direction
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
  /// The schema that contains the field: the target of the last element of `hops`, or the schema at
  /// which the path begins if `hops` is empty.
  package var schema: Schema
  /// The slot of the field in `schema`.
  package var slot: Int
  package var part: Part
  /// The type of the value at the path: the type of the field, or of the selected part of its
  /// value.
  package var type: FieldType

  /// Whether the path ends with the inverse of a relation, so that its values are the ids of the
  /// referencing records.
  package var endsInInverse: Bool {
    guard case .inverse? = hops.last?.direction else { return false }
    return type.relation != nil && slot == schema.keySlot
  }

  /// Whether the path leads to a key inside JSON.
  package var isInJSON: Bool { if case .keys = part { true } else { false } }

  /// The nested keys inside JSON to which the path leads, or an empty array if it leads to a whole
  /// value.
  package var keys: [String] { if case .keys(let keys) = part { keys } else { [] } }

  /// Whether the path has at most one value. False if the path follows a to-many relation, or if
  /// the field is a list or JSON.
  package var isSingle: Bool { !type.isList && !hops.contains { $0.isMany } && type != .json }
}

/// The error for a path that cannot be resolved: a message, and the index of the wrong name among
/// the names of the path.
package struct PathError: Error, Hashable, Sendable {
  package var index: Int
  package var message: String
  package var hint: String?
  /// The name of the schema in which the wrong name was looked up.
  package var schema: String
  /// Whether the path leads to a password. If so, callers must not include the compared value in
  /// messages.
  package var isSecret = false
  /// Whether the wrong name is neither a field of the schema nor the inverse of a relation in the
  /// catalog.
  package var isUnknownName = false
}

extension DataError {
  /// Creates the error for a query with a path that cannot be resolved.
  package init(_ error: PathError) {
    self.init(Problem(.usage, error.message, hint: error.hint, schema: error.schema))
  }
}

/// A lookup of related records. It is needed to evaluate paths for records in memory.
package protocol RecordLookup {
  /// Returns rows that contain only the record with the given id, or nil if the record does not
  /// exist.
  func record(_ id: [UInt8], in schema: String) -> Rows?

  /// Returns the ids of the records that reference the record with the given id.
  ///
  /// - Parameters:
  ///   - id: The id of the referenced record.
  ///   - schema: The name of the schema of the referencing records.
  ///   - slot: The slot of the relation in this schema.
  func referrers(to id: [UInt8], from schema: String, slot: Int) -> [[UInt8]]

  /// Returns whether the caller may read the record with the given id. If not, the other methods
  /// behave as if the record did not exist.
  func isReadable(_ id: [UInt8], in schema: String) -> Bool
}

extension RecordLookup {
  package func isReadable(_ id: [UInt8], in schema: String) -> Bool { true }
}

extension ResolvedPath.Hop {
  /// Returns the ids of the records that refer to the record in a row: parts in the order of their
  /// positions, of which null is the first, and others in the order of their ids.
  func sortedReferrers(of rows: Rows, _ row: Int, _ records: some RecordLookup) -> [[UInt8]] {
    let ids = targets(of: rows, row, records).compactMap(\.self)
      .sorted { $0.lexicographicallyPrecedes($1) }
    guard let positionSlot else { return ids }
    let positions = ids.map { id in
      records.record(id, in: target).map { $0[0, positionSlot] }.flatMap { cell in
        cell.hasValue ? cell.integer : nil
      } ?? .min
    }
    return ids.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }.map { ids[$0] }
  }

  /// Returns the records that are related to the record in a row, each in rows of its own.
  func records(of rows: Rows, _ row: Int, _ records: some RecordLookup) -> [Rows] {
    targets(of: rows, row, records).compactMap { id in
      id.flatMap { records.record($0, in: target) }
    }
  }

  /// Returns the ids of the records that are related to the record in a row. If a to-one relation
  /// is null, the only element of the result is nil.
  func targets(of rows: Rows, _ row: Int, _ records: some RecordLookup) -> [[UInt8]?] {
    switch direction {
    case .inverse(let key):
      return records.referrers(
        to: Array(rows.text(rows[row, key]).utf8), from: target, slot: slot)
    case .forward, .toUser:
      let value = rows.value(rows[row, slot], of: isMany ? .array(.text) : .text)
      if case .text(let id) = value { return [Array(id.utf8)] }
      guard case .list(let ids) = value else { return isMany ? [] : [nil] }
      let targets = ids.map { id in
        if case .text(let id) = id { Array(id.utf8) } else { [UInt8]?.none }
      }
      return targets.filter { id in id.map { records.isReadable($0, in: target) } ?? true }
    }
  }
}

extension ResolvedPath {
  /// Returns whether any value at the path satisfies the predicate. A list counts as one value, and
  /// a reference to a missing record counts as null.
  func anyValue(
    from rows: Rows, _ row: Int, _ records: some RecordLookup, is predicate: (Value) -> Bool
  ) -> Bool {
    anyRow(from: rows, row, hops[...], records) { found in
      predicate(found.map { ownValue(of: $0.rows, $0.row) } ?? .null)
    }
  }

  /// Returns the JSON text at the path, or null if the record has no value there. The path must
  /// follow only to-one relations.
  func json(from rows: Rows, _ row: Int, _ records: some RecordLookup) -> Value {
    var result = Value.null
    let keys = keys
    _ = anyRow(from: rows, row, hops[...], records) { found in
      guard let (rows, row) = found, rows[row, slot].hasValue else { return true }
      result = rows.withBytes(of: rows[row, slot]) { JSONPathEvaluator.text(under: keys, in: $0) }
      return true
    }
    return result
  }

  /// Returns the value at the path, which must follow only to-one relations.
  package func value(from rows: Rows, _ row: Int, _ records: some RecordLookup) -> Value {
    var result = Value.null
    _ = anyValue(from: rows, row, records) { value in
      result = value
      return true
    }
    return result
  }

  /// Returns the elements of the list at the path, which must follow only to-one relations to the
  /// list. Elements of JSON are canonical JSON text, if they are scalars.
  package func elements(from rows: Rows, _ row: Int, _ records: some RecordLookup) -> [Value] {
    if endsInInverse, let hop = hops.last {
      return hop.targets(of: rows, row, records).compactMap { id in
        id.map { .text(String(decoding: $0, as: UTF8.self)) }
      }
    }
    if type == .json {
      guard case .json(let text) = json(from: rows, row, records) else { return [] }
      let elements = JSONPathEvaluator.elements(ofArray: text.utf8.span) ?? []
      return elements.map { .json(String(decoding: JSONForm.text(of: $0), as: UTF8.self)) }
    }
    guard case .list(let elements) = value(from: rows, row, records) else { return [] }
    guard let target = type.relation?.target else { return elements }
    return elements.filter { element in
      if case .text(let id) = element {
        records.isReadable(Array(id.utf8), in: target)
      } else {
        false
      }
    }
  }

  /// Returns whether any record that is reached by following the relations satisfies the predicate.
  /// The predicate is called with nil for a record that does not exist.
  private func anyRow(
    from rows: Rows, _ row: Int, _ hops: ArraySlice<Hop>, _ records: some RecordLookup,
    is predicate: ((rows: Rows, row: Int)?) -> Bool
  ) -> Bool {
    guard let hop = hops.first else { return predicate((rows, row)) }
    return hop.targets(of: rows, row, records).contains { id in
      guard let id, let target = records.record(id, in: hop.target) else { return predicate(nil) }
      return anyRow(from: target, 0, hops.dropFirst(), records, is: predicate)
    }
  }

  /// Returns the value of the path's field, or of the selected part, in a row of `schema`. Does not
  /// follow the relations of the path.
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
    case (_, _): return value
    }
  }

  private func jsonValue(of rows: Rows, _ cell: Cell, under keys: [String]) -> Value {
    guard cell.hasValue else { return .null }
    return rows.withBytes(of: cell) { JSONPathEvaluator.value(under: keys, in: $0) }
  }
}
