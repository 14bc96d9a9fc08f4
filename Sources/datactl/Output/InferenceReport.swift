import DataModel
import DataText

/// Says what was found in records, and what became of it.
struct InferenceReport {
  /// What happens to a key under which there was nothing but null.
  enum EmptyKeys {
    /// A save refuses it, since the schema does not have it.
    case refused
    /// It is left out.
    case leftOut
  }

  private let inference: SchemaInference
  private let schemas: [InferredSchema]

  init(_ inference: SchemaInference, _ schemas: [InferredSchema]) {
    self.inference = inference
    self.schemas = schemas
  }

  /// The table of one schema's keys, for a terminal so wide, or for a pipe.
  func table(of inferred: InferredSchema, cutAt limit: Int?) -> String {
    var table = Table(
      [
        Table.Column("field"), Table.Column("type"), Table.Column("nulls", .right),
        Table.Column("missing", .right), Table.Column("example"), Table.Column("other types"),
      ], cutAt: limit)
    var output: [UInt8] = []
    for finding in inferred.findings {
      table.add(
        [
          finding.names, finding.field?.type.name ?? "-", finding.nulls.grouped,
          finding.missing.grouped, finding.example ?? "",
          finding.others.map(\.words).joined(separator: ", "),
        ], to: &output)
    }
    table.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// What else there is to know, a sentence each.
  func notes(emptyKeysAre emptyKeys: EmptyKeys) -> [String] {
    var notes = schemas.flatMap { inferred in
      inferred.notes.map { schemas.count > 1 ? "\(inferred.schema.name).\($0)" : $0 }
    }
    let keys = inference.emptyKeys.map { Excerpt.cut($0) }
    guard !keys.isEmpty else { return notes }
    let names = keys.joined(separator: ", ")
    switch emptyKeys {
    case .leftOut: notes.append("\(names): only null values; left out")
    case .refused:
      notes.append("\(names): only null values, so no field; save rejects keys without a field")
      notes.append(
        inference.commandWithoutEmptyKeys.map { "  remove it with: \($0)" }
          ?? "  declare it in the schema file, or remove it from the records")
    }
    return notes
  }

  var tables: [InferredSchema] { schemas }
}

extension Invocation {
  /// Says on standard error what was found in records.
  func say(
    _ report: InferenceReport, emptyKeysAre emptyKeys: InferenceReport.EmptyKeys
  ) throws(DataError) {
    if isQuiet { return }
    let errors = console.errors
    let width = errors.isTerminal ? console.width(of: errors) : nil
    for inferred in report.tables {
      try say("\(inferred.schema.name): \(inferred.count.counted("record"))")
      try errors.write(report.table(of: inferred, cutAt: width))
    }
    for note in report.notes(emptyKeysAre: emptyKeys) { try say(note) }
  }
}

extension InferredSchema.Finding {
  /// The field's name, and the key if it is another.
  fileprivate var names: String {
    guard let field else { return key }
    return field.name == key ? key : "\(field.name) (\(key))"
  }
}

extension InferredSchema.Others {
  fileprivate var words: String { "\(count.grouped) \(kind) (line \(line): \(example))" }
}
