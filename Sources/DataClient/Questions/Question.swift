package import DataModel
package import DataStore
internal import DataText

/// Which records are wanted and in which order, in words; a store's schemas make a query of it.
package struct Question: Sendable {
  /// What a program asks of a property.
  package struct Match: Sendable {
    var name: String
    var value: DraftValue
  }

  package var schema: String
  /// Operands of the form `FIELD=VALUE`.
  package var equalities: [String]
  /// What a program says instead of operands.
  var matches: [Match] = []
  /// Conditions that must all hold.
  package var conditions: [String]
  /// The values of the parameters in them.
  package var parameters: [String: String]
  package var order: String
  /// How many records at the most.
  package var limit: Int?

  package init(
    _ schema: String, equalities: [String] = [], conditions: [String] = [],
    parameters: [String: String] = [:], order: String = "", limit: Int? = nil
  ) {
    self.schema = schema
    self.equalities = equalities
    self.conditions = conditions
    self.parameters = parameters
    self.order = order
    self.limit = limit
  }

  init(
    _ schema: String, where condition: String, matching: [String: DraftValue],
    parameters: [String: String] = [:], order: String = "", limit: Int? = nil
  ) {
    self.init(
      schema, conditions: condition.isEmpty ? [] : [condition], parameters: parameters,
      order: order, limit: limit)
    matches = matching.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Match(name: $0.key, value: $0.value) }
  }
}

extension Question {
  /// Holds the question against the schemas, and reports everything that is wrong with it.
  package func checked(
    in stored: StoredCatalog, now: Timestamp
  ) throws(DataError) -> CheckedQuestion {
    let schema = try stored.catalog.schema(schema)
    let (condition, terms) = try read(of: schema, in: stored.catalog, now: now)
    // Pages of one question belong together, whatever the time is.
    let past = Timestamp(microseconds: 0) ?? .earliest
    let fixed = (try? read(of: schema, in: stored.catalog, now: past).condition) ?? condition
    return CheckedQuestion(
      stored: stored, schema: schema, condition: condition, order: terms,
      limit: limit, hash: CheckedQuestion.hash(schema, fixed, terms))
  }

  private func read(
    of schema: Schema, in catalog: Catalog, now: Timestamp
  ) throws(DataError) -> (condition: Condition, order: [OrderTerm]) {
    var reader = ConditionReader(
      catalog, now: now, parameters: ConditionParameters(parameters))
    var problems: [Problem] = []
    var parts: [Condition] = []
    func note(_ body: () throws(DataError) -> Void) {
      do throws(DataError) { try body() } catch { problems += error.problems }
    }
    for operand in equalities {
      note { () throws(DataError) in parts.append(try reader.readEquality(operand, of: schema)) }
    }
    for match in matches {
      note { () throws(DataError) in
        parts.append(try reader.readEquality(match.name, match.value.asJSON, of: schema))
      }
    }
    for text in conditions {
      note { () throws(DataError) in parts.append(try reader.read(text, of: schema)) }
    }
    var terms: [OrderTerm] = []
    if !order.isEmpty {
      note { () throws(DataError) in terms = try reader.readOrder(order, of: schema) }
    }
    if let limit, limit < 0 {
      problems.append(Problem(.usage, "the limit is below 0: \(limit)", schema: schema.name))
    }
    if problems.isEmpty {
      note { () throws(DataError) in try reader.parameters.checkAllAreUsed() }
    }
    if let error = DataError(problems) { throw error }
    return (.every(parts), terms)
  }
}

extension DraftValue {
  /// The value as JSON; what is none is wrong beside any field.
  fileprivate var asJSON: JSONValue {
    if form.isNull { return .null }
    var bytes: [UInt8] = []
    append(to: &bytes)
    return (try? JSONValue(parsing: bytes.span)) ?? .array([])
  }
}
