package import DataModel

/// Exports schemas as TypeScript types for records in JSON.
package enum TypeScriptExport {
  /// Returns the source: for each schema the types of a record, a new record and a change.
  package static func text(_ schemas: [Schema]) -> String {
    var names = TypeNames(taken: [], otherwise: { $0 })
    let records = schemas.map { names.name(for: $0.name) }
    let forms = records.map { (record: $0, new: names.take("New" + $0)) }.map {
      ($0.record, $0.new, names.take($0.record + "Change"))
    }
    let words = TypeScriptWords(of: schemas, &names)
    var text =
      "// Written by `datactl schema export --format typescript`: write it anew instead of editing it.\n"
    text += words.declarations.map { "\n" + $0 }.joined()
    for (schema, (record, new, change)) in zip(schemas, forms) {
      let type = TypeScriptType(schema: schema, words: words)
      text += "\n" + type.text(.record, name: record)
      text += "\n" + type.text(.new, name: new)
      text += "\n" + type.text(.change, name: change)
    }
    return text
  }
}

/// A schema as TypeScript types.
private struct TypeScriptType {
  let schema: Schema
  let words: TypeScriptWords

  func text(_ form: RecordShape.Form, name: String) -> String {
    var lines: [String] = []
    switch form {
    case .record: lines = documentation(schema.doc ?? "A record of \(schema.name).", indent: "")
    case .new:
      lines = documentation("A new record of \(schema.name), as save takes it.", indent: "")
    case .change:
      lines = documentation("A change of a record of \(schema.name), as save takes it.", indent: "")
    }
    lines.append("export interface \(name) {")
    for field in fields(of: form) {
      if form == .record { lines += documentation(field.doc ?? "", indent: "  ") }
      lines.append("  \(declaration(field, form));")
    }
    lines += systemLines(form)
    lines.append("}")
    return lines.map { $0 + "\n" }.joined()
  }

  private func fields(of form: RecordShape.Form) -> [Field] {
    [schema.key]
      + schema.fields.filter { field in
        field.type != .id && (form != .record || field.type != .password)
      }
  }

  private func documentation(_ doc: String, indent: String) -> [String] {
    let lines = DocText.lines(doc).map { line in
      line.split(separator: "*/", omittingEmptySubsequences: false).joined(separator: "*\\/")
    }
    if lines.count < 2 { return lines.map { "\(indent)/** \($0) */" } }
    return ["\(indent)/**"] + lines.map { "\(indent) * \($0)" } + ["\(indent) */"]
  }

  private func declaration(_ field: Field, _ form: RecordShape.Form) -> String {
    let isNullable =
      !field.isRequired && field.type != .id && field.type.relation?.isMany != true
    let type = words.type(of: field) + (isNullable && field.type != .json ? " | null" : "")
    switch form {
    case .record: return "\(field.name): \(type)"
    case .new:
      let isNeeded =
        field.type == .id
        ? schema.requiresGivenIDs : field.isRequired && field.defaultValue == nil
      return "\(field.name)\(isNeeded ? "" : "?"): \(type)"
    case .change:
      let operation = words.operation(on: field.type).map { " | " + $0 } ?? ""
      return "\(field.name)\(field.type == .id ? "" : "?"): \(type)\(operation)"
    }
  }

  private func systemLines(_ form: RecordShape.Form) -> [String] {
    switch form {
    case .record:
      SystemField.allCases.map { field in
        let type =
          switch field {
          case .createdAt, .modifiedAt: "string"
          case .createdBy, .modifiedBy: "string | null"
          case .revision: "number"
          }
        return "  readonly \(field.name): \(type);"
      }
    case .new: []
    case .change:
      ["  /** The revision that the record must still have. */", "  revision?: number;"]
    }
  }
}
