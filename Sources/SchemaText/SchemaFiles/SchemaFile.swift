package import DataModel
package import JSONText

/// Parsing and serialization of schema files, such as `todo.json`.
package enum SchemaFile {
  /// Parses a schema file into a draft.
  ///
  /// The draft is not validated yet: pass it to `Schema(checking:)`.
  ///
  /// - Throws: An error with all problems of the file, each with its line.
  package static func read(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> SchemaDraft {
    let node = try JSONNode.read(bytes, file: file, code: .invalidSchema)
    return try draft(of: node, in: bytes, LineStarts(bytes), file: file)
  }

  /// Parses a sequence of schemas in one text, such as the output of `schema export`.
  package static func readAll(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> [SchemaDraft] {
    var problems: [Problem] = []
    var drafts: [SchemaDraft] = []
    let lines = LineStarts(bytes)
    for node in try JSONNode.readAll(bytes, file: file, code: .invalidSchema) {
      do throws(DataError) {
        drafts.append(try draft(of: node, in: bytes, lines, file: file))
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    return drafts
  }

  /// Parses a schema from a JSON value in a larger text.
  ///
  /// - Throws: An error with the problems of the value. If the types of all fields are known, it
  ///   also contains the problems that schema validation finds.
  package static func draft(
    of node: JSONNode, in bytes: [UInt8], _ lines: LineStarts, file: String?
  ) throws(DataError) -> SchemaDraft {
    var reader = SchemaFileReader(bytes, lines, file: file)
    reader.read(node)
    guard var error = DataError(reader.problems) else { return reader.draft }
    if reader.isTyped {
      do throws(DataError) {
        _ = try Schema(checking: reader.draft)
      } catch let more {
        for problem in more.problems { error.add(problem) }
      }
    }
    throw error
  }

  /// Returns the text of a schema file for the schema, in the canonical format.
  package static func text(_ schema: Schema) -> String {
    text(DeclaredSchema(schema))
  }

  /// Returns the text of a schema file in the canonical format, including the previous names of the
  /// schema and its fields.
  package static func text(_ declared: DeclaredSchema) -> String {
    SchemaFileWriter(declared).text()
  }
}

/// Serializes a schema in the canonical format, with one line per field and the keys in a fixed
/// order.
struct SchemaFileWriter {
  private let declared: DeclaredSchema
  private var schema: Schema { declared.schema }

  init(_ declared: DeclaredSchema) {
    self.declared = declared
  }

  func text() -> String {
    var lines = ["  \"schema\": " + quoted(schema.name)]
    if let was = declared.was { lines.append("  \"was\": " + quoted(was)) }
    if schema.kind != .records { lines.append("  \"kind\": " + quoted(schema.kind.rawValue)) }
    if let doc = schema.doc { lines.append("  \"doc\": " + quoted(doc)) }
    let fields = schema.fields.map { "    \(quoted($0.name)): {\(declaration($0))}" }
    lines.append("  \"fields\": {\n\(fields.joined(separator: ",\n"))\n  }")
    if !schema.indexes.isEmpty {
      let indexes = schema.indexes.map { index in
        "[\(index.terms.map { quoted($0.text) }.joined(separator: ", "))]"
      }
      lines.append("  \"indexes\": [\(indexes.joined(separator: ", "))]")
    }
    if !schema.properties.isEmpty {
      let properties = schema.properties.map { "\(quoted($0.name)): \(quoted($0.field))" }
      lines.append("  \"properties\": {\(properties.joined(separator: ", "))}")
    }
    if let roles = schema.roles { lines.append("  \"roles\": " + quoted(roles)) }
    if let disabled = schema.disabled { lines.append("  \"disabled\": " + quoted(disabled)) }
    if !schema.access.isEmpty {
      let rules = schema.access.members.map { "    \"\($0.key)\": \($0.json)" }
      lines.append("  \"access\": {\n\(rules.joined(separator: ",\n"))\n  }")
    }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  private func declaration(_ field: Field) -> String {
    var members = [("type", quoted(field.type.name))]
    if let integers = field.type.integers {
      members += zip(integers.keys.map(\.name), integers.values.map(String.init))
    }
    if let relation = field.type.relation {
      members.append(("to", quoted(relation.target)))
      if relation.isMany { members.append(("many", "true")) }
      if relation.onDelete != .nullify, !relation.isOwned {
        members.append(("on_delete", quoted(relation.onDelete.rawValue)))
      }
      if let inverse = relation.inverse { members.append(("inverse", quoted(inverse))) }
      if relation.isOwned { members.append(("owned", "true")) }
      if let position = relation.position { members.append(("position", quoted(position))) }
    }
    // An owned relation is required, but for that of a schema that owns itself.
    if field.isRequired, !field.type.isOwned { members.append(("required", "true")) }
    if field.isUnique { members.append(("unique", "true")) }
    if let text = field.defaultText { members.append(("default", text)) }
    if let minimum = field.minimum { members.append(("min", minimum.jsonText)) }
    if let maximum = field.maximum { members.append(("max", maximum.jsonText)) }
    if !field.oneOf.isEmpty {
      members.append(("one_of", "[\(field.oneOf.map(\.jsonText).joined(separator: ", "))]"))
    }
    if let pattern = field.pattern { members.append(("pattern", quoted(pattern.source))) }
    if let access = field.access.jsonText { members.append(("access", access)) }
    if let doc = field.doc { members.append(("doc", quoted(doc))) }
    if let was = declared.was(ofField: field.name) { members.append(("was", quoted(was))) }
    return members.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
  }

  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONQuote.append(text.utf8.span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
