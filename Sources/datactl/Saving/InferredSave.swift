import ClientCore
import DataModel
import DataOutput
import DataStore
import Inference
import Maps
import RecordText
import SchemaText

/// A schema change that is applied in the same transaction as a save.
struct InferredChange {
  let plan: SchemaPlan
  /// Messages about the created schema or the added fields, and notes on the keys in the input.
  let messages: [String]
}

/// A save that infers the schema, or the fields that the schema does not have yet, from the first
/// records.
struct InferredSave {
  /// A schema for the records, and the change that creates this schema or adds the missing fields
  /// to it.
  struct Proposal {
    var schema: Schema
    var change: InferredChange
    /// The schemas after the change, if the records are trees.
    var catalog: Catalog?
    /// The keys in the input that get no field in the schema, because all their values are null.
    var emptyKeys: [String]
    /// Where the ids of the records come from, or nil if the schema already exists.
    var ids: InferredSchema.IDSource?

    /// Returns the options for saving the records. If fields were inferred, numbers that would lose
    /// digits are rejected, because numbers in later records can have more digits than those in the
    /// first records. If the ids of a new schema are the values of a key in the input, an id that
    /// occurs twice is rejected, because the key is then not suitable as the primary key.
    func options(from options: SaveOptions) -> SaveOptions {
      var options = options
      options.conversions.keepsDigits = !change.plan.isEmpty
      if case .key = ids, options.policy.mode != .update { options.policy.mode = .create }
      return options
    }
  }

  /// An input whose first bytes were read to infer the schema.
  struct ReadInput: Sendable {
    let input: InputStream
    fileprivate let recorded: RecordedSource<InputStream>

    /// A source of the whole input, including the bytes that were already read.
    var bytes: InputText { recorded.replayed }
  }

  /// The inputs that the save does not open again, such as stdin, because their first bytes were
  /// already read to infer the schema. The key is the index of the input in the list of input
  /// files.
  let readInputs: [Int: ReadInput]
  private let schemaName: String
  private let isDryRun: Bool
  private let isDeep: Bool
  private let form: TextForm
  private let inference: SchemaInference

  /// Reads the first records of the files, and infers the schema from them.
  ///
  /// - Parameter open: A closure that opens the file with the given index in `paths`.
  init(
    _ schemaName: String, from paths: [String], _ form: TextForm, options: SaveOptions,
    map: DataMap?, open: (_ index: Int) throws(DataError) -> InputStream
  ) throws(DataError) {
    self.schemaName = schemaName
    self.form = form
    isDryRun = options.isDryRun
    isDeep = options.isDeep
    var readInputs: [Int: ReadInput] = [:]
    inference = try SchemaInference(
      schemaName, from: paths, form, by: map, extent: .head,
      keepsSystemFields: options.policy.systemFields == .given, splits: options.isDeep
    ) { index throws(DataError) in
      let input = try open(index)
      // Several regular files are opened again by the save, so that few files are open at a time.
      guard paths.count == 1 || paths[index] == "-" || input.offset == nil else { return input }
      let recorded = RecordedSource(input)
      readInputs[index] = ReadInput(input: input, recorded: recorded)
      return recorded
    }
    self.readInputs = readInputs
    if isDeep, map == nil, inference.isXML {
      throw DataError(
        .usage, "--infer with --deep requires JSON, because XML does not tell lists from values",
        hint: "describe the records in a map: datactl help maps")
    }
  }

  /// Whether the schema was inferred from all records.
  var isComplete: Bool { inference.isComplete }

  /// A warning that a document has no records where the map expects them; nil if there is none.
  var missingRecords: String? { inference.missingRecords }

