package import DataModel

/// The query of a stored function.
package struct Selection: Sendable {
  package var schema: Schema
  /// The alias of the schema in the function's conditions.
  package var alias: String?
  /// The condition of the records; nil means all records.
  package var condition: Condition?
}

/// The parsed query of a stored function, before validation.
struct SelectionWords {
  var schema: String
  var schemaRange: Range<Int>
  var alias: String?
  var condition: ConditionTree?
}

extension SelectionWords {
  fileprivate static let form = "from SCHEMA ALIAS where CONDITION"

  /// Throws if the text starts with `select`, with a better message than the lexer or parser would
  /// give.
  static func refuseStatement(_ text: [UInt8]) throws(ConditionFault) {
    let start = text.firstIndex { $0 > 0x20 } ?? text.count
    let word = text[start...].prefix {
      $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
    }
    guard String(decoding: word, as: UTF8.self).lowercased() == "select" else { return }
    throw ConditionFault(
      "expected \"from\", found \"select\"", start..<start + word.count,
      advice: "a function returns whole records, without a list of fields: write \(form)")
  }
}

extension ConditionParser {
  /// Parses `from SCHEMA`, an optional alias and an optional condition after `where`.
  mutating func selection() throws(ConditionFault) -> SelectionWords {
    guard pass("from") else {
      throw expected("\"from\"", advice: "write \(SelectionWords.form)")
    }
    guard case .word(let schema) = token.kind else { throw expected("a schema") }
    var words = SelectionWords(schema: schema, schemaRange: token.range)
    advance()
    if case .word(let alias) = token.kind, alias.lowercased() != "where" {
      words.alias = alias
      advance()
    }
    if pass("where") {
      words.condition = try condition()
    } else if token.kind != .end {
      throw expected("\"where\"")
    }
    return words
  }
}

extension Catalog {
  /// Looks up a schema by its name, class name or entity name (`_entity_NAME`).
  func schema(selectedBy words: SelectionWords) throws(ConditionFault) -> Schema {
    let prefix = "_entity_"
    let name =
      words.schema.hasPrefix(prefix) ? String(words.schema.dropFirst(prefix.count)) : words.schema
    let ours = Names.suggested(for: name, as: .schema) ?? name
    if let schema = self[name] ?? self[ours] { return schema }
    let near = nearest(ours, among: schemas.map(\.name))
    throw ConditionFault(
      "no schema \(Excerpt.visible(name))", words.schemaRange,
      advice: near.map { "did you mean \($0)?" }, schema: Excerpt.visible(name))
  }
}
