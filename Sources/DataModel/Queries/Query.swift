/// A query for records of a schema: condition, order, range, and columns.
package struct Query: Sendable {
  /// The limit of a page. Either way, the records are returned in the order of the query.
  package enum Bound: Hashable, Sendable {
    /// The records after a cursor.
    case after(Cursor)
    /// The records before a cursor; a limit keeps the last of them.
    case before(Cursor)
  }

  package var schema: Schema
  /// The catalog version against which the query was validated; a store with a newer one rejects
  /// the query. If nil, the schema must be equal to the one in the store.
  package var catalogVersion: Int64?
  package var condition: Condition
  /// The fields to sort by, optionally through to-one relations (names separated by dots). Records
  /// with equal values are sorted by id, in the direction of the last term.
  package var order: [OrderTerm]
  package var bound: Bound?
  /// The maximum number of records.
  package var limit: Int?
  /// The slots of the fields and system fields to return; the cells of others may be missing.
  package var slots: [Int]
  /// Fields reached through to-one relations, whose values are returned in additional cells at the
  /// end of a row.
  package var joinedFields: [FieldPath]
  /// Whether only the number of records is needed, so that the order does not matter; used for
  /// query plans.
  package var isCounted = false

  package init(
    _ schema: Schema, catalogVersion: Int64? = nil, where condition: Condition = .all,
    order: [OrderTerm] = [], bound: Bound? = nil, limit: Int? = nil, slots: [Int]? = nil,
    joinedFields: [FieldPath] = []
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.condition = condition
    self.order = order
    self.bound = bound
    self.limit = limit
    self.slots = slots ?? Array(0..<schema.width)
    self.joinedFields = joinedFields
  }

  /// The number of cells in a row of the result.
  package var width: Int { schema.width + joinedFields.count }

  /// The order, extended by the id in the direction of the last term.
  package var fullOrder: [OrderTerm] {
    let key = schema.key.name
    if let index = order.firstIndex(where: { $0.field == key }) { return Array(order[...index]) }
    return order + [OrderTerm(key, isDescending: order.last?.isDescending ?? false)]
  }
}

extension Query {
  /// A cursor into an ordered query: the values of a record for the terms of the full order, the id
  /// last.
  ///
  /// It stays valid when its record is deleted, so that paging can continue from it.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]

    package init(_ values: [Value]) {
      self.values = values
    }
  }

  /// Returns the query extended by the columns that are needed to create cursors.
  package func withCursors() -> Query {
    var query = self
    for term in fullOrder {
      if let slot = schema.slot(named: term.field) {
        if !query.slots.contains(slot) { query.slots.append(slot) }
      } else {
        let path = FieldPath(dotted: term.field)
        if !query.joinedFields.contains(path) { query.joinedFields.append(path) }
      }
    }
    return query
  }

  /// Returns the cursor of a row in the result. The query must have been extended by `withCursors`.
  package func cursor(of row: Int, in rows: Rows, _ catalog: Catalog) throws(DataError) -> Cursor {
    var values: [Value] = []
    for term in try resolvedOrder(in: catalog) {
      let path = FieldPath(dotted: term.path)
      let cell =
        joinedFields.firstIndex(of: path).map { rows[row, schema.width + $0] }
        ?? rows[row, term.resolvedPath.slot]
      values.append(rows.value(cell, of: term.resolvedPath.type))
    }
    return Cursor(values)
  }
}

/// A sort term with its resolved path.
package struct ResolvedOrder: Hashable, Sendable {
  package var path: String
  package var resolvedPath: ResolvedPath
  package var isDescending: Bool
}

extension Query {
  /// Resolves the terms of the full order. Each must have a single value of a sortable type.
  package func resolvedOrder(in catalog: Catalog) throws(DataError) -> [ResolvedOrder] {
    var resolvedPaths: [ResolvedOrder] = []
    for term in fullOrder {
      let resolvedPath = try catalog.resolvedPath(
        toOne: FieldPath(dotted: term.field), from: schema)
      guard resolvedPath.type.isOrdered else {
        throw .cannot("order by", term.field, resolvedPath.type, of: schema)
      }
      resolvedPaths.append(
        ResolvedOrder(path: term.field, resolvedPath: resolvedPath, isDescending: term.isDescending)
      )
    }
    if let cursor = bound?.cursor, !cursor.matches(resolvedPaths) {
      throw DataError(
        Problem(.usage, "the cursor does not belong to this order", schema: schema.name))
    }
    return resolvedPaths
  }

  /// Resolves the paths of the joined fields. Each must be a field, or a part of a geographic point
  /// or a file.
  package func joinedPaths(in catalog: Catalog) throws(DataError) -> [ResolvedPath] {
    var resolvedPaths: [ResolvedPath] = []
    for path in joinedFields {
      let resolvedPath = try catalog.resolvedPath(toOne: path, from: schema)
      if case .keys = resolvedPath.part {
        throw .cannot("show", path.description, resolvedPath.type, of: schema)
      }
      resolvedPaths.append(resolvedPath)
    }
    return resolvedPaths
  }
}

extension Query.Bound {
  /// The cursor at which the page begins or ends.
  package var cursor: Query.Cursor {
    switch self {
    case .after(let cursor), .before(let cursor): cursor
    }
  }
}

extension Query.Cursor {
  fileprivate func matches(_ resolvedPaths: [ResolvedOrder]) -> Bool {
    guard values.count == resolvedPaths.count, values.last != .null else { return false }
    return zip(values, resolvedPaths).allSatisfy { value, term in
      value.isNullOrValue(of: term.resolvedPath.type)
    }
  }
}

extension Value {
  /// Returns whether the value is null or a value of the given sortable type.
  fileprivate func isNullOrValue(of type: FieldType) -> Bool {
    switch self {
    case .null: true
    case .text: type == .id || type == .text || type.relation != nil
    case .integer: type == .integer
    case .number: type == .number
    case .boolean: type == .boolean
    case .datetime: type == .datetime
    case .geopoint, .file, .json, .list: false
    }
  }
}

extension Catalog {
  /// Resolves a path that may only contain to-one relations.
  func resolvedPath(toOne path: FieldPath, from schema: Schema) throws(DataError) -> ResolvedPath {
    let resolvedPath: ResolvedPath
    do throws(PathError) {
      resolvedPath = try self.resolvedPath(path, from: schema)
    } catch {
      throw DataError(error)
    }
    guard !resolvedPath.hops.contains(where: \.isMany) else {
      throw DataError(
        Problem(
          .usage, "\(path) follows a to-many relation, so it may have several values",
          schema: schema.name, field: path.description))
    }
    return resolvedPath
  }
}

extension DataError {
  static func cannot(
    _ verb: String, _ path: String, _ type: FieldType, of schema: Schema
  ) -> DataError {
    DataError(
      Problem(
        .usage, "cannot \(verb) \(Excerpt.escaped(path)), which is \(type.nameWithArticle)",
        schema: schema.name,
        field: Excerpt.escaped(path)))
  }
}
