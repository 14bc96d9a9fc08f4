/// A query for records of a schema: the condition, the order, the limits of a page, and the columns
/// to return.
package struct Query: Sendable {
  /// The cursor at which a page begins or ends. In both cases, the records are returned in the
  /// order of the query.
  package enum Bound: Hashable, Sendable {
    /// The page contains the records that follow a cursor.
    case after(Cursor)
    /// The page contains the records that precede a cursor. If the query has a limit, the page
    /// contains the records nearest to the cursor.
    case before(Cursor)
  }

  /// A limit on the number of records that have the same value.
  package struct ValueLimit: Hashable, Sendable {
    package var value: Expression
    package var count: Int

    package init(_ value: Expression, count: Int) {
      self.value = value
      self.count = count
    }
  }

  package var schema: Schema
  /// The versions of the schemas against which the query was validated. If nil, the store only
  /// checks that the schema of the query is equal to the stored one.
  package var versions: SchemaVersions?
  /// What the caller may read; nil for administrators.
  package internal(set) var scope: Scope?
  package var condition: Condition
  /// The fields and computed values to sort by. A field of a related record is given as a path
  /// through to-one relations, with names separated by dots. Records with equal values are sorted
  /// by id, in the direction of the last term.
  package var order: [OrderTerm]
  package var bound: Bound?
  /// The maximum number of records to return, or nil for all records.
  package var limit: Int?
  /// The maximum number of records for each value of an expression: the first ones in the order of the
  /// query. Null is a value.
  package var valueLimit: ValueLimit?
  /// The slots of the fields and system fields to return. The cells of other fields may be missing
  /// in the result.
  package var slots: [Int]
  /// Expressions to compute for each record. Their values are returned in additional cells, which
  /// follow the cells of the record's fields.
  package var computed: [Expression] = []
  /// Fields of related records, reached through to-one relations. Their values are returned in
  /// additional cells after the computed values.
  package var joinedFields: [FieldPath]
  /// Sort keys that are needed to create cursors and are not fields of the record itself: computed
  /// values and fields of related records. They are returned in the last cells of each row.
  fileprivate var sortKeys: [Expression] = []
  /// Whether the result contains the hashes of passwords, for copying a whole store.
  package var includesPasswordHashes = false
  /// Whether the caller only counts the records. If so, an explanation of the query shows the plan
  /// for counting, in which the records are not sorted.
  package var isCounted = false

  package init(
    _ schema: Schema, versions: SchemaVersions? = nil, where condition: Condition = .all,
    order: [OrderTerm] = [], bound: Bound? = nil, limit: Int? = nil, slots: [Int]? = nil,
    joinedFields: [FieldPath] = []
  ) {
    self.schema = schema
    self.versions = versions
    self.condition = condition
    self.order = order
    self.bound = bound
    self.limit = limit
    self.slots = slots ?? Array(0..<schema.width)
    self.joinedFields = joinedFields
  }

  /// The number of cells in each row of the result.
  package var width: Int { sortKeyStart + sortKeys.count }

  /// The index of the cell that contains the first joined field, in each row of the result.
  package var joinedStart: Int { schema.width + computed.count }

  private var sortKeyStart: Int { joinedStart + joinedFields.count }

  /// All values that are returned in additional cells. `cell` is the index of the value's cell in
  /// each row of the result.
  package var additionalValues: [(cell: Int, value: Expression)] {
    (computed + joinedFields.map(Expression.path) + sortKeys).enumerated().map { index, value in
      (schema.width + index, value)
    }
  }

  /// The sort terms up to and including the id, which makes the order of the records unambiguous.
  /// If the order does not contain the id, it is appended in the direction of the last term.
  package var fullOrder: [OrderTerm] {
    let key = schema.key.name
    if let index = order.firstIndex(where: { $0.field == key }) { return Array(order[...index]) }
    return order + [OrderTerm(key, isDescending: order.last?.isDescending ?? false)]
  }
}

extension Query {
  /// A position in an ordered query: the values of one record for all sort terms. The last of these
  /// values is the id, so that the position is unambiguous.
  ///
  /// A cursor remains valid when its record is deleted, so that paging can continue from it.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]

    package init(_ values: [Value]) {
      self.values = values
    }
  }

  /// Returns a copy of the query whose result also contains the columns needed to create cursors.
  package func withCursors(in catalog: Catalog) throws(DataError) -> Query {
    var query = self
    for term in try resolvedOrder(in: catalog) {
      if let slot = term.slot {
        if !query.slots.contains(slot) { query.slots.append(slot) }
      } else if !query.sortKeys.contains(term.value.expression) {
        query.sortKeys.append(term.value.expression)
      }
    }
    return query
  }

  /// Returns the cursor of a row in the result. The query must have been extended with
  /// `withCursors`, which adds the columns that cursors are created from.
  package func cursor(of row: Int, in rows: Rows, _ catalog: Catalog) throws(DataError) -> Cursor {
    var values: [Value] = []
    for term in try resolvedOrder(in: catalog) {
      let index = sortKeys.firstIndex(of: term.value.expression).map { sortKeyStart + $0 }
      guard let cell = term.slot ?? index else { continue }
      values.append(rows.value(rows[row, cell], of: term.value.type))
    }
    return Cursor(values)
  }
}

