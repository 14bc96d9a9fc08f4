extension Lint {
  /// Returns the findings in the names of a schema and its fields.
  func nameFindings(in source: DeclaredSchema) -> [LintFinding] {
    let schema = source.schema
    var findings = schemaNameFindings(in: source)
    for (index, field) in schema.fields.enumerated() {
      if let other = schema.fields[..<index].first(where: { Self.areNear($0.name, field.name) }) {
        findings.append(
          source.finding(
            .nearNames, "\(field.name) and \(other.name) are easily confused",
            field: field.name))
      }
      if ReservedWords.contains(field.name) {
        findings.append(
          source.finding(.reservedWord, Self.reserved(field.name), field: field.name))
      }
      let property = Names.property(for: field.name)
      let back = Names.fieldName(ofProperty: property) ?? ""
      if back != field.name, !schema.properties.contains(where: { $0.field == field.name }) {
        findings.append(
          source.finding(
            .wayBack, "\(property) maps to \(back), not to \(field.name)",
            fix: "add to \"properties\": \"\(property)\": \"\(field.name)\"", field: field.name))
      }
    }
    return findings
  }

  private func schemaNameFindings(in source: DeclaredSchema) -> [LintFinding] {
    let name = source.schema.name
    var findings: [LintFinding] = []
    let others = sources.map(\.schema.name).filter { $0 < name }
    if let other = others.sorted().first(where: { Self.areNear($0, name) }) {
      findings.append(
        source.finding(
          .nearNames, "schemas \(name) and \(other) are easily confused"))
    }
    if ReservedWords.contains(name) {
      findings.append(source.finding(.reservedWord, Self.reserved(name)))
    }
    let type = Names.typeName(for: name)
    let back = Names.suggested(for: type, as: .schema) ?? ""
    if back != name {
      findings.append(
        source.finding(
          .wayBack, "\(type) maps to \(back), not to \(name)",
          fix: "in Swift, conform to Recorded and name its schema"))
    }
    return findings
  }

  private static func reserved(_ name: String) -> String { "\(name) is a reserved word of SQL" }

  /// Returns whether two names differ only by plural endings or underscores.
  static func areNear(_ first: String, _ second: String) -> Bool {
    first != second && singular(first) == singular(second)
  }

  private static func singular(_ name: String) -> String {
    let bare = name.filter { $0 != "_" }
    if bare.hasSuffix("ies") { return bare.dropLast(3) + "y" }
    for ending in ["ses", "xes", "zes", "ches", "shes"] where bare.hasSuffix(ending) {
      return String(bare.dropLast(2))
    }
    return bare.hasSuffix("s") && !bare.hasSuffix("ss") ? String(bare.dropLast()) : bare
  }
}

/// The reserved words of PostgreSQL, SQLite, MySQL, and standard SQL.
enum ReservedWords {
  static func contains(_ name: String) -> Bool { words.contains(Substring(name)) }

  private static let words = Set(
    """
    add all alter analyse analyze and any array as asc asymmetric between both by case cast check \
    collate column constraint create cross current_date current_time current_timestamp \
    current_user default deferrable delete desc describe distinct do drop each else end escape \
    except exists explain false fetch for foreign from full function grant group having if in \
    index initially inner insert intersect into is isnull join key keys kill lateral leading left \
    like limit localtime localtimestamp match natural not notnull null of offset on only or order \
    outer over overlaps partition placing primary procedure range rank read recursive references \
    returning right row rows select session_user set similar some symmetric system table then to \
    trailing transaction trigger true union unique update usage user using values variadic verbose \
    virtual when where window with write
    """.split(separator: " "))
}
