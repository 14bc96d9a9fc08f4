import DataModel
import DataOutput
import Inference

/// A report on the schemas that were inferred from records: a table of the fields of each schema,
/// and notes.
struct InferenceReport {
  /// How a report describes keys that have only null values, for which no type can be inferred.
  enum EmptyKeys {
    /// A key with only null values gets no field. A save would reject the key.
    case refused
    /// A key with only null values gets no field. A save ignores the null values.
    case leftOut
  }

  private let inference: SchemaInference
  private let schemas: [InferredSchema]

  init(_ inference: SchemaInference, _ schemas: [InferredSchema]) {
    self.inference = inference
    self.schemas = schemas
  }

  /// Returns a table with one row for each key in the input. The row describes the field that was
  /// inferred from the key. Lines wider than `limit` columns of the terminal are truncated.
  func table(of inferred: InferredSchema, cutAt limit: Int?) -> String {
    var table = TextTable(
      [
        TextTable.Column("field"), TextTable.Column("type"), TextTable.Column("nulls", .right),
        TextTable.Column("missing", .right), TextTable.Column("example"),
        TextTable.Column("other types"),
      ], cutAt: limit)
    var output: [UInt8] = []
    for finding in inferred.findings {
      table.add(
        [
          finding.names, finding.field?.type.name ?? "-", finding.nulls.grouped,
          finding.missing.grouped, finding.example ?? "",
          finding.others.map(\.summary).joined(separator: ", "),
        ], to: &output)
    }
    table.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the notes on the inferred schemas. Each note is one line.
  func notes(emptyKeysAre emptyKeys: EmptyKeys) -> [String] {
    var notes = schemas.flatMap { inferred in
      inferred.notes.map { schemas.count > 1 ? "\(inferred.schema.name).\($0)" : $0 }
    }
    let keys = inference.emptyKeys.map { Excerpt.truncated($0) }
    guard !keys.isEmpty else { return notes }
    let names = keys.joined(separator: ", ")
    switch emptyKeys {
    case .leftOut: notes.append("\(names): only null values; left out")
    case .refused:
      notes.append(
        "\(names): only null values, so no field is declared; save rejects keys without a field")
      notes.append(
        inference.commandWithoutEmptyKeys.map { "  remove the keys with: \($0)" }
          ?? "  declare the keys in the schema file, or remove them from the records")
    }
    return notes
  }

  var tables: [InferredSchema] { schemas }
}

extension CommandContext {
  /// Prints the report to stderr, unless `--quiet` was passed.
  func printMessage(
    _ report: InferenceReport, emptyKeysAre emptyKeys: InferenceReport.EmptyKeys
  ) throws(DataError) {
    if isQuiet { return }
    let errors = console.errors
    let width = errors.isTerminal ? console.width(of: errors) : nil
    for inferred in report.tables {
      try printMessage("\(inferred.schema.name): \(inferred.count.counted("record"))")
      try errors.write(report.table(of: inferred, cutAt: width))
    }
    for note in report.notes(emptyKeysAre: emptyKeys) { try printMessage(note) }
  }
}

extension InferredSchema.Finding {
  /// The name of the field, followed by the key in the input if the key differs from the name.
  fileprivate var names: String {
    guard let field else { return key }
    return field.name == key ? key : "\(field.name) (\(key))"
  }
}

extension InferredSchema.OtherValues {
  fileprivate var summary: String {
    "\(count.grouped) \(kind) (\(file.map { "\($0):" } ?? "line ")\(line): \(example))"
  }
}
