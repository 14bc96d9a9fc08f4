import DataClient
import DataModel
import DataText

extension InputStream: ByteSource {}

/// Records read from a file or stdin.
struct RecordText<Bytes: ByteSource>: ChangesSource {
  private var reader: RecordReader<Bytes>
  private let schema: Schema
  private let roundsTimes: Bool
  private let console: Console
  private let file: String
  /// The id of the record, if it was given on the command line.
  private let id: String?
  private var hasBegun = false

  init(
    _ bytes: Bytes, of file: String, for schema: Schema, id: String?, format: InputFormat?,
    options: SaveOptions, ids: IDGenerator, emptyKeys: [String] = [], progress: Progress?,
    on console: Console
  ) {
    reader = RecordReader(
      bytes, for: schema, format: format?.recordFormat, file: file, ids: ids, id: id,
      // A record with a password is never written to the rejects.
      keepsRejected: options.rejects != nil && schema.passwordSlot == nil,
      pace: options.commitEvery == nil ? .full : .asItComes,
      watch: progress.map { progress in
        ReadingWatch(isDue: { progress.isDue }) { records, bytes, input in
          switch input {
          case .flows: progress.show(records: records, bytes: bytes)
          case .stalls: progress.showWaiting(records: records)
          }
        }
      }, emptyKeys: emptyKeys,
      // With a memory limit, reject a record that is too long before the process runs out of
      // memory.
      longestText: min(Platform.memoryLimit / 8, 96 << 20))
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

  func placed(_ problem: Problem) -> Problem {
    var placed = problem
    placed.file = file
    return placed
  }

  mutating func next(
    reusing memory: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    try console.checkInterruption()
    if roundsTimes { memory = Changes(for: schema, roundsTimes: true) }
    let batch = try reader.next(reusing: memory, portion)
    if let id, batch == nil, !hasBegun {
      throw DataError(
        Problem(
          .invalid, "expected one record, found none", schema: schema.name, id: id, file: file))
    }
    hasBegun = true
    return batch
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
