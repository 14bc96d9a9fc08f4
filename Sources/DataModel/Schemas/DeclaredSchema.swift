/// A schema as declared in a file, with the previous names of the schema and its fields.
package struct DeclaredSchema: Sendable {
  package let schema: Schema
  /// The declaration as written in the file, with line numbers.
  package let draft: SchemaDraft

  /// Creates a declaration from a schema that is not declared in a file.
  ///
  /// - Parameters:
  ///   - schema: The schema, with its new names.
  ///   - was: The previous name of the schema.
  ///   - fieldsWere: The previous names of renamed fields, with the new names as keys.
  package init(_ schema: Schema, was: String? = nil, fieldsWere: [String: String] = [:]) {
    self.schema = schema
    var draft = SchemaDraft(schema)
    draft.was = was
    for index in draft.fields.indices {
      draft.fields[index].was = fieldsWere[draft.fields[index].field.name]
    }
    self.draft = draft
  }

  /// Creates a declaration from a draft. Validates the draft, and throws one error with all its
  /// problems.
  package init(checking draft: SchemaDraft) throws(DataError) {
    schema = try Schema(checking: draft)
    self.draft = draft
  }

  /// The previous name of the schema, or nil if the declaration does not rename it.
  package var was: String? { draft.was }

  /// Returns the previous name of a field, or nil if the declaration does not rename it.
  package func was(ofField name: String) -> String? {
    draft.fields.first { $0.field.name == name }?.was
  }
}
