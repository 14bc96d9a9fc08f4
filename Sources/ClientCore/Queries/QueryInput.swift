package import Conditions
package import DataModel
internal import DataStore
package import JSONText

/// A query as the user wrote it, before it is validated against the schemas of a store.
package struct QueryInput: Hashable, Sendable {
  /// The name of a field or property, and the value that it must have.
  package struct Match: Hashable, Sendable {
    var name: String
    var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package var schema: String
  /// The id of the stored function to run. If it is not nil, `schema` is ignored, because the
  /// function determines the schema.
  package var function: String?
  /// The `FIELD=VALUE` operands of a command line.
  package var equalities: [String]
  /// The values that fields must have, in queries of the library and of requests. Commands use
  /// `equalities` instead.
  package var matches: [Match] = []
  /// The conditions. A record must match all of them.
  package var conditions: [String]
  /// The values of the `:name` parameters in the conditions, keyed by name.
  package var parameters: [String: ConditionParameters.Argument]
  package var order: String
  /// The columns to print. The order can refer to computed columns by their names.
  package var columns: String?
  /// Expressions that are parsed after the query has been validated. They are listed here so that
  /// the parameters that they contain are not reported as unused.
  package var laterExpressions: [String] = []
  /// The time zone that determines the boundaries of days, months and years, and the components of
  /// datetimes, such as the hour. Nil means UTC.
  package var zone: TimeZoneRules?
  /// The maximum number of records.
  package var limit: Int?
  /// The value for which the limit counts, such as `author`: at most `limit` records of each author.
  package var limitedValue: String?

  package init(
    _ schema: String, equalities: [String] = [], conditions: [String] = [],
    parameters: [String: ConditionParameters.Argument] = [:], order: String = "", limit: Int? = nil,
    function: String? = nil
  ) {
    self.schema = schema
    self.function = function
    self.equalities = equalities
    self.conditions = conditions
    self.parameters = parameters
    self.order = order
    self.limit = limit
  }

  /// A query that only calls the stored function with its parameters, without the conditions, the
  /// order and the limit that the user added.
  var withoutConditions: QueryInput {
    var input = QueryInput(schema, parameters: parameters, function: function)
    input.zone = zone
    return input
  }

  package init(
    _ schema: String, where condition: String, matching: [String: JSONValue],
    parameters: [String: JSONValue] = [:], order: String = "", limit: Int? = nil
  ) {
    self.init(
      schema, conditions: condition.isEmpty ? [] : [condition],
      parameters: parameters.mapValues { .json($0) },
      order: order, limit: limit)
    matches = matching.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Match(name: $0.key, value: $0.value) }
  }
}

extension QueryInput {
  /// Validates the query against the schemas. The thrown error contains all problems.
  func checked(
    in stored: StoredCatalog, now: Timestamp, function: StoredFunction? = nil
  ) throws(DataError) -> CheckedQuery {
    let parsed = try read(in: stored.catalog, now: now, function)
    return CheckedQuery(
      stored: stored, schema: parsed.schema, condition: parsed.condition, order: parsed.order,
      limit: limit, limitedValue: parsed.limitedValue, segment: parsed.function?.segment,
      expandsToMany: function?.faultBlocks ?? false, reader: parsed.reader,
      warnings: parsed.function?.warnings ?? [],
      timelessCondition: { [self] in
        // Only a condition that calls `now()` depends on the time.
        let texts = conditions + [function?.selectCore ?? ""]
        guard texts.contains(where: { $0.lowercased().contains("now") }) else {
          return parsed.condition
        }
        let timeless = try? read(in: stored.catalog, now: .epoch, function)
        return timeless?.condition ?? parsed.condition
      })
  }

  private struct ParsedQuery {
    var schema: Schema
    var condition: Condition
    var order: [OrderTerm]
    var limitedValue: Expression?
    var function: ResolvedFunction?
    var reader: ConditionReader
  }

  private func read(
    in catalog: Catalog, now: Timestamp, _ stored: StoredFunction?
  ) throws(DataError) -> ParsedQuery {
    var reader = ConditionReader(
      catalog, now: now, zone: zone, parameters: ConditionParameters(parameters))
    let function = try stored?.read(by: &reader, in: catalog)
    let schema: Schema
    if let function { schema = function.schema } else { schema = try catalog.schema(self.schema) }
    let alias = function?.alias
    var found: DataError?
    var parts = [function?.condition ?? .all]
    func note(_ body: () throws(DataError) -> Void) {
      do throws(DataError) { try body() } catch { found.add(error) }
    }
    for operand in equalities {
      note { () throws(DataError) in
        parts.append(try reader.readEquality(operand, of: schema, alias: alias))
      }
    }
    for match in matches {
      note { () throws(DataError) in
        let name = schema.slot(ofProperty: match.name).map { schema.name(of: $0) } ?? match.name
        parts.append(try reader.readEquality(name, match.value, of: schema))
      }
    }
    for text in conditions {
      note { () throws(DataError) in
        parts.append(try reader.read(text, of: schema, alias: alias))
      }
    }
    var terms = function?.order ?? []
    if !order.isEmpty {
      note { () throws(DataError) in
        terms = try reader.readOrder(order, of: schema, alias: alias, columns: columns)
      }
    }
    var value: Expression?
    if limitedValue != nil, limit == nil {
      found.add(Problem(.usage, "a limit per value needs a limit", schema: schema.name))
    }
    if let limitedValue {
      note { () throws(DataError) in
        value = try reader.readValue(limitedValue, of: schema, alias: alias, columns: columns)
      }
    }
    if let limit, limit < 0 {
      found.add(Problem(.usage, "the limit is negative: \(limit)", schema: schema.name))
    }
    reader.noteParameters(in: laterExpressions)
    if found == nil {
      note { () throws(DataError) in try reader.parameters.checkAllAreUsed() }
    }
    if let found { throw found }
    return ParsedQuery(
      schema: schema, condition: .every(parts), order: terms, limitedValue: value,
      function: function, reader: reader)
  }
}
