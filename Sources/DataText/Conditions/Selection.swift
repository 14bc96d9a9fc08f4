package import DataModel

/// What a stored function selects.
package struct Selection: Sendable {
  package var schema: Schema
  /// The name before the dots in its conditions.
  package var alias: String?
  /// What the records must be like, if it says so.
  package var condition: Condition?
}

/// What a stored function selects, as it was written.
struct SelectionWords {
  var schema: String
  var schemaRange: Range<Int>
  var alias: String?
  var condition: ConditionTree?
}

extension SelectionWords {
  fileprivate static let form = "from SCHEMA ALIAS where CONDITION"

  /// Refuses a statement of SQL before the marks in it are.
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
  /// Reads `from SCHEMA`, an alias, and a condition behind `where`.
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
  /// The schema that a function names: by its own name, by a class's, or as an entity.
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
