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
    NestedNames(statistics.name, isComplete: reader.isFinished && file.isLast)
      .choose(in: &statistics)
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

  /// The keys whose values are all null, also those in nested objects that become separate schemas.
  package var allEmptyKeys: [String] { emptyKeys + emptyKeys(inside: statistics) }

  private func emptyKeys(inside statistics: RecordStatistics) -> [String] {
    statistics.fields.flatMap(\.nested).flatMap { nested in
      nested.fields.filter { $0.type(in: layout.format) == nil }.map(\.key)
        + emptyKeys(inside: nested)
    }
  }

  /// Whether the records are XML, in which a list of one element looks like the element.
  package var isXML: Bool { layout.format == .xml }

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
    return try schemas(of: statistics, as: .root)
  }

  /// Returns the inferred schema of the records, without the schemas of nested objects.
  package func schema() throws(DataError) -> InferredSchema { try schemas()[0] }

  /// Returns the inferred schema, followed by those of nested objects. Those that exist already are
  /// extended with a field for each key that has no field yet.
  package func schemas(over catalog: Catalog) throws(DataError) -> [InferredSchema] {
    try checkWrapping()
    var statistics = statistics
    NestedNames(statistics.name, over: catalog, isComplete: isComplete).choose(in: &statistics)
    return try schemas(of: statistics, as: .root, over: catalog)
  }

  /// Returns the existing schema, extended with a field for each key that has no field yet.
  package func extending(_ schema: Schema) throws(DataError) -> InferredSchema {
    try checkWrapping()
    return try extending(schema, with: statistics, in: Catalog()).schema
  }

  /// - Returns: The extended schema, and the field of each key, or nil for a key without a new field.
  private func extending(
    _ schema: Schema, with statistics: RecordStatistics, in catalog: Catalog
  ) throws(DataError) -> (schema: InferredSchema, fields: [Field?]) {
    let names = try InferredNames(
      statistics, keyIndex: nil, existing: schema,
      inverses: catalog.declaredInverses(of: schema).map(\.name),
      keepsSystemFields: keepsSystemFields, layout: layout, file: file)
    var draft = SchemaDraft(schema)
    let fields = add(names, of: statistics, keyIndex: nil, to: &draft)
    let hasID =
      !statistics.rules.key.isEmpty
      || statistics.fields.contains { schema.slot(named: $0.key) == schema.keySlot }
    let inferred = try inferred(
      draft, statistics, fields, notes: names.notes + (hasID ? [] : wrappingNotes))
    return (inferred, fields)
  }

  private func schemas(
    of statistics: RecordStatistics, as role: NestedRole, over catalog: Catalog = Catalog()
  ) throws(DataError) -> [InferredSchema] {
    var schemas: [InferredSchema]
    var fields: [Field?]
    if let existing = catalog[statistics.name] {
      let extended = try extending(existing, with: statistics, in: catalog)
      (schemas, fields) = ([extended.schema], extended.fields)
    } else {
      let new = try new(statistics, as: role)
      (schemas, fields) = ([new.schema], new.fields)
    }
    for (index, field) in statistics.fields.enumerated() {
      let isExisting = catalog[statistics.name] != nil
      guard let nested = field.nested.first,
        fields[index]?.type.relation != nil || isExisting && field.relation != nil
      else { continue }
      let name = fields[index]?.name ?? Names.suggested(for: field.key) ?? field.key
      let role =
        field.isListOfParts
        ? NestedRole.part(of: statistics.name, inverse: name) : .object
      for schema in try self.schemas(of: nested, as: role, over: catalog) {
        try add(schema, to: &schemas)
      }
    }
    return schemas
  }

  /// Returns a new schema, and the field of each key, or nil for a key that has no field.
  private func new(
    _ statistics: RecordStatistics, as role: NestedRole
  ) throws(DataError) -> (schema: InferredSchema, fields: [Field?]) {
    let key = try PrimaryKeyChoice(
      among: statistics, as: role, extent: extent, isComplete: isComplete, file: file)
    let names = try InferredNames(
      statistics, keyIndex: key.index, existing: nil, keepsSystemFields: keepsSystemFields,
      layout: layout, file: file)
    var draft = SchemaDraft(name: statistics.name)
    draft.fields = [SchemaDraft.FieldDraft(Field(statistics.name + "_id", .id))]
    if case .part(let owner, let inverse) = role {
      let used = Set(statistics.fields.compactMap { Names.suggested(for: $0.key) })
      func free(_ names: [String]) -> String {
        let numbered = (2...).lazy.map { "\(names[0])_\($0)" }
        return names.first { !used.contains($0) } ?? numbered.first { !used.contains($0) }
          ?? names[0]
      }
      var relation = Relation(to: owner, onDelete: .cascade, inverse: inverse)
      relation.isOwned = true
      relation.position = free(["position", "place"])
      var field = Field(free([owner, "owner"]), .relation(relation))
      field.isRequired = true
      draft.fields += [field, Field(relation.position ?? "", .integer)].map {
        SchemaDraft.FieldDraft($0)
      }
    }
    let fields = add(names, of: statistics, keyIndex: key.index, to: &draft)
    var notes = key.notes + names.notes
    if role == .root, case .assigned = key.ids { notes += wrappingNotes }
    return (try inferred(draft, statistics, fields, key: key, notes: notes), fields)
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
        // A list of parts is the inverse of a relation in them.
        if !statistics.isListOfParts { draft.fields.append(SchemaDraft.FieldDraft(field)) }
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
    guard statistics.count == 1, lists.count == 1, !lists[0].isListOfParts,
      !layout.format.hasOnlyText, !statistics.isMapped
    else { return [] }
    return [
      "\(Excerpt.truncated(lists[0].key)): the only record has an array of objects; if these are "
        + "the records, extract them: \(JSONRecordScanner.extraction(of: lists[0].key))"
    ]
  }
}
