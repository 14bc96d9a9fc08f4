/// A schema together with the lines in which its file says it.
package struct SchemaSource: Sendable {
  package let schema: Schema
  package let draft: SchemaDraft

  /// Checks what a file says.
  package init(checking draft: SchemaDraft) throws(DataError) {
    schema = try Schema(checking: draft)
    self.draft = draft
  }

  func line(of field: String) -> Int? {
    draft.fields.first { $0.field.name == field }?.line ?? draft.line
  }

  func finding(
    _ rule: LintRule, _ message: String, mend: String? = nil, field: String? = nil,
    line: Int? = nil
  ) -> LintFinding {
    LintFinding(
      rule, message, mend: mend, schema: schema.name, field: field, file: draft.file,
      line: line ?? field.map(self.line) ?? draft.line)
  }
}
