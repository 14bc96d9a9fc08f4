import ClientCore
import DataModel
import DataText

extension InputStream: ByteSource {}

/// A source that parses the records in a file or stdin.
struct RecordTextSource<Bytes: ByteSource>: ChunkSource {
  private var reader: RecordReader<Bytes>
  private let schema: Schema
  private let roundsTimes: Bool
  private let console: Console
  private let file: String
  /// The id of the only record in the input, if the id was given on the command line.
  private let id: String?
  private var hasBegun = false

  init(
    _ bytes: Bytes, of file: String, for schema: Schema, id: String?, format: InputFormat?,
    options: SaveOptions, ids: IDGenerator, emptyKeys: [String] = [], progress: Progress?,
    on console: Console
  ) {
    reader = RecordReader(
      bytes, for: schema, format: format?.recordFormat, file: file, ids: ids, id: id,
      // Rejected records are not kept if the schema has a password, so that passwords are never
      // written to the rejects file.
      keepsRejected: options.rejects != nil && schema.passwordSlot == nil,
      pace: options.commitEvery == nil ? .full : .immediate,
      monitor: progress.map { progress in
        ReadingMonitor(isDue: { progress.isDue }) { records, bytes, input in
          switch input {
          case .flows: progress.show(records: records, bytes: bytes)
          case .stalls: progress.showWaiting(records: records)
          }
        }
      }, emptyKeys: emptyKeys,
      // If memory is limited, a very long record is rejected before the process runs out of memory.
      longestText: min(CurrentProcess.memoryLimit / 8, 96 << 20))
    self.id = id
    self.schema = schema
    roundsTimes = options.roundsTimes
    self.console = console
    self.file = file
  }

  var rejected: [Rejection] {
    reader.rejected.map { Rejection(problems: $0.problems, text: $0.text) }
  }

  var bytesRead: Int { reader.bytesRead }

  func located(_ problem: Problem) -> Problem {
    var located = problem
    located.file = file
    return located
  }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try console.checkInterruption()
    if roundsTimes { memory = RowChanges(for: schema, roundsTimes: true) }
    let chunk = try reader.next(reusing: memory, limit)
    if let id, chunk == nil, !hasBegun {
      throw DataError(
        Problem(
          .invalid, "expected one record, found none", schema: schema.name, id: id, file: file))
    }
    hasBegun = true
    return chunk
  }
}

extension InputFormat {
  var recordFormat: RecordFormat {
    switch self {
    case .json: .json
    case .ndjson: .ndjson
    case .csv: .csv
    }
  }
}
