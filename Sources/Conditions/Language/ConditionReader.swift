package import DataModel

/// Parses conditions and validates them against the schemas.
///
/// Each command uses one reader, so that all conditions of the command share the parameters and the
/// value of `now()`.
package struct ConditionReader: Sendable {
  /// The maximum length of a condition in bytes, enough for 100,000 ids.
  package static let longest = 4 << 20

  let catalog: Catalog
  /// The time that `now()` returns in all conditions of a command.
  let now: Timestamp
  /// The time zone that determines days, months, years and today, and the components of datetimes.
  let zone: QueryZone?
  let code: ErrorCode
  package internal(set) var parameters: ConditionParameters
  var positionalCount = 0
  /// Whether a condition contained a name that is neither a field nor the inverse of a relation in
  /// the catalog.
  private(set) var hasUnknownNames = false

  /// Creates a reader for all conditions of a command.
  ///
  /// - Parameters:
  ///   - zone: The time zone that determines days, months and years and the components of
  ///     datetimes; nil for UTC.
  ///   - code: The error code of problems: `usage` for conditions on a command line, `invalid` for
  ///     conditions in data.
  package init(
    _ catalog: Catalog, now: Timestamp, zone: TimeZoneRules? = nil,
    parameters: ConditionParameters = ConditionParameters(), code: ErrorCode = .usage
  ) {
    self.catalog = catalog
    self.now = now
    self.zone = zone.map(QueryZone.init)
    self.parameters = parameters
    self.code = code
  }

  /// The name of the time zone; nil for UTC.
  package var zoneName: String? { zone?.rules.name }

  /// Parses a condition on the records of a schema. If `alias` is not nil, names in the condition
  /// can be qualified with it.
  package mutating func read(
    _ text: String, of schema: Schema, alias: String? = nil
  ) throws(DataError) -> Condition {
    let bytes = Array(text.utf8)
    let tree: ConditionTree
    do throws(ConditionError) {
      var parser = try parser(of: bytes)
      tree = try parser.condition()
      positionalCount = parser.positionalCount
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    return try check(tree, in: bytes, of: schema, alias: alias)
  }

  /// Parses the query of a stored function: `from SCHEMA ALIAS where CONDITION`.
  package mutating func readSelection(_ text: String) throws(DataError) -> FunctionQuery {
    let bytes = Array(text.utf8)
    let syntax: FunctionQuerySyntax
    let schema: Schema
    do throws(ConditionError) {
      try FunctionQuerySyntax.rejectSelectStatement(bytes)
      var parser = try parser(of: bytes)
      syntax = try parser.selection()
      positionalCount = parser.positionalCount
      schema = try catalog.schema(selectedBy: syntax)
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    guard let tree = syntax.condition else {
      return FunctionQuery(schema: schema, alias: syntax.alias, condition: nil)
    }
    let condition = try check(tree, in: bytes, of: schema, alias: syntax.alias)
    return FunctionQuery(schema: schema, alias: syntax.alias, condition: condition)
  }

  /// Parses an order: comma-separated fields or expressions. For descending order, an item has a
  /// leading `-` or a trailing `desc`.
  ///
  /// - Parameter columns: A list of columns, as for `readFields`. The order can refer to computed
  ///   columns by their names. Problems in the list are ignored, because they are reported when the
  ///   list itself is read.
  package mutating func readOrder(
    _ text: String, of schema: Schema, alias: String? = nil, columns: String? = nil
  ) throws(DataError) -> [OrderTerm] {
    try readOrder(text, of: schema, alias: alias, columns: columns) {
      check, term, columns throws(ConditionError) in
      try check.term(term, columns: columns)
    }
  }

  /// Parses a single value that has an order, such as `author` or `year(due)`. It can be the name of a
  /// computed column, as in an order.
  package mutating func readValue(
    _ text: String, of schema: Schema, alias: String? = nil, columns: String? = nil
  ) throws(DataError) -> Expression {
    var count = 0
    let terms = try readOrder(text, of: schema, alias: alias, columns: columns) {
      check, term, columns throws(ConditionError) in
      count += 1
      if count > 1 || term.isDescending {
        throw ConditionError("expected one value", term.expression.range)
      }
      return try check.term(term, columns: columns, purpose: "limit records per")
    }
    guard let term = terms.first else { throw DataError(.usage, "expected a value") }
    // A term has a path as its expression if the path leads into JSON.
    if case .path? = term.expression { return .json(.scalar, term.value) }
    return term.value
  }

  /// Parses the order in which groups are sorted, such as `-count, owner`.
  ///
  /// - Parameter columns: The schema of the result, which has a field for each column of the
  ///   groups; see `GroupQuery.resultSchema`.
  package mutating func readOrder(
    _ text: String, ofGroups columns: Schema
  ) throws(DataError) -> [OrderTerm] {
    try readOrder(text, of: columns, alias: nil) { check, term, _ throws(ConditionError) in
      try check.groupTerm(term)
    }
  }

  private mutating func readOrder(
    _ text: String, of schema: Schema, alias: String?, columns list: String? = nil,
    _ validated: (inout ConditionChecker, OrderSyntax, [NamedExpression]) throws(ConditionError)
      -> OrderTerm
  ) throws(DataError) -> [OrderTerm] {
    let bytes = Array(text.utf8)
    var terms: [OrderTerm] = []
    var errors = ConditionErrors()
    do throws(ConditionError) {
      var parser = try parser(of: bytes)
      let order = try parser.order()
      positionalCount = parser.positionalCount
      var columns: [NamedExpression] = []
      if let list, list.hasComputedColumns {
        var reader = self
        columns = (try? reader.readFields(list, of: schema).columns) ?? []
      }
      var check = ConditionChecker(self, of: schema, alias: alias)
      for (index, syntax) in order.enumerated() {
        do throws(ConditionError) {
          if index == QueryLimits.maxTerms {
            throw ConditionError(
              "an order can have at most \(QueryLimits.maxTerms) fields", syntax.expression.range)
          }
          terms.append(try validated(&check, syntax, columns))
        } catch {
          errors.add(error)
        }
      }
      parameters = check.parameters
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    if let error = errors.error(in: bytes, code: code) { throw error }
    return terms
  }

  /// Marks the parameters in the given expressions as used, so that `checkAllAreUsed` does not
  /// report them. The expressions themselves are read later. Errors in the expressions are ignored
  /// here, because they are reported then.
  package mutating func noteParameters(in expressions: [String]) {
    var count = positionalCount
    for text in expressions {
      for token in (try? ConditionLexer.tokens(of: Array(text.utf8))) ?? [] {
        switch token.kind {
        case .parameter(let name): parameters.noteUse(of: name)
        case .nextParameter:
          count += 1
          parameters.noteUse(of: "\(count)")
        case .word, .quotedName, .text, .number, .quantity, .symbol, .end: break
        }
      }
    }
  }

  func parser(of bytes: [UInt8]) throws(ConditionError) -> ConditionParser {
    guard bytes.count <= Self.longest else {
      throw ConditionError("a condition or an order can have at most \(Self.longest) bytes", 0..<0)
    }
    return ConditionParser(try ConditionLexer.tokens(of: bytes), positionalCount: positionalCount)
  }

  private mutating func check(
    _ tree: ConditionTree, in bytes: [UInt8], of schema: Schema, alias: String?
  ) throws(DataError) -> Condition {
    var check = ConditionChecker(self, of: schema, alias: alias)
    let condition = check.condition(tree)
    if Task.isCancelled { throw .interrupted }
    parameters = check.parameters
    if check.errors.hasUnknownName { hasUnknownNames = true }
    if let error = check.errors.error(in: bytes, code: code, hidesSecrets: true) { throw error }
    return condition
  }
}
