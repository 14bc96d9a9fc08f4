package import DataModel

/// Parses a schema that is declared in the arguments of a command, such as `create todo title:text!
/// done:boolean owner:user steps:step+ tags:text+`.
package enum FieldShorthand {
  /// The names of the types, except arrays. An array is written as the type of its elements,
  /// followed by `+`.
  package static let types = FieldType.names.filter { FieldType($0) != nil && !$0.hasPrefix("[") }

  /// Parses the fields of a schema. Adds a primary key if there is none, and a password field if a
  /// user schema has none.
  ///
  /// - Throws: An error with all problems, each with the code `usage`.
  package static func draft(
    schema name: String, _ arguments: [String], kind: Schema.Kind = .records
  ) throws(DataError) -> SchemaDraft {
    var draft = SchemaDraft(name: name)
    draft.kind = kind
    var problems: [Problem] = []
    for word in arguments {
      do throws(Problem) {
        draft.fields.append(SchemaDraft.FieldDraft(try field(word, of: name)))
      } catch {
        problems.append(error)
      }
    }
    if let error = DataError(problems) { throw error }
    addMissing(to: &draft)
    return draft
  }

  private static func addMissing(to draft: inout SchemaDraft) {
    func has(_ type: FieldType) -> Bool { draft.fields.contains { $0.field.type == type } }
    if !has(.id) {
      let name = draft.kind == .user ? "username" : draft.name + "_id"
      draft.fields.insert(SchemaDraft.FieldDraft(Field(name, .id)), at: 0)
    }
    if draft.kind == .user && !has(.password) {
      let index = (draft.fields.firstIndex { $0.field.type == .id } ?? 0) + 1
      draft.fields.insert(
        SchemaDraft.FieldDraft(Field("password", .password)), at: index)
    }
  }

  private static func field(_ word: String, of schema: String) throws(Problem) -> Field {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      !parts[1].contains(":") || isType(parts[1]) || isRelation(parts[1])
    else {
      throw Problem(
        .usage, "expected NAME:TYPE, found \(Excerpt.quoted(word))",
        hint: "for example title:text!",
        schema: schema)
    }
    var type = parts[1]
    var isRequired = false
    var isMany = false
    while let mark = type.last, mark == "!" || mark == "+" {
      let isTwice = mark == "!" ? isRequired : isMany
      guard !isTwice else {
        throw Problem(
          .usage, "\(mark) is repeated in \(Excerpt.quoted(word))", schema: schema,
          field: String(parts[0]))
      }
      if mark == "!" { isRequired = true } else { isMany = true }
      type.removeLast()
    }
    let declared = try fieldType(String(type), isMany: isMany, of: schema, String(parts[0]))
    if let relation = declared.relation, relation.isOwned, relation.target != schema {
      isRequired = true
    }
    return Field(String(parts[0]), declared, isRequired: isRequired)
  }

  /// Returns whether a word is a relation with an inverse, such as `order:lines` or
  /// `order:lines:owned`.
  private static func isRelation(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 3 && !parts.contains(where: \.isEmpty)
      && FieldType(String(parts[0])) == nil
  }

  /// Parses the target of a relation, with its inverse and `owned` if they are given. Returns nil
  /// if the word is no relation.
  private static func relation(
    _ word: String, isMany: Bool, of schema: String, _ field: String
  ) throws(Problem) -> Relation? {
    let parts = word.split(separator: ":").map(String.init)
    guard Names.isValid(parts[0], as: .schema), parts[0] != "relation" else { return nil }
    var relation = Relation(to: parts[0], isMany: isMany)
    guard parts.count > 1 else { return relation }
    guard Names.isValid(parts[1], as: .field), parts.count == 2 || parts[2] == "owned" else {
      throw Problem(
        .usage,
        "\(field):\(Excerpt.escaped(word)): expected SCHEMA:INVERSE or SCHEMA:INVERSE:owned",
        hint: "for example order:order:lines:owned", schema: schema, field: field)
    }
    relation.inverse = parts[1]
    if parts.count == 3 { (relation.isOwned, relation.onDelete) = (true, .cascade) }
    return relation
  }

  /// Returns whether a word is a type with integers, such as `decimal:12,2`.
  private static func isType(_ word: Substring) -> Bool {
    guard let colon = word.firstIndex(of: ":") else { return false }
    return FieldType.sample(String(word[..<colon]))?.integers != nil
  }

  /// Parses a type with integers. Returns nil for other types.
  private static func typeWithIntegers(
    _ word: String, of schema: String, _ field: String
  ) throws(Problem) -> FieldType? {
    let parts = word.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let integers = FieldType.sample(String(parts[0]))?.integers else {
      return nil
    }
    let given = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = given.compactMap(\.self)
    guard given.count == integers.keys.count, numbers.count == given.count,
      let type = integers.type(numbers)
    else {
      throw Problem(
        .usage, "\(field):\(Excerpt.escaped(word)): \(integers.rule)",
        hint: FieldType.hint(for: String(parts[0])), schema: schema, field: field)
    }
    return type
  }

  private static func fieldType(
    _ word: String, isMany: Bool, of schema: String, _ field: String
  ) throws(Problem) -> FieldType {
    let typeWithIntegers = try typeWithIntegers(word, of: schema, field)
    guard let type = FieldType(word) ?? typeWithIntegers else {
      if let relation = try relation(word, isMany: isMany, of: schema, field) {
        return .relation(relation)
      }
      // An address, such as `postgres://user:password@host`, may have been given in place of a
      // field. Its password must not be printed.
      let declaration = "\(field):\(word)"
      guard Secrets.redacted(inText: declaration) == declaration else {
        throw Problem(.usage, "unknown type in \(Excerpt.quoted(declaration))", schema: schema)
      }
      let suggestion =
        FieldType.hint(for: word)
        ?? Names.suggested(for: word, as: .schema).map { "did you mean \($0)?" }
      throw Problem(
        .usage, "\(field):\(Excerpt.escaped(word)): unknown type \(Excerpt.quoted(word))",
        hint: word == "relation"
          ? "for a relation, write the name of its target schema: owner:user" : suggestion,
        schema: schema, field: field)
    }
    guard isMany else { return type }
    guard let element = ElementType(rawValue: word) else {
      let types = ElementType.allCases.map(\.rawValue)
      throw Problem(
        .usage, "\(field):\(word)+: arrays of \(word) are not supported",
        hint: "use an array of \(types.dropLast().joined(separator: ", ")) or \(types.last ?? "")",
        schema: schema, field: field)
    }
    return .array(element)
  }
}
