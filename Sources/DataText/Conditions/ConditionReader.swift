package import DataModel

/// Parses conditions and validates them against the schemas.
///
/// Each command uses one reader, so its conditions share parameters and the value of `now()`.
package struct ConditionReader: Sendable {
  /// The maximum length of a condition in bytes, enough for 100,000 ids.
  package static let longest = 4 << 20

  let catalog: Catalog
  /// The value of `now()`.
  let now: Timestamp
  let code: ErrorCode
  package internal(set) var parameters: ConditionParameters
  private var positions = 0

  /// Creates a reader.
  ///
  /// - Parameter code: The code of problems: `usage` on a command line, `invalid` in data.
  package init(
    _ catalog: Catalog, now: Timestamp, parameters: ConditionParameters = ConditionParameters(),
    code: ErrorCode = .usage
  ) {
    self.catalog = catalog
    self.now = now
    self.parameters = parameters
    self.code = code
  }

  /// Parses a condition for the records of a schema; names may be qualified by an alias of it.
  package mutating func read(
    _ text: String, of schema: Schema, alias: String? = nil
  ) throws(DataError) -> Condition {
    let bytes = Array(text.utf8)
    let tree: ConditionTree
    do throws(ConditionFault) {
      var parser = try parser(of: bytes)
      tree = try parser.condition()
      positions = parser.positions
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    return try check(tree, in: bytes, of: schema, alias: alias)
  }

  /// Parses the query of a stored function: `from SCHEMA ALIAS where CONDITION`.
  package mutating func readSelection(_ text: String) throws(DataError) -> Selection {
    let bytes = Array(text.utf8)
    let words: SelectionWords
    let schema: Schema
    do throws(ConditionFault) {
      try SelectionWords.refuseStatement(bytes)
      var parser = try parser(of: bytes)
      words = try parser.selection()
      positions = parser.positions
      schema = try catalog.schema(selectedBy: words)
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    guard let tree = words.condition else {
      return Selection(schema: schema, alias: words.alias, condition: nil)
    }
    let condition = try check(tree, in: bytes, of: schema, alias: words.alias)
    return Selection(schema: schema, alias: words.alias, condition: condition)
  }

  /// Parses an order: comma-separated fields, with a leading `-` or a trailing `desc` for
  /// descending.
  package func readOrder(
    _ text: String, of schema: Schema, alias: String? = nil
  ) throws(DataError) -> [OrderTerm] {
    let bytes = Array(text.utf8)
    var terms: [OrderTerm] = []
    var problems: [Problem] = []
    do throws(ConditionFault) {
      var parser = try parser(of: bytes)
      for (place, words) in try parser.order().enumerated() {
        do throws(ConditionFault) {
          if place == QuestionSize.mostTerms {
            throw ConditionFault(
              "an order has at most \(QuestionSize.mostTerms) fields", words.path.range)
          }
          terms.append(try words.term(of: schema, in: catalog, alias: alias))
        } catch {
          problems.append(error.problem(in: bytes, code: code))
        }
      }
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    if let error = DataError(problems) { throw error }
    return terms
  }

  private func parser(of bytes: [UInt8]) throws(ConditionFault) -> ConditionParser {
    guard bytes.count <= Self.longest else {
      throw ConditionFault("a condition or an order has at most \(Self.longest) bytes", 0..<0)
    }
    return ConditionParser(try ConditionLexer.tokens(of: bytes), positions: positions)
  }

  private mutating func check(
    _ tree: ConditionTree, in bytes: [UInt8], of schema: Schema, alias: String?
  ) throws(DataError) -> Condition {
    var check = ConditionCheck(
      catalog: catalog, schema: schema, alias: alias, now: now, parameters: parameters)
    let condition = check.condition(tree)
    parameters = check.parameters
    let hasSecret = check.faults.contains { $0.isSecret }
    let problems = check.faults.map { fault in
      var fault = fault
      fault.isSecret = hasSecret
      return fault.problem(in: bytes, code: code)
    }
    if let error = DataError(problems) { throw error }
    return condition
  }
}
