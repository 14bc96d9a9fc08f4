/// An unvalidated schema, from a schema file or the command line.
package struct SchemaDraft: Sendable {
  package var name: String
  /// The previous name of the schema, if existing records are to be kept under the new name.
  package var was: String?
  package var doc: String?
  package var kind = Schema.Kind.records
  package var fields: [FieldDraft] = []
  package var indexes: [IndexDraft] = []
  package var properties: [PropertyDraft] = []
  /// The path of the schema file, for error messages.
  package var file: String?
  /// The line of the schema's name in the file.
  package var line: Int?

  package struct FieldDraft: Sendable {
    package var field: Field
    /// The previous name of the field, if existing values are to be kept under the new name.
    package var was: String?
    package var line: Int?

    package init(_ field: Field, was: String? = nil, line: Int? = nil) {
      self.field = field
      self.was = was
      self.line = line
    }
  }

  package struct IndexDraft: Sendable {
    package var terms: [OrderTerm]
    package var line: Int?

    package init(_ terms: [OrderTerm], line: Int? = nil) {
      self.terms = terms
      self.line = line
    }
  }

  package struct PropertyDraft: Sendable {
    package var name: String
    package var field: String
    package var line: Int?

    package init(_ name: String, field: String, line: Int? = nil) {
      self.name = name
      self.field = field
      self.line = line
    }
  }

  package init(name: String, file: String? = nil, line: Int? = nil) {
    self.name = name
    self.file = file
    self.line = line
  }
}

extension SchemaDraft {
  /// Creates a draft from an existing schema, to be modified.
  package init(_ schema: Schema) {
    self.init(name: schema.name)
    doc = schema.doc
    kind = schema.kind
    fields = schema.fields.map { FieldDraft($0) }
    indexes = schema.indexes.map { IndexDraft($0.terms) }
    properties = schema.properties.map { PropertyDraft($0.name, field: $0.field) }
  }
}
