import DataClient
import DataModel
import DataText

extension InputStream: ByteSource {}

/// Records as they stand in a file or on standard input.
struct RecordText: ChangesSource {
  private var reader: RecordReader<InputStream>
  private let schema: Schema
  private let roundsTimes: Bool
  private let console: Console

  private let file: String

  init(
    _ input: InputStream, for schema: Schema, id: String?, format: InputFormat?,
    options: SaveOptions, ids: IDGenerator, on console: Console
  ) {
    reader = RecordReader(
      input, for: schema, format: format?.recordFormat, file: input.file, ids: ids, id: id,
      // A password is written down nowhere, not even when it is refused.
      keepsRejected: options.rejects != nil && schema.passwordSlot == nil,
      pace: options.commitEvery == nil ? .full : .asItComes)
    self.schema = schema
    roundsTimes = options.roundsTimes
    self.console = console
    file = input.file
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

  mutating func next(reusing memory: consuming Changes) throws(DataError) -> Changes? {
    try console.checkInterruption()
    if roundsTimes { memory = Changes(for: schema, roundsTimes: true) }
    return try reader.next(reusing: memory)
  }
}

extension InputFormat {
  fileprivate var recordFormat: RecordFormat {
    switch self {
    case .json: .json
    case .ndjson: .ndjson
    case .csv: .csv
    }
  }
}
