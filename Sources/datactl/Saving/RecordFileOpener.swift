import ClientCore
import DataModel
import DataXML
import Maps
import Platform
import RecordText
import Synchronization

/// Opens the files of a save as sources of records.
struct RecordFileOpener: Sendable {
  let schema: Schema
  let catalog: Catalog
  let options: SaveOptions
  let form: TextForm
  /// The id of the only record, if it is given on the command line.
  let id: String?
  /// The map that describes the files, checked against the schemas; nil if no map is used.
  let layout: MapLayout?
  let inferred: InferredSave.Proposal?
  let progress: Progress?
  let warnings: MapWarnings
  let context: CommandContext

  /// The maximum length of a record in bytes. If the memory of the process is limited, it is lower,
  /// so that a very long record is rejected before the process runs out of memory.
  private let longestText = min(CurrentProcess.memoryLimit / 8, 96 << 20)

  /// Returns a source that parses the records in the bytes of a file.
  func open(
    _ bytes: any ByteSource, of file: String
  ) throws(DataError) -> FileSequenceSource.OpenFile {
    var text = try InputText(
      bytes, form, file: file, atMost: context.served?.maxDecompressedSize)
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
    guard try text.detectXML(form) else { return records(in: text, of: file, form) }
    try form.checkXML(file: file)
    try text.checkXML(file: file)
    return records(
      in: try XMLRecordSource(
        text, for: schema, in: catalog, checksNames: inferred == nil,
        formerEncoding: text.formerEncoding, longestText: longestText),
      of: file, TextForm(.xml))
  }

  /// Returns how the original text of each record is kept for the rejects file, if a map converts
  /// the records. Returns nil if there is no rejects file, or if the records can contain passwords.
  private func textKeeping(_ layout: MapLayout) -> TextKeeping? {
    guard options.rejects != nil, schema.passwordSlot == nil else { return nil }
    switch layout.map.format {
    case .json, .csv: return .original
    case .xml:
      let writer = MappedXMLWriter(MappedRecordWriter(layout))
      return .serialized { writer.element($0) }
    }
  }

  private func records(
    in bytes: some ByteSource, of file: String, _ form: TextForm, _ locations: MapLocations? = nil
  ) -> FileSequenceSource.OpenFile {
    let console = context.console
    guard options.isDeep else {
      let source = RecordTextSource(
        bytes, of: file, for: schema, id: id, form, longestText: longestText, options: options,
        ids: context.ids, inferred: inferred, locations: locations, progress: progress, on: console)
      return FileSequenceSource.OpenFile(source: source, locator: source.locator)
    }
    let reader = TreeReader(
      bytes, for: schema, in: catalog, isLineByLine: form.format == .ndjson, file: file,
      ids: context.ids, conversions: options.conversions,
      layout: layout?.tree,
      onInvalid: options.skipsInvalid
        ? .skip(keepingText: options.rejects != nil) : .collect,
      pace: options.commitEvery == nil ? .full : .immediate, longestText: longestText)
    let source = TreeSource(reader, locations: locations) { () throws(DataError) in
      try console.checkInterruption()
    }
    return FileSequenceSource.OpenFile(source: source, locator: source.locator)
  }
}

/// The warnings about the documents that a save reads with a map.
final class MapWarnings: Sendable {
  private let documents = Mutex<[MapLocations]>([])

  /// Adds the locations of the records that a map finds in a document. If the map finds no records,
  /// the locations contain a warning.
  func add(_ document: MapLocations) {
    documents.withLock { $0.append(document) }
  }

  /// The warnings about documents that have no records where the map expects them.
  var missingRecords: [String] {
    documents.withLock { $0 }.compactMap(\.missingRecords)
  }
}
