/// Checks schemas for declarations that are valid but probably unintended.
package struct Lint {
  let sources: [DeclaredSchema]
  /// The names of the schemas that relations can reference, or nil if not all of them are known.
  private let targets: Set<String>?
  /// For the first missing targets of relations, the most similar names of schemas. A search among
  /// many names takes time, so there are no suggestions for further targets.
  private let suggestions: [String: String]
  /// For each name of a schema without plural endings and underscores, the first such name.
  private let singularNames: [String: String]

  /// Creates a linter for schemas.
  ///
  /// - Parameters:
  ///   - sources: The schemas to check.
  ///   - targets: The names of all schemas that relations can reference, or nil if they are not
  ///     known. If nil, relations to missing schemas are not reported.
  package init(of sources: [DeclaredSchema], targets: Set<String>?) {
    self.sources = sources
    self.targets = targets
    let names = (targets ?? []).sorted()
    let missing = sources.flatMap(\.schema.fields).compactMap { field -> String? in
      guard let target = field.type.relation?.target else { return nil }
      return targets?.contains(target) == false ? target : nil
    }
    var suggestions: [String: String?] = [:]
    for target in missing where suggestions.count < DataError.maxProblems {
      if suggestions[target] == nil { suggestions[target] = .some(nearest(target, among: names)) }
    }
    self.suggestions = suggestions.compactMapValues(\.self)
    singularNames = Dictionary(sources.map { (Self.singular($0.schema.name), $0.schema.name) }) {
      min($0, $1)
    }
  }

  /// Returns the findings about one of the schemas.
  package func findings(in source: DeclaredSchema) -> [LintFinding] {
    var findings = nameFindings(in: source)
    let schema = source.schema
    if schema.fields.count == 1 {
      findings.append(
        source.finding(
          .keyAlone, "\(schema.name) has no fields except its primary key",
          fix: "add fields, such as \"name\": {\"type\": \"text\"}"))
    }
    for field in schema.fields { findings += targetFindings(of: field, in: source) }
    findings += patternFindings(in: source)
    findings += decimalFindings(in: source)
    findings += userDefaultFindings(in: source)
    findings += ownershipFindings(in: source)
    return findings + orderFindings(in: source) + indexFindings(in: source)
  }

  /// Returns a warning for each pattern that begins with `^` or ends with `$`, which are not
  /// anchors in I-Regexp. `schema apply` prints these warnings too.
  package static func patternWarnings(of sources: [DeclaredSchema]) -> [String] {
    let lint = Lint(of: [], targets: nil)
    return sources.flatMap { source in
      lint.patternFindings(in: source).map { finding in
        "\(source.schema.name).\(finding.field ?? ""): \(finding.message)"
      }
    }
  }

  private func decimalFindings(in source: DeclaredSchema) -> [LintFinding] {
    source.schema.fields.compactMap { field in
      guard let digits = field.type.digits, digits.digits > 15 else { return nil }
      return source.finding(
        .wideDecimal,
        "\(digits.digits) digits: JavaScript and older versions of jq round values with more than 15",
        field: field.name)
    }
  }

  private func userDefaultFindings(in source: DeclaredSchema) -> [LintFinding] {
    source.schema.fields.filter { $0.defaultsToUser && $0.type == .text }.map { field in
      source.finding(
        .userDefault, "the default is the acting user, not the text \(Field.userDefault)",
        field: field.name)
    }
  }

  private func ownershipFindings(in source: DeclaredSchema) -> [LintFinding] {
    guard source.schema.kind == .records, source.schema.ownerSlot == nil else { return [] }
    return source.schema.fields.compactMap { field in
      guard let relation = field.type.relation, field.isRequired, relation.onDelete == .cascade,
        relation.inverse != nil
      else { return nil }
      return source.finding(
        .possibleOwner, "\(source.schema.name) may be a part of \(relation.target)",
        field: field.name)
    }
  }

  private func patternFindings(in source: DeclaredSchema) -> [LintFinding] {
    source.schema.fields.compactMap { field in
      guard let text = field.pattern?.source, text.hasPrefix("^") || text.hasSuffix("$")
      else { return nil }
      return source.finding(
        .anchoredPattern,
        """
        in the pattern \(Excerpt.truncated(text)), ^ and $ match only these characters, not the \
        start and end of the text
        """,
        field: field.name, line: source.line(of: field.name))
    }
  }

  private func targetFindings(of field: Field, in source: DeclaredSchema) -> [LintFinding] {
    guard let targets, let target = field.type.relation?.target, !targets.contains(target)
    else { return [] }
    let near = suggestions[target]
    return [
      source.finding(
        .missingTarget, "there is no schema \(target)",
        fix: near.map { "did you mean \($0)?" } ?? "add \(target).json, or correct \"to\"",
        field: field.name)
    ]
  }

  /// Returns one finding that lists the to-one relations that are not the first field of an index.
  /// With an index on a relation and a date, the store can read the records that reference the same
  /// target in the order of the date. Without an index, the store must sort these records.
  private func orderFindings(in source: DeclaredSchema) -> [LintFinding] {
    let schema = source.schema
    let fields = schema.fields.filter { field in
      field.type.relation?.isMany == false && !field.isUnique
        && !schema.indexes.contains { $0.terms.first?.field == field.name }
    }.map(\.name)
    guard let first = fields.first else { return [] }
    let order = schema.fields.first { $0.type == .datetime || $0.type == .date }?.name
    return [
      source.finding(
        .relationWithoutIndex,
        "no index in \"indexes\" begins with \(fields.joined(separator: " or "))",
        fix: order.map {
          "to list sorted pages, add [\"\(first)\", \"-\($0)\"] to \"indexes\""
        }, field: fields.count == 1 ? first : nil, line: source.line(of: first))
    ]
  }

  private func indexFindings(in source: DeclaredSchema) -> [LintFinding] {
    let schema = source.schema
    let unique = schema.fields.filter(\.isUnique).map { (fields: [$0], line: Int?.none) }
    let declared = zip(schema.indexes, source.draft.indexes).map { index, draft in
      (
        fields: index.terms.compactMap { term in schema.fields.first { $0.name == term.field } },
        line: draft.line
      )
    }
    return (unique + declared).compactMap { entry in
      wideFinding(entry.fields, line: entry.line, in: source)
    }
  }

  private func wideFinding(
    _ fields: [Field], line: Int?, in source: DeclaredSchema
  ) -> LintFinding? {
    let others = fields.filter { $0.type != .id }
    let sizes = others.map(\.maxSize)
    let sum = IDs.limit + sizes.reduce(0) { min($0, 1 << 40) + min($1, 1 << 40) }
    guard sum > Schema.maxIndexEntrySize, let widest = sizes.max(),
      let field = others.first(where: { $0.maxSize == widest })
    else { return nil }
    let names = others.map(\.name).joined(separator: ", ")
    let message =
      field.maximum == nil && field.oneOf.isEmpty
      ? "an entry of the index on \(names) has no maximum size"
      : "an entry of the index on \(names) can have up to \(sum) bytes"
    return source.finding(
      .wideIndex, message,
      fix: maximumHint(for: others) ?? "remove a field from the index", field: field.name,
      line: line)
  }

  /// Returns a hint that recommends a `max` for some text fields of an index, so that no index
  /// entry can exceed the size limit. Each character is assumed to take four bytes. The hint names
  /// as few fields as possible. Returns nil if no `max` is small enough.
  private func maximumHint(for fields: [Field]) -> String? {
    let texts = fields.filter { $0.type == .text }.sorted { $0.maxSize > $1.maxSize }
    var rest = IDs.limit + fields.reduce(0) { $0 + min($1.maxSize, 1 << 40) }
    for (index, text) in texts.enumerated() {
      rest -= min(text.maxSize, 1 << 40)
      let maximum = (Schema.maxIndexEntrySize - rest) / (index + 1) / 4
      guard maximum >= 1, maximum * 4 < text.maxSize else { continue }
      let names = texts[...index].map(\.name)
      guard let last = names.last, names.count > 1 else {
        return "give \(text.name) a \"max\" of at most \(maximum)"
      }
      return
        "give \(names.dropLast().joined(separator: ", ")) and \(last) each a \"max\" of at most "
        + "\(maximum)"
    }
    return nil
  }
}

