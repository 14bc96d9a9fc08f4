import DataModel
import JSONText

/// Parses a schema file, and collects all problems instead of throwing the first one.
struct SchemaFileReader {
  let bytes: [UInt8]
  let file: String?
  var draft: SchemaDraft
  var problems: [Problem] = []
  /// Whether the name of the schema and the types of all fields could be parsed. If not, the schema
  /// is not validated, because that would only report consequences of the same errors.
  var isTyped = true
  private let lines: LineStarts

  init(_ bytes: [UInt8], _ lines: LineStarts, file: String?) {
    self.bytes = bytes
    self.lines = lines
    self.file = file
    draft = SchemaDraft(name: "", file: file)
  }

  private static let keys = SchemaFileKey.allCases.map(\.rawValue)

  mutating func read(_ node: JSONNode) {
    guard case .object(let members) = node.content else {
      isTyped = false
      return report("expected a schema: an object in braces, found \(node.kind)", node.range)
    }
    let known = unique(members, among: Self.keys, of: "a schema file")
    // A schema that owns itself has other implied rules, so the name must be known first.
    if let member = known.first(where: { $0.name == "schema" }) {
      draft.line = line(of: member.position)
      draft.name = text(member) ?? ""
      isTyped = isTyped && !draft.name.isEmpty
    }
    for member in known {
      switch member.name {
      case "schema": break
      case "was": draft.was = text(member)
      case "kind":
        if let word = choice(member, of: Schema.Kind.allCases.map(\.rawValue)) {
          draft.kind = Schema.Kind(rawValue: word) ?? .records
        }
      case "doc": draft.doc = text(member)
      case "fields": readFields(member)
      case "indexes": readIndexes(member)
      case "roles": draft.roles = text(member)
      case "disabled": draft.disabled = text(member)
      case "access":
        for entry in accessEntries(member, of: AccessVerb.allCases.map { $0.rawValue }) {
          guard let verb = AccessVerb(rawValue: entry.name) else { continue }
          draft.setAccess(verb, accessRules(entry), line: line(of: entry.position))
        }
      default: readProperties(member)
      }
    }
    for name in ["schema", "fields"] where !members.contains(where: { $0.name == name }) {
      isTyped = false
      report("\"\(name)\" is missing", node.range)
    }
  }

  private mutating func readFields(_ member: JSONNode.Member) {
    guard case .object(let fields) = member.value.content else {
      isTyped = false
      return report(
        "\"fields\": expected an object, found \(member.value.kind)", member.value.range)
    }
    for field in fields {
      var reader = FieldReader(name: field.name)
      reader.read(field.value, &self)
      draft.fields.append(
        SchemaDraft.FieldDraft(reader.field, was: reader.was, line: line(of: field.position)))
    }
  }

  private mutating func readIndexes(_ member: JSONNode.Member) {
    guard case .array(let indexes) = member.value.content else {
      return report(
        "\"indexes\": expected an array, found \(member.value.kind)", member.value.range)
    }
    for index in indexes {
      guard case .array(let terms) = index.content else {
        report("expected an index such as [\"done\", \"-due\"], found \(index.kind)", index.range)
        continue
      }
      var values: [OrderTerm] = []
      for term in terms {
        if case .text(let word) = term.content {
          values.append(OrderTerm(text: word))
        } else {
          report("expected a field's name, found \(term.kind)", term.range)
        }
      }
      draft.indexes.append(SchemaDraft.IndexDraft(values, line: line(of: index.range.lowerBound)))
    }
  }

  private mutating func readProperties(_ member: JSONNode.Member) {
    guard case .object(let properties) = member.value.content else {
      return report(
        "\"properties\": expected an object, found \(member.value.kind)", member.value.range)
    }
    for property in properties {
      guard let field = text(property) else { continue }
      draft.properties.append(
        SchemaDraft.PropertyDraft(property.name, field: field, line: line(of: property.position)))
    }
  }

  /// Returns the members of an object with access rules, such as `"read": "users"`. Reports and
  /// omits members with an unknown key.
  mutating func accessEntries(
    _ member: JSONNode.Member, of keys: [String], field: String? = nil
  ) -> [JSONNode.Member] {
    guard case .object(let members) = member.value.content else {
      report(
        "\"access\": expected an object, found \(member.value.kind)", member.value.range,
        hint: "write {\"\(keys[0])\": \"users\"}", field: field)
      return []
    }
    return unique(members, among: keys, of: "\"access\"", field: field)
  }

  /// Returns the access rules for one kind of access, such as `"read": "users"`. The value of the
  /// member is one rule or a list of rules.
  mutating func accessRules(_ entry: JSONNode.Member, field: String? = nil) -> [AccessRule] {
    var nodes = [entry.value]
    if case .array(let elements) = entry.value.content { nodes = elements }
    return nodes.compactMap { node in
      if case .text(let text) = node.content { return AccessRule(text: text) }
      report(
        "access.\(entry.name): expected a rule as text, found \(node.kind)", node.range,
        field: field)
      return nil
    }
  }

  /// Returns the members whose keys are known. Reports unknown and duplicate keys and omits them.
  ///
  /// - Parameter owner: The kind of object that contains the keys, such as `a field`, for error
  ///   messages.
  mutating func unique(
    _ members: [JSONNode.Member], among keys: [String], of owner: String, field: String? = nil
  ) -> [JSONNode.Member] {
    var accepted: [JSONNode.Member] = []
    for member in members {
      let range = member.position..<member.value.range.upperBound
      if !keys.contains(member.name) {
        let nearest = nearest(member.name, among: keys)
        report(
          "\(owner) has no key \(Excerpt.quoted(member.name))", range,
          hint: nearest.map { "did you mean \($0)?" }
            ?? "known keys are " + keys.joined(separator: ", "),
          field: field)
      } else if accepted.contains(where: { $0.name == member.name }) {
        report("\"\(member.name)\" is given twice", range, field: field)
      } else {
        accepted.append(member)
      }
    }
    return accepted
  }

  mutating func text(_ member: JSONNode.Member, field: String? = nil) -> String? {
    if case .text(let text) = member.value.content { return text }
    report(
      "expected text as \"\(member.name)\", found \(member.value.kind)", member.value.range,
      field: field)
    return nil
  }

  mutating func boolean(_ member: JSONNode.Member, field: String) -> Bool {
    if case .boolean(let boolean) = member.value.content { return boolean }
    report(
      "expected true or false as \"\(member.name)\", found \(member.value.kind)",
      member.value.range, field: field)
    return false
  }

  mutating func choice(
    _ member: JSONNode.Member, of values: [String], field: String? = nil
  ) -> String? {
    guard let word = text(member, field: field) else { return nil }
    if values.contains(word) { return word }
    let hint =
      member.name == "type"
      ? FieldType.hint(for: word) : nearest(word, among: values).map { "did you mean \($0)?" }
    report(
      "expected \(values.joined(separator: ", ")) as \"\(member.name)\", found "
        + Excerpt.quoted(word), member.value.range,
      hint: hint, field: field)
    return nil
  }

  mutating func report(
    _ message: String, _ range: Range<Int>, hint: String? = nil, field: String? = nil
  ) {
    problems.append(
      Problem(
        .invalidSchema, message, hint: hint, schema: draft.name.isEmpty ? nil : draft.name,
        field: field, file: file, line: line(of: range.lowerBound),
        column: lines.column(of: range.lowerBound)))
  }

  func line(of offset: Int) -> Int { lines.line(of: offset) }
}
