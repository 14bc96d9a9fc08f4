/// A schema as a file declares it, with the names that it and its fields had before.
package struct DeclaredSchema: Sendable {
  package let schema: Schema
  /// What the file says, and in which lines.
  package let draft: SchemaDraft

  /// Takes a schema that no file declares.
  package init(_ schema: Schema, was: String? = nil, fieldsWere: [String: String] = [:]) {
    self.schema = schema
    var draft = SchemaDraft(schema)
    draft.was = was
    for place in draft.fields.indices {
      draft.fields[place].was = fieldsWere[draft.fields[place].field.name]
    }
    self.draft = draft
  }

  /// Checks a draft and reports everything that is wrong with it at once.
  package init(checking draft: SchemaDraft) throws(DataError) {
    schema = try Schema(checking: draft)
    self.draft = draft
  }

  /// What the schema was called before.
  package var was: String? { draft.was }

  /// What a field was called before.
  package func was(ofField name: String) -> String? {
    draft.fields.first { $0.field.name == name }?.was
  }
}
