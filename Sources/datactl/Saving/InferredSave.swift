import ClientCore
import DataModel
import DataOutput
import DataStore
import DataText
import DataXML

/// A schema change that is applied in the same transaction as a save.
struct InferredChange {
  let plan: SchemaPlan
  /// Messages that describe the change.
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
    /// The keys for which the schema has no field, because they have only null values in the
    /// records.
    var emptyKeys: [String]
    /// The source of the record ids, or nil if the schema already exists.
    var ids: InferredSchema.IDSource?

    /// Returns the options for saving the records. If the ids of a new schema come from a key of
    /// the records, an id that occurs twice is rejected. Such an id shows that the key is not a
    /// primary key.
    func options(from options: SaveOptions) -> SaveOptions {
      var options = options
      if case .key = ids, options.policy.mode != .update { options.policy.mode = .create }
      return options
    }
  }

  /// An input whose first bytes were read to infer the schema.
  struct ReadInput: Sendable {
    let input: InputStream
    /// A source of all bytes. It includes those that were already read.
    let bytes: ReplayedSource<InputStream>
  }

  /// The inputs that were read to infer the schema and that cannot be opened again. The keys are
  /// indices of files.
  private(set) var readInputs: [Int: ReadInput] = [:]
  /// Whether the schema was inferred from all records.
  private(set) var isComplete = true
  private let schemaName: String
  private let isDryRun: Bool
  private let form: TextForm
  private let inference: SchemaInference

  /// Reads the first records of the files.
  ///
  /// - Parameter open: A closure that opens the file with the given index.
  init(
    _ schemaName: String, from paths: [String], _ form: TextForm, options: SaveOptions,
    map: DataMap?, open: (_ index: Int) throws(DataError) -> InputStream
  ) throws(DataError) {
    self.schemaName = schemaName
    self.form = form
    isDryRun = options.isDryRun
    var inference: SchemaInference?
    for (index, path) in paths.enumerated() {
      if inference?.isHeadComplete == true {
        isComplete = false
        break
      }
      let input = try open(index)
      let recorded = RecordedSource(input)
      let head = try Self.head(
        of: recorded, file: path, schemaName, form,
        keepsSystemFields: options.policy.systemFields == .given, map: map, continuing: inference)
      inference = head.inference
      isComplete = isComplete && head.isComplete
      // To keep few files open, regular files are opened again by the save.
      if paths.count == 1 || path == "-" || input.offset == nil {
        readInputs[index] = ReadInput(input: input, bytes: recorded.replayed)
      }
      if !head.isComplete { break }
    }
    guard let inference else { throw DataError(.usage, "no files to infer the schema from") }
    self.inference = inference
  }

  /// Infers the schema from the first records of a file.
  private static func head(
    of bytes: some ByteSource, file: String, _ schema: String, _ form: TextForm,
    keepsSystemFields: Bool, map: DataMap?, continuing former: SchemaInference?
  ) throws(DataError) -> (inference: SchemaInference, isComplete: Bool) {
    var text = try InputText(bytes, form, file: file)
    if let map {
      let layout = try MapLayout(map, inferring: schema)
      try layout.map.check(form)
      let locations = MapLocations(layout, file: file)
      do throws(DataError) {
        return try SchemaInference.head(
          of: try MappedSource(text, by: layout, locations, form, text.formerEncoding),
          schema: schema, TextForm(map.convertedFormat), file: file,
          keepsSystemFields: keepsSystemFields, splitting: layout.splitting,
          lines: locations.line(ofRecord:field:), continuing: former)
      } catch {
        throw error.map(locations.located)
      }
    }
    guard try text.detectXML(form) else {
      return try SchemaInference.head(
        of: text, schema: schema, form, file: file, keepsSystemFields: keepsSystemFields,
        continuing: former)
    }
    try form.checkXML(file: file)
    return try SchemaInference.head(
      of: try XMLRecordSource(text, for: nil, formerEncoding: text.formerEncoding),
      schema: schema, TextForm(.xml), file: file, keepsSystemFields: keepsSystemFields,
      continuing: former)
  }

  /// Returns the inferred schema, and the change to the schemas of the store. Returns nil if the
  /// input has no records and the schema does not exist in the store.
  func proposal(over stored: StoredCatalog) throws(DataError) -> Proposal? {
    let existing = stored.catalog[schemaName]
    if existing == nil { _ = try Schema(checking: FieldShorthand.draft(schema: schemaName, [])) }
    guard inference.count > 0 || existing != nil else { return nil }
    let inferred: InferredSchema
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

  /// Throws an error if numbered columns (`--no-header`) would be added to an existing schema. The
  /// columns probably contain the values of its fields.
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
    let fields = inferred.schema.fields.filter { field in
      !(existing?.fields.contains { $0.name == field.name } ?? false)
    }
    let fieldList = fields.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")
    var messages: [String] = []
    if existing == nil {
      messages.append("Schema \(schemaName) \(isDryRun ? "would be " : "")created: \(fieldList)")
    } else if !fields.isEmpty {
      messages.append("\(isDryRun ? "Would be added" : "Added") to \(schemaName): \(fieldList)")
    }
    messages += inferred.notes
    if !emptyKeys.isEmpty {
      let names = emptyKeys.map { Excerpt.truncated($0) }.joined(separator: ", ")
      messages.append("\(names): only null values; left out")
    }
    return messages
  }

  /// Adds a hint to problems in records that were not used to infer the schema. The hint suggests
  /// `schema infer`, which uses all records.
  static func addingHint(_ error: DataError, schema: Schema) -> DataError {
    error.modifyingProblems { problem in
      guard problem.line != nil, problem.code == .invalid || problem.code == .unknownField else {
        return
      }
      let file = problem.file ?? "-"
      problem.hint =
        "--infer used the first \(SchemaInference.headCount.grouped) records; to use all records: "
        + "datactl schema infer \(schema.name) " + (file == "-" ? "< FILE" : "--file \(file)")
    }
  }
}
