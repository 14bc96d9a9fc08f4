import DataModel
import Maps
import RecordText

/// A source that parses the records in a file or stdin.
struct RecordTextSource<Bytes: ByteSource>: ChunkSource {
  private var reader: RecordReader<Bytes>
  private let schema: Schema
  private let conversions: ValueConversions
  private let file: String
  /// The id of the only record in the input, if the id was given on the command line.
  private let id: String?
  /// The locations of the records in the original document; nil if no map is used.
  private let locations: MapLocations?
  private let checkInterruption: @Sendable () throws(DataError) -> Void
  private var hasBegun = false
  /// Receives the columns whose names were converted; nil when it has received them.
  private var warnings: InputWarnings?

  /// Creates a source of the records in a text.
  ///
  /// - Parameters:
  ///   - opener: The opener of the file, whose settings the source uses.
  ///   - form: The form of the text. It differs from the form of the file if a map converts it.
  init(
    _ bytes: Bytes, of file: String, _ form: TextForm, _ opener: RecordFileOpener,
    locations: MapLocations?
  ) {
    var form = form
    form.lenience = opener.form.lenience
    form.emptyKeys = opener.emptyKeys
    form.systemKeys = opener.systemKeys
    reader = RecordReader(
      bytes, for: opener.schema, form, file: file, ids: opener.assignsIDs ? opener.ids : nil,
      id: opener.id,
      // Records with passwords are not kept, so that passwords are never written to the rejects.
      keepsRejected: opener.keepsRejected && opener.schema.passwordSlot == nil,
      pace: opener.isImmediate ? .immediate : .full, monitor: opener.monitor,
      longestText: opener.longestText)
    warnings = opener.warnings
    id = opener.id
    self.locations = locations
    schema = opener.schema
    conversions = opener.conversions
    checkInterruption = opener.checkInterruption
    self.file = file
  }

  var rejected: [Rejection] {
    reader.rejected.map { Rejection($0, in: locations) }
  }

  var bytesRead: Int { reader.bytesRead }

  var locator: InputLocator {
    let (file, locations) = (file, locations)
    return InputLocator(
      located: { problem in
        var located = locations?.located(problem) ?? problem
        located.file = file
        return located
      }, inputLine: { locations?.line(ofRecord: $0) ?? $0 },
      originalText: { locations?.text(ofRecord: $0) })
  }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try checkInterruption()
    if memory.conversions != conversions {
      memory = RowChanges(for: schema, conversions: conversions)
    }
    let chunk = try reader.next(reusing: memory, limit)
    if let id, chunk == nil, !hasBegun {
      throw DataError(.missingRecord(id, of: schema, in: file))
    }
    hasBegun = true
    if warnings != nil, !reader.matchedColumns.isEmpty {
      warnings.take()?.add(reader.matchedColumns)
    }
    return chunk
  }
}