  /// Returns the inferred schema, and the change to the schemas of the store. Returns nil if the
  /// input has no records and the schema does not exist in the store.
  func proposal(over stored: StoredCatalog) throws(DataError) -> Proposal? {
    let existing = stored.catalog[schemaName]
    if existing == nil { _ = try Schema(checking: FieldShorthand.draft(schema: schemaName, [])) }
    guard inference.count > 0 || existing != nil else { return nil }
    let inferred: InferredSchema
    if isDeep { return try treeProposal(over: stored) }
    if let existing {
      inferred = try inference.extending(existing)
      try checkNumberedColumns(of: inferred.schema, over: existing)
    } else {
      inferred = try inference.schema()
    }
    let emptyKeys = inference.emptyKeys.filter { existing?.slot(ofForeignKey: $0) == nil }
    return Proposal(
      schema: inferred.schema,
      change: InferredChange(
        plan: try SchemaPlan(from: stored, to: [inferred.schema], reading: .partial),
        messages: messages(of: inferred, over: existing, emptyKeys)),
      emptyKeys: emptyKeys, ids: inferred.ids)
  }

  /// Returns the inferred schemas of the records in trees, and the change to the schemas of the store.
  private func treeProposal(over stored: StoredCatalog) throws(DataError) -> Proposal {
    let inferred = try inference.schemas(over: stored.catalog)
    let emptyKeys = inference.allEmptyKeys
    let plan = try SchemaPlan(from: stored, to: inferred.map(\.schema), reading: .partial)
    let messages = inferred.enumerated().flatMap { index, inferred in
      self.messages(
        of: inferred, over: stored.catalog[inferred.schema.name], index == 0 ? emptyKeys : [])
    }
    return Proposal(
      schema: inferred[0].schema, change: InferredChange(plan: plan, messages: messages),
      catalog: try plan.catalog(after: stored.catalog), emptyKeys: emptyKeys, ids: inferred[0].ids)
  }

  /// Throws an error if columns without names (`--no-header`), which are called `column_1` and so
  /// on, would become new fields of an existing schema. The columns probably contain values of
  /// existing fields.
  private func checkNumberedColumns(of schema: Schema, over existing: Schema) throws(DataError) {
    guard form.header == .numbers,
      let added = schema.fields.first(where: { existing.slot(named: $0.name) == nil })
    else { return }
    throw DataError(
      .usage,
      "--no-header would add the field \(added.name) to the existing schema \(schemaName)",
      hint: "omit --infer to read the columns in the order of the fields, "
        + "or name them with --header")
  }

  private func messages(
    of inferred: InferredSchema, over existing: Schema?, _ emptyKeys: [String]
  ) -> [String] {
    let name = inferred.schema.name
    let fields = inferred.schema.fields.filter { field in
      !(existing?.fields.contains { $0.name == field.name } ?? false)
    }
    let fieldList = fields.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")
    var messages: [String] = []
    if existing == nil {
      messages.append("Schema \(name) \(isDryRun ? "would be " : "")created: \(fieldList)")
    } else if !fields.isEmpty {
      messages.append("\(isDryRun ? "Would be added" : "Added") to \(name): \(fieldList)")
    }
    messages += inferred.notes.map { isDeep ? "\(name).\($0)" : $0 }
    if !emptyKeys.isEmpty {
      let names = emptyKeys.map { Excerpt.truncated($0) }.joined(separator: ", ")
      messages.append("\(names): only null values; left out")
    }
    return messages
  }

  /// The hint for an id that occurs twice in the column given with `--key`.
  static let hintForRepeatedKey =
    "choose another column for --key, or skip these records: --skip-invalid --rejects FILE"

  /// Adds a hint to the error of a save whose schema was inferred from only the first records.
  /// Later records may have caused the error, so the hint is to use `schema infer`, which reads all
  /// records.
  ///
  /// - Parameter files: The files and patterns that were given on the command line.
  func addingHint(_ error: DataError, schema: Schema, files: [String]) -> DataError {
    let input = files.map { file in
      // If patterns were given, the hint shows them: a shell expands them to the operands of
      // `schema infer`.
      file.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
        ? "--file '\(file)'" : "--file \(file)"
    }.joined(separator: " ")
    return error.modifyingProblems { problem in
      guard problem.line != nil, problem.code == .invalid || problem.code == .unknownField,
        problem.hint != Self.hintForRepeatedKey
      else { return }
      problem.hint =
        "--infer used the first \(SchemaInference.headCount.grouped) records; to use all records: "
        + "datactl schema infer \(schema.name) " + (isDeep ? "--split " : "")
        + (files.isEmpty || files == ["-"] ? "< FILE" : input)
    }
  }
}
