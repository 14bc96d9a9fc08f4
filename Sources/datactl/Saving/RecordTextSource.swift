import ClientCore
import DataModel
import Inference
import Maps
import RecordText

extension InputStream: ByteSource {}

/// A source that parses the records in a file or stdin.
struct RecordTextSource<Bytes: ByteSource>: ChunkSource {
  private var reader: RecordReader<Bytes>
  private let schema: Schema
  private let conversions: ValueConversions
  private let console: Console
  private let file: String
  /// The id of the only record in the input, if the id was given on the command line.
  private let id: String?
  /// The locations of the records in the original document; nil if no map is used.
  private let locations: MapLocations?
  private var hasBegun = false

  init(
    _ bytes: Bytes, of file: String, for schema: Schema, id: String?, _ form: TextForm,
    longestText: Int, options: SaveOptions, ids: IDGenerator,
    inferred: InferredSave.Proposal? = nil, locations: MapLocations? = nil,
    progress: Progress?, on console: Console
  ) {
    // An update needs the id of a stored record, so no ids are generated.
    var generator = options.policy.mode == .update ? nil : ids as IDGenerator?
    // If all records that were read to infer the schema have the key of the ids, a later record
    // without this key is an error. So no ids are generated.
    if case .key(isRequired: true) = inferred?.ids { generator = nil }
    var form = form
    form.emptyKeys = inferred?.emptyKeys ?? []
    form.systemKeys =
      options.infers && options.policy.systemFields != .given ? .original : .system
    reader = RecordReader(
      bytes, for: schema, form, file: file, ids: generator,
      id: id,
      // Records with passwords are not kept, so that passwords are never written to the rejects.
      keepsRejected: options.rejects != nil && schema.passwordSlot == nil,
      pace: options.commitEvery == nil ? .full : .immediate,
      monitor: progress.map { progress in
        ReadingMonitor(isDue: { progress.isDue }) { records, bytes, input in
          switch input {
          case .flows: progress.show(records: records, bytes: bytes)
          case .stalls: progress.showWaiting(records: records)
          }
        }
      }, longestText: longestText)
    self.id = id
    self.locations = locations
    self.schema = schema
    conversions = options.conversions
    self.console = console
    self.file = file
  }

  var rejected: [Rejection] {
    reader.rejected.map { Rejection($0, in: locations) }
  }

  var bytesRead: Int { reader.bytesRead }

  func inputLine(_ line: Int) -> Int { locator.inputLine(line) }

  func originalText(_ line: Int) -> [UInt8]? { locations?.text(ofRecord: line) }

  func located(_ problem: Problem) -> Problem { locator.located(problem) }

  /// Converts the line numbers in the chunks to locations in the input.
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
    try console.checkInterruption()
    if memory.conversions != conversions {
      memory = RowChanges(for: schema, conversions: conversions)
    }
    let chunk = try reader.next(reusing: memory, limit)
    if let id, chunk == nil, !hasBegun {
      throw DataError(
        Problem(
          .invalid, "expected one record, found none",
          hint: "to save a record that has only an id, assign the id: \(schema.key.name)=ID",
          schema: schema.name, id: id, file: file))
    }
    hasBegun = true
    return chunk
  }
}
