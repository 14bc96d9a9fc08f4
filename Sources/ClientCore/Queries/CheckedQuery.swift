package import Conditions
package import DataModel
package import DataStore

/// A query that has been validated against the schemas of a store.
package struct CheckedQuery: Sendable {
  package let stored: StoredCatalog
  package let schema: Schema
  package let condition: Condition
  package let order: [OrderTerm]
  package let limit: Int?
  /// The value for which the limit counts, or nil for all records.
  package let limitedValue: Expression?
  /// The field whose values divide the results into sections, or nil if no stored function
  /// specifies such a field.
  package let segment: String?
  /// Whether a stored function requests that the records of to-many relations are printed in place
  /// of their ids.
  package let expandsToMany: Bool
  /// The parser for further expressions of the query. It uses the same parameters and the same
  /// value of `now()` as the parser of the condition.
  package let reader: ConditionReader
  /// The warnings about the stored function of the query; empty if the query uses none.
  package let warnings: [String]
  /// Returns a copy of the condition in which `now()` always has the same value, so that the hash
  /// of the query does not depend on the current time.
  let timelessCondition: @Sendable () -> Condition

  /// A hash that identifies the query in page tokens.
  var hash: String { Self.hash(schema, timelessCondition(), order) }

  /// Returns the query to pass to the store.
  ///
  /// - Parameters:
  ///   - slots: The slots (indexes) of the fields to read, or nil to read all fields.
  ///   - joinedFields: The fields of related records to read as well.
  package func query(
    slots: [Int]? = nil, joinedFields: [FieldPath] = []
  ) -> Query {
    var query = Query(
      schema, versions: stored.versions(concerning: schema), where: condition, order: order,
      limit: limit, slots: slots, joinedFields: joinedFields)
    if let limitedValue, let limit {
      query.valueLimit = Query.ValueLimit(limitedValue, count: limit)
      query.limit = nil
    }
    return query
  }

  /// Returns a hash of the schema, condition and order of a query.
  static func hash(_ schema: Schema, _ condition: Condition, _ order: [OrderTerm]) -> String {
    var hash = SHA256()
    let parts = [schema.name, ConditionWriter.text(of: condition)] + order.map(\.text)
    for part in parts {
      hash.update(part.utf8.span)
      hash.update([0].span)
    }
    return String(hash.hexadecimal().prefix(16))
  }
}

extension Client {
  /// Validates a query against the schemas of the store. If the query uses a stored function, the
  /// function is read first.
  package func check(
    _ input: QueryInput, from reader: any StoreReader
  ) async throws(DataError) -> CheckedQuery {
    let stored = try await reader.catalog()
    guard let id = input.function else {
      return try input.checked(in: stored, now: try environment.now())
    }
    guard let (rows, complete) = try await reader.function(id) else {
      throw DataError(
        Problem(
          .notFound, "there is no such function", hint: "list all functions: datactl list function",
          schema: Schema.function.name, id: id))
    }
    let (function, now) = (StoredFunction(rows, 0), try environment.now())
    do throws(DataError) {
      let query = try input.checked(in: stored, now: now, function: function)
      guard query.schema.visibility?.isReadable ?? true else { throw try await denial(of: id) }
      return query
    } catch {
      // If the complete schemas lead to another result, the function reads a schema or a field that
      // is hidden from the caller. The error may contain its name, so another error is thrown. Only
      // the function itself is compared, because the caller may add conditions that name fields.
      func result(in catalog: StoredCatalog) -> Result<CheckedQuery, DataError> {
        Result { () throws(DataError) in
          try input.withoutConditions.checked(in: catalog, now: now, function: function)
        }
      }
      switch (result(in: stored), result(in: complete)) {
      case (.success, _): throw error
      case (.failure(let bound), .failure(let unbound)) where bound == unbound: throw error
      case (.failure, _): throw try await denial(of: id)
      }
    }
  }

  /// Validates a query that uses no stored function against the given schemas.
  package func checked(
    _ input: QueryInput, in stored: StoredCatalog
  ) throws(DataError) -> CheckedQuery {
    try input.checked(in: stored, now: try environment.now())
  }

  private func denial(of function: String) async throws(DataError) -> DataError {
    let isLoggedIn = try await currentUser() != nil
    return DataError(
      Problem(
        isLoggedIn ? .forbidden : .notLoggedIn,
        "the access rules do not allow you to call this function",
        hint: isLoggedIn ? nil : "log in: datactl login", schema: Schema.function.name,
        id: function))
  }
}
