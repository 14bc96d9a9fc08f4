package import DataModel
import JSONText
package import RecordText

/// Infers schemas from the records in one or more files. The records are read once, and each key
/// gets the narrowest type that represents all of its values without loss.
package struct SchemaInference: Sendable {
  /// Which of the records a schema is inferred from.
  package enum Extent: Sendable {
    /// All records. An invalid record is an error.
    case all
    /// The first records: at most `headCount` records and `headBytes` bytes. Invalid records are
    /// skipped, because the save that follows reports them. If all records are invalid, the first
    /// error is thrown.
    case head
  }

  /// The maximum number of records that are read if the extent is `head`.
  package static let headCount = 1_000
  private static let headBytes = 4 << 20

  private let statistics: RecordStatistics
  /// The statistics without the empty XML elements. The records of the next file are added to these
  /// statistics, because empty elements can be counted only after the last record of all files.
  private let readStatistics: RecordStatistics
  private var layout: InputLayout
  /// The file that was read, or nil if there were several.
  private let file: String?
  private let keepsSystemFields: Bool
  private let extent: Extent
  /// The number of bytes that were read from all files. It is used only if the extent is `head`.
  private let headSize: Int
  /// Whether the most recent file was read to its end.
  private let isFinished: Bool
  /// Whether all records of all files were read.
  package let isComplete: Bool
  /// A warning that a document has no records where the map expects them; nil if there is none.
  package var missingRecords: String?

  /// Reads the records of a file.
  ///
  /// - Parameters:
  ///   - keepsSystemFields: Whether keys with the names of system fields always refer to the system
  ///     fields.
  ///   - splitting: Which nested objects become separate schemas.
  ///   - lines: A closure that takes a record number and a key, and returns the line of the value
  ///     in the document. It is needed if `source` converts a document to NDJSON.
  ///   - former: The inference from the earlier files, or nil for the first file. The result also
  ///     includes the records of the earlier files.
  package init(
    _ source: some ByteSource, schema: String, _ form: TextForm, file: InferenceFile,
    extent: Extent = .all, keepsSystemFields: Bool = false, splitting: SchemaSplitting,
    lines: (@Sendable (_ record: Int, _ key: String) -> Int)? = nil,
    continuing former: SchemaInference? = nil
  ) throws(DataError) {
    let formerSize = former?.headSize ?? 0
    var reader = StatisticsReader(
      source, schema: schema, form, file: file, splitting: splitting, lines: lines,
      extent: extent == .all
        ? .all : .head(records: Self.headCount, bytes: Self.headBytes - formerSize),
      continuing: former?.readStatistics)
    try reader.read()
    if reader.statistics.count == 0, let scanError = reader.scanError { throw scanError }
    readStatistics = reader.statistics
    var statistics = reader.statistics
    statistics.countEmptyElements()
    // If commas separate the cells, a comma in a cell more probably separates thousands.
    if reader.separator != UInt8(ascii: ",") { statistics.noteDecimalCommas() }
    self.statistics = statistics
    layout = InputLayout(
      format: reader.format ?? .json, isArray: reader.isArray)
    self.file = former == nil ? file.name : nil
    self.keepsSystemFields = keepsSystemFields
    self.extent = extent
    headSize = formerSize + reader.buffer.count
    isFinished = reader.isFinished
    isComplete = reader.isFinished && file.isLast
    if let former, former.count > 0 { try continueLayout(of: former, in: file) }
  }

  /// Throws an error if this file represents values in another way than the earlier files, such as
  /// CSV after JSON. If this file has no records, it gets the layout of the earlier files.
  private mutating func continueLayout(
    of former: SchemaInference, in file: InferenceFile
  ) throws(DataError) {
    if count == former.count {
      layout = former.layout
    } else if !layout.isSimilar(to: former.layout) {
      throw DataError(
        Problem(
          .invalid,
          "the format is \(layout.format.rawValue.uppercased()), but that of an earlier file is "
            + former.layout.format.rawValue.uppercased(),
          hint: "infer the schema from files of the same format", file: file.name))
    }
  }

  /// Whether the next file, if there is one, must be read too. False if the maximum number of
  /// records or bytes has been read.
  package var readsNextFile: Bool {
    switch extent {
    case .all: true
    case .head: isFinished && count < Self.headCount && (count == 0 || headSize < Self.headBytes)
    }
  }

  /// The number of records that were read.
  package var count: Int { statistics.count }

  /// The keys whose values are all null, so that no type can be inferred.
  package var emptyKeys: [String] {
    statistics.fields.filter { field in
      field.type(in: layout.format) == nil && !statistics.isOmitted(field)
        && !(keepsSystemFields && SystemField(named: field.key) != nil)
    }.map(\.key)
  }

  /// A shell command that removes the keys in `emptyKeys`, or nil if the input is CSV or there are
  /// no such keys.
  package var commandWithoutEmptyKeys: String? { layout.removal(of: emptyKeys) }

  /// Returns the inferred schema. It is followed by the schemas of nested objects, if these become
  /// separate schemas.
  package func schemas() throws(DataError) -> [InferredSchema] {
    guard statistics.count > 0 else {
      throw DataError(
        Problem(
          .invalid, "no records to infer a schema from", hint: missingRecords,
          schema: statistics.name, file: file))
    }
    try checkWrapping()
    return try schemas(of: statistics, isNested: false)
  }

  /// Returns the inferred schema of the records, without the schemas of nested objects.
  package func schema() throws(DataError) -> InferredSchema { try schemas()[0] }

  /// Returns the existing schema, extended with a field for each key that has no field yet.
  package func extending(_ schema: Schema) throws(DataError) -> InferredSchema {
    try checkWrapping()
    let names = try InferredNames(
      statistics, keyIndex: nil, existing: schema, keepsSystemFields: keepsSystemFields,
      layout: layout, file: file)
    var draft = SchemaDraft(schema)
    let fields = add(names, of: statistics, keyIndex: nil, to: &draft)
    let hasID =
      !statistics.rules.key.isEmpty
      || statistics.fields.contains { schema.slot(named: $0.key) == schema.keySlot }
    return try inferred(
      draft, statistics, fields, notes: names.notes + (hasID ? [] : wrappingNotes))
  }

  private func schemas(
    of statistics: RecordStatistics, isNested: Bool
  ) throws(DataError) -> [InferredSchema] {
    let key = try PrimaryKeyChoice(
      among: statistics, isNested: isNested, extent: extent, isComplete: isComplete, file: file)
    let names = try InferredNames(
      statistics, keyIndex: key.index, existing: nil, keepsSystemFields: keepsSystemFields,
      layout: layout, file: file)
    var draft = SchemaDraft(name: statistics.name)
    draft.fields = [SchemaDraft.FieldDraft(Field(statistics.name + "_id", .id))]
    let fields = add(names, of: statistics, keyIndex: key.index, to: &draft)
    var notes = key.notes + names.notes
    if !isNested, case .assigned = key.ids { notes += wrappingNotes }
    var schemas = [try inferred(draft, statistics, fields, key: key, notes: notes)]
    for (index, field) in statistics.fields.enumerated() {
      guard fields[index]?.type.relation != nil, let nested = field.nested.first else { continue }
      for schema in try self.schemas(of: nested, isNested: true) { try add(schema, to: &schemas) }
    }
    return schemas
  }

  /// Adds a schema to `schemas`. If a schema with the same name is already there, merges both
  /// schemas: the result has the fields of both, and each field has a type that is suitable for all
  /// values.
  private func add(
    _ inferred: InferredSchema, to schemas: inout [InferredSchema]
  ) throws(DataError) {
    let name = inferred.schema.name
    guard let index = schemas.firstIndex(where: { $0.schema.name == name }) else {
      return schemas.append(inferred)
    }
    var draft = SchemaDraft(schemas[index].schema)
    for field in inferred.schema.fields {
      guard let index = draft.fields.firstIndex(where: { $0.field.name == field.name }) else {
        draft.fields.append(SchemaDraft.FieldDraft(field))
        continue
      }
      let known = draft.fields[index].field
      if known.type == field.type { continue }
      guard let type = commonType(known.type, field.type) else {
        throw DataError(
          Problem(
            .invalid,
            "the type is \(known.type.displayName) in one relation, but "
              + "\(field.type.displayName) in another",
            schema: name, field: field.name, file: file))
      }
      draft.fields[index] = SchemaDraft.FieldDraft(Field(field.name, type))
    }
    schemas[index].schema = try Schema(checking: draft)
    schemas[index].notes += inferred.notes
  }

  /// Returns a type for a field whose values have different types in two places of the input, or
  /// nil if no type is suitable for both. In XML and CSV, different scalar types are combined as
  /// text.
  private func commonType(_ left: FieldType, _ right: FieldType) -> FieldType? {
    let types = [left, right]
    if types.allSatisfy(\.isNumeric) { return .number }
    let scalars: [FieldType] = [.text, .integer, .number, .boolean, .date, .datetime]
    return layout.format.hasOnlyText && types.allSatisfy(scalars.contains) ? .text : nil
  }

  /// Adds the inferred fields to the draft. Returns the field of each key, or nil for a key that
  /// has no field.
  private func add(
    _ names: InferredNames, of statistics: RecordStatistics, keyIndex: Int?,
    to draft: inout SchemaDraft
  ) -> [Field?] {
    var fields: [Field?] = []
    for (index, statistics) in statistics.fields.enumerated() {
      if index == keyIndex {
        fields.append(draft.fields[0].field)
      } else if let name = names.points[index] {
        let field = Field(name, .geopoint)
        if !draft.fields.contains(where: { $0.field.name == name }) {
          draft.fields.append(SchemaDraft.FieldDraft(field))
        }
        fields.append(field)
      } else if let name = names.names[index], let type = statistics.type(in: layout.format) {
        // Values that have not been read may have more digits.
        let isWholeTable = layout.format.isTable && extent == .all && isComplete
        let field = Field(name, isWholeTable ? statistics.decimalType ?? type : type)
        draft.fields.append(SchemaDraft.FieldDraft(field))
        fields.append(field)
      } else {
        fields.append(nil)
      }
    }
    draft.properties += names.properties
    return fields
  }

  private func inferred(
    _ draft: SchemaDraft, _ statistics: RecordStatistics, _ fields: [Field?],
    key: PrimaryKeyChoice? = nil, notes: [String]
  ) throws(DataError) -> InferredSchema {
    var notes = notes
    for (field, found) in zip(fields, statistics.fields) {
      if let field, field.type != .id, let reason = found.reason(for: field.type) {
        notes.append("\(field.name): \(reason)")
      }
      if let field, field.name == "password", field.type == .text {
        notes.append("password: plain text, which list prints; a user schema stores it as a hash")
      }
    }
    return InferredSchema(
      schema: try Schema(checking: draft), ids: key?.ids, count: statistics.count,
      findings: zip(fields, statistics.fields).map { $1.finding($0, in: statistics.count) },
      notes: notes)
  }

  /// Throws an error if the input is a single object that only encloses an array of records.
  private func checkWrapping() throws(DataError) {
    guard let key = statistics.wrappingKey else { return }
    throw DataError(
      Problem(
        .invalid,
        "the only record is an object with an array that seems to contain the records",
        hint: JSONRecordScanner.unwrappingHint(for: key), schema: statistics.name, file: file))
  }

  /// A note for input that is a single object with one array of objects, such as `items`: it says
  /// that the elements of the array may be the actual records. Empty for other input.
  private var wrappingNotes: [String] {
    let lists = statistics.fields.filter(\.isOneArrayOfObjects)
    guard statistics.count == 1, lists.count == 1, !layout.format.hasOnlyText, !statistics.isMapped
    else { return [] }
    return [
      "\(Excerpt.truncated(lists[0].key)): the only record has an array of objects; if these are "
        + "the records, extract them: \(JSONRecordScanner.extraction(of: lists[0].key))"
    ]
  }
}