extension Field {
  /// The maximum size of one value of the field in an index entry, in bytes. It is `Int.max` if the
  /// size is unlimited.
  fileprivate var maxSize: Int {
    guard type == .text else { return type.descriptor.indexSize }
    if !oneOf.isEmpty { return oneOf.map { max(8, $0.size) }.max() ?? 8 }
    if case .integer(let upperBound) = maximum {
      return max(8, Int(min(upperBound, 1 << 40)) * 4)
    }
    return type.descriptor.indexSize
  }
}

extension Value {
  fileprivate var size: Int { if case .text(let text) = self { text.utf8.count } else { 8 } }
}

extension Lint {
  /// Returns the findings about the names of a schema and its fields.
  func nameFindings(in source: DeclaredSchema) -> [LintFinding] {
    let schema = source.schema
    var findings = schemaNameFindings(in: source)
    var singularNames: [String: String] = [:]
    for field in schema.fields {
      let singular = Self.singular(field.name)
      if let other = singularNames[singular] {
        findings.append(
          source.finding(
            .nearNames, "\(field.name) and \(other) are easily confused", field: field.name))
      } else {
        singularNames[singular] = field.name
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
            .wayBack, "the property \(property) maps to \(back), not to \(field.name)",
            fix: "add \"\(property)\": \"\(field.name)\" to \"properties\"", field: field.name))
      }
    }
    return findings
  }

  private func schemaNameFindings(in source: DeclaredSchema) -> [LintFinding] {
    let name = source.schema.name
    var findings: [LintFinding] = []
    if let other = singularNames[Self.singular(name)], other < name {
      findings.append(
        source.finding(
          .nearNames, "schemas \(name) and \(other) are easily confused"))
    }
    if ReservedWords.contains(name), !(source.schema.kind == .user && name == "user") {
      findings.append(source.finding(.reservedWord, Self.reserved(name)))
    }
    let type = Names.typeName(for: name)
    let back = Names.suggested(for: type, as: .schema) ?? ""
    if back != name {
      findings.append(
        source.finding(
          .wayBack, "the type \(type) maps to \(back), not to \(name)",
          fix: "in Swift, let the type conform to Recorded, and declare its schema name"))
    }
    return findings
  }

  private static func reserved(_ name: String) -> String { "\(name) is a reserved word of SQL" }

  /// Returns a name without plural endings and underscores. Two names are easily confused if these
  /// are their only differences.
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

extension DeclaredSchema {
  func line(of field: String) -> Int? {
    draft.fields.first { $0.field.name == field }?.line ?? draft.line
  }

  /// Creates a finding about the schema or one of its fields. If no line is given, the finding is
  /// located at the declaration of the field or the schema in the file.
  package func finding(
    _ rule: LintRule, _ message: String, fix: String? = nil, field: String? = nil,
    line: Int? = nil
  ) -> LintFinding {
    LintFinding(
      rule, message, fix: fix, schema: schema.name, field: field, file: draft.file,
      line: line ?? field.map(self.line) ?? draft.line)
  }
}
