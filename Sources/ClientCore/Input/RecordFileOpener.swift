package import DataModel
import DataXML
package import Maps
package import RecordText
import Synchronization

/// Opens the files of a save as sources of records.
package struct RecordFileOpener: Sendable {
  package let schema: Schema
  package let catalog: Catalog
  package let form: TextForm
  /// Generates ids for records without an id.
  package let ids: IDGenerator
  /// Whether records without an id get one. This does not apply to trees, whose records always do.
  package var assignsIDs = true
  /// The id of the only record, if it is given on the command line.
  package var id: String?
  /// The map that describes the files, checked against the schemas; nil if no map is used.
  package var layout: MapLayout?
  package var conversions = ValueConversions()
  /// Whether a relation can contain records in place of ids.
  package var isDeep = false
  /// Whether records in trees derive their ids from those of the outer records.
  package var derivation = IDDerivation.none
  package var skipsInvalid = false
  /// Whether the texts of invalid records are kept.
  package var keepsRejected = false
  /// Whether records are returned as soon as they have arrived.
  package var isImmediate = false
  /// Whether a name in XML that is no field is an error.
  package var checksNames = true
  /// The keys that get no field, because all their values are null.
  package var emptyKeys: [String] = []
  package var systemKeys = SystemKeys.system
  package var monitor: ReadingMonitor?
  /// The maximum length of a record in bytes.
  package var longestText = InputLimitError.longestRecord
  /// The maximum number of bytes of a file after decompression, or nil if there is none.
  package var maxDecompressedSize: Int?
  package let warnings = InputWarnings()
  /// Throws an error if the save must stop.
  package var checkInterruption: @Sendable () throws(DataError) -> Void = {}

  package init(_ schema: Schema, in catalog: Catalog, _ form: TextForm, ids: IDGenerator) {
    self.schema = schema
    self.catalog = catalog
    self.form = form
    self.ids = ids
  }

  /// Returns a source that parses the records in the bytes of a file.
  package func open(
    _ bytes: any ByteSource, of file: String
  ) throws(DataError) -> any ChunkSource {
    var text = try InputText(bytes, form, file: file, atMost: maxDecompressedSize)
    if let layout {
      try layout.map.check(form)
      if layout.map.format == .xml { try text.checkXML(file: file) }
      let locations = MapLocations(layout, file: file, keeping: textKeeping(layout))
      warnings.add(locations)
      return records(
        in: try MappedSource(
          text, by: layout, locations, form, text.formerEncoding, longestText: longestText),
        of: file, TextForm(layout.map.convertedFormat), locations)
    }
    let isXML = try text.detectXML(form)
    try text.checkTable(form, file: file)
    guard isXML else { return records(in: text, of: file, form) }
    try form.checkXML(file: file)
    try text.checkXML(file: file)
    return records(
      in: try XMLRecordSource(
        text, for: schema, in: catalog, checksNames: checksNames,
        formerEncoding: text.formerEncoding, longestText: longestText),
      of: file, TextForm(.xml))
  }

  /// Returns how the original text of each record is kept for the rejects file, if a map converts
  /// the records. Returns nil if there is no rejects file, or if the records can contain passwords.
  private func textKeeping(_ layout: MapLayout) -> TextKeeping? {
    guard keepsRejected, schema.passwordSlot == nil else { return nil }
    switch layout.map.format {
    case .json, .csv: return .original
    case .xml:
      let writer = MappedXMLWriter(MappedRecordWriter(layout))
      return .serialized { writer.element($0) }
    }
  }

  private func records(
    in bytes: some ByteSource, of file: String, _ form: TextForm, _ locations: MapLocations? = nil
  ) -> any ChunkSource {
    guard isDeep else {
      return RecordTextSource(bytes, of: file, form, self, locations: locations)
    }
    var keys = TextForm(form.format == .xml ? .xml : .ndjson)
    keys.lenience = self.form.lenience
    (keys.emptyKeys, keys.systemKeys) = (emptyKeys, systemKeys)
    let reader = TreeReader(
      bytes, for: schema, in: catalog, isLineByLine: form.format == .ndjson, file: file,
      ids: ids, id: id, conversions: conversions, layout: layout?.tree,
      derivation: derivation, form: keys,
      onInvalid: skipsInvalid ? .skip(keepingText: keepsRejected) : .collect,
      pace: isImmediate ? .immediate : .full, longestText: longestText)
    return TreeSource(
      reader, missingRecord: id.map { .missingRecord($0, of: schema, in: file) },
      locations: locations, checkingInterruption: checkInterruption)
  }
}

extension Problem {
  /// Returns the problem that an input without records is saved under an id.
  static func missingRecord(_ id: String, of schema: Schema, in file: String) -> Problem {
    Problem(
      .invalid, "expected one record, found none",
      hint: "to save a record that has only an id, assign the id: \(schema.key.name)=ID",
      schema: schema.name, id: id, file: file)
  }
}

/// The warnings about the files that a save reads.
package final class InputWarnings: Sendable {
  private let documents = Mutex<[MapLocations]>([])
  private let columns = Mutex<[String]>([])

  /// Adds the columns of a file whose names were converted to names of fields.
  func add(_ matched: [MatchedColumn]) {
    columns.withLock { columns in
      for column in matched {
        let text = "\(Excerpt.truncated(column.name)) → \(column.field)"
        if !columns.contains(text) { columns.append(text) }
      }
    }
  }

  /// The message that lists the columns whose names were converted, or nil if there are none.
  package var matchedColumns: String? {
    let columns = columns.withLock { $0 }
    return columns.isEmpty ? nil : "Columns matched by their names: \(Excerpt.choices(columns))"
  }

  /// Adds the locations of the records that a map finds in a document. If the map finds no records,
  /// the locations contain a warning.
  func add(_ document: MapLocations) {
    documents.withLock { $0.append(document) }
  }

  /// The warnings about documents that have no records where the map expects them.
  package var missingRecords: [String] {
    documents.withLock { $0 }.compactMap(\.missingRecords)
  }
}
