extension DeclaredSchema {
  func line(of field: String) -> Int? {
    draft.fields.first { $0.field.name == field }?.line ?? draft.line
  }

  /// Returns a finding at the line of the field or the schema in the file.
  func finding(
    _ rule: LintRule, _ message: String, fix: String? = nil, field: String? = nil,
    line: Int? = nil
  ) -> LintFinding {
    LintFinding(
      rule, message, fix: fix, schema: schema.name, field: field, file: draft.file,
      line: line ?? field.map(self.line) ?? draft.line)
  }
}
