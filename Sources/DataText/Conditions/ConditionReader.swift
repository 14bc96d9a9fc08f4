package import DataModel

/// Reads conditions as people write them, and checks them against the schemas.
///
/// One reader serves a command: its parameters and its moment are the same in all conditions.
package struct ConditionReader: Sendable {
  /// How long the text of a condition may be, in bytes: room for 100,000 ids.
  package static let longest = 4 << 20

  private let catalog: Catalog
  /// What `now()` means.
  private let now: Timestamp
  private let code: ErrorCode
  package private(set) var parameters: ConditionParameters
  private var positions = 0

  /// `code` names the problems: `usage` on a command line, `invalid` in data.
  package init(
    _ catalog: Catalog, now: Timestamp, parameters: ConditionParameters = ConditionParameters(),
    code: ErrorCode = .usage
  ) {
    self.catalog = catalog
    self.now = now
    self.parameters = parameters
    self.code = code
  }

  /// Reads a condition over the records of a schema; names may stand behind an alias of it.
  package mutating func read(
    _ text: String, of schema: Schema, alias: String? = nil
  ) throws(DataError) -> Condition {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else {
      throw DataError(
        code, "the condition is longer than \(Self.longest) bytes",
        hint: "split it into several questions")
    }
    let tree: ConditionTree
    do throws(ConditionFault) {
      var parser = ConditionParser(
        try ConditionLexer.tokens(of: bytes), positions: positions)
      tree = try parser.condition()
      positions = parser.positions
    } catch {
      throw DataError(error.problem(in: bytes, code: code))
    }
    var check = ConditionCheck(
      catalog: catalog, schema: schema, alias: alias, now: now, parameters: parameters)
    let condition = check.condition(tree)
    parameters = check.parameters
    let problems = check.faults.map { $0.problem(in: bytes, code: code) }
    if let error = DataError(problems) { throw error }
    return condition
  }
}