/// A sort term whose paths have been resolved.
package struct ResolvedOrder: Hashable, Sendable {
  package var value: ResolvedExpression
  package var isDescending: Bool

  /// Whether null precedes other values, which is the case in ascending order. If the value is a
  /// distance, null is always last.
  package var nullsAreFirst: Bool {
    if case .distance = value.expression { false } else { !isDescending }
  }

  /// The slot of the value; nil if the value is not a field of the record itself.
  package var slot: Int? {
    guard case .path = value.expression, case .path(let path)? = value.operands.first,
      path.hops.isEmpty, path.part == .whole
    else { return nil }
    return path.slot
  }
}

extension Catalog {
  /// Resolves a sort term. A value inside JSON is sorted by several terms: first by its type, then
  /// by its value. Throws an error if the term does not have a single value of a sortable type.
  func resolvedOrder(
    _ term: OrderTerm, of schema: Schema
  ) throws(DataError) -> [ResolvedOrder] {
    let value = term.value
    if case .path(let path) = value {
      let resolvedPath = try resolvedPath(toOne: path, from: schema, to: "order by")
      // Records can be sorted by a path into a `json` field and by a JSON column of groups, which
      // are expressions, but not by a whole `json` field.
      let isJSON = resolvedPath.type == .json && term.expression != nil
      guard resolvedPath.type.isOrdered || isJSON else {
        throw .cannot("order by", term.field, resolvedPath.type, of: schema)
      }
      if isJSON {
        return try resolved(JSONForm.sortKeys.map { .json($0, value) }, from: schema).map {
          ResolvedOrder(value: $0, isDescending: term.isDescending)
        }
      }
    }
    return try resolved([value], from: schema).map {
      ResolvedOrder(value: $0, isDescending: term.isDescending)
    }
  }
}

extension Query {
  /// Returns the sort terms of the query, up to and including the id, with resolved paths. Throws
  /// an error if a term does not have a single value of a sortable type, or if the cursor was
  /// created for a different order.
  package func resolvedOrder(in catalog: Catalog) throws(DataError) -> [ResolvedOrder] {
    var terms: [ResolvedOrder] = []
    for term in fullOrder { terms += try catalog.resolvedOrder(term, of: schema) }
    if let cursor = bound?.cursor, !cursor.matches(terms) {
      throw DataError(
        Problem(.usage, "the cursor was created for a different order", schema: schema.name))
    }
    return terms
  }

  /// Returns the resolved paths of `joinedFields`, the fields of related records to return. Throws
  /// an error if a path follows a to-many relation.
  package func joinedPaths(in catalog: Catalog) throws(DataError) -> [ResolvedPath] {
    var resolvedPaths: [ResolvedPath] = []
    for path in joinedFields {
      resolvedPaths.append(try catalog.resolvedPath(toOne: path, from: schema, to: "print"))
    }
    return resolvedPaths
  }
}

extension Query.Bound {
  /// The cursor that the page follows or precedes.
  package var cursor: Query.Cursor {
    switch self {
    case .after(let cursor), .before(let cursor): cursor
    }
  }
}

extension Query.Cursor {
  fileprivate func matches(_ terms: [ResolvedOrder]) -> Bool {
    guard values.count == terms.count, values.last != .null else { return false }
    return zip(values, terms).allSatisfy { $0.isNullOrValue(of: $1.value.type) }
  }
}

extension Value {
  /// Returns whether the value is null or a value of the given sortable type.
  fileprivate func isNullOrValue(of type: FieldType) -> Bool {
    if self == .null { return true }
    guard let own = self.type else { return false }
    guard let digits = type.digits else {
      return own == .text ? type.isText : own == type && type.isOrdered
    }
    guard case .decimal(let decimal) = self else { return false }
    return decimal.scale == digits.scale && !digits.isExceeded(by: decimal.coefficient)
  }
}

extension Catalog {
  /// Resolves a path, and throws an error if the path follows a to-many relation.
  ///
  /// - Parameter verb: The use of the path, such as `group by`, for the error message.
  func resolvedPath(
    toOne path: FieldPath, from schema: Schema, to verb: String
  ) throws(DataError) -> ResolvedPath {
    let resolvedPath: ResolvedPath
    do throws(PathError) {
      resolvedPath = try self.resolvedPath(path, from: schema)
    } catch {
      throw DataError(error)
    }
    guard !resolvedPath.hops.contains(where: \.isMany) else {
      throw DataError(
        Problem(
          .usage,
          """
          cannot \(verb) \(path): it follows a to-many relation, so it may have several values
          """,
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
