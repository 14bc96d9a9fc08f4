package import DataModel

/// The query of a stored function, validated against the schemas.
package struct FunctionQuery: Sendable {
  package var schema: Schema
  /// The alias of the schema in the function's conditions.
  package var alias: String?
  /// The condition that the records must match, or nil for all records.
  package var condition: Condition?
}

/// The parsed query of a stored function, before the schema and the condition are validated.
struct FunctionQuerySyntax {
  var schema: String
  var schemaRange: Range<Int>
  var alias: String?
  var condition: ConditionTree?
}

extension FunctionQuerySyntax {
  fileprivate static let form = "from SCHEMA ALIAS where CONDITION"

  /// Throws an error if the text starts with `select`. This error explains the syntax better than
  /// an error of the lexer or the parser would.
  static func rejectSelectStatement(_ text: [UInt8]) throws(ConditionError) {
    let start = text.firstIndex { $0 > 0x20 } ?? text.count
    let word = text[start...].prefix {
      $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
    }
    guard String(decoding: word, as: UTF8.self).lowercased() == "select" else { return }
    throw ConditionError(
      "expected \"from\", found \"select\"", start..<start + word.count,
      hint: "a function returns whole records, without a list of fields: write \(form)")
  }
}

extension ConditionParser {
  /// Parses `from SCHEMA`, an optional alias and an optional condition after `where`.
  mutating func selection() throws(ConditionError) -> FunctionQuerySyntax {
    guard accept("from") else {
      throw expected("\"from\"", hint: "write \(FunctionQuerySyntax.form)")
    }
    guard case .word(let schema) = token.kind else { throw expected("a schema") }
    var syntax = FunctionQuerySyntax(schema: schema, schemaRange: token.range)
    advance()
    if case .word(let alias) = token.kind, alias.lowercased() != "where" {
      syntax.alias = alias
      advance()
    }
    if accept("where") {
      syntax.condition = try condition()
    } else if token.kind != .end {
      throw expected("\"where\"")
    }
    return syntax
  }
}

extension Catalog {
  /// Returns the schema that the query names. The name can also be spelled like a class, such as
  /// `TodoItem`, and have the prefix `_entity_`.
  func schema(selectedBy syntax: FunctionQuerySyntax) throws(ConditionError) -> Schema {
    let prefix = "_entity_"
    let name =
      syntax.schema.hasPrefix(prefix)
      ? String(syntax.schema.dropFirst(prefix.count)) : syntax.schema
    let schemaName = Names.suggested(for: name, as: .schema) ?? name
    if let schema = self[name] ?? self[schemaName] { return schema }
    let suggestion = nearest(schemaName, among: schemas.map(\.name))
    throw ConditionError(
      "no schema \(Excerpt.escaped(name))", syntax.schemaRange,
      hint: suggestion.map { "did you mean \($0)?" }, schema: Excerpt.escaped(name))
  }
}
