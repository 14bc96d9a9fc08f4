import ClientCore
import DataModel
import DataText
import Synchronization

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
  /// The line in which each id first occurred, to reject an id that occurs twice. It is nil if ids
  /// may occur twice. They may not if the schema is new and its primary key was inferred from a key
  /// of the records.
  private let idLines: IDLines?
  /// Whether the id consists of columns that the user has chosen with `--key`.
  private let hasKeyColumn: Bool
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
    if case .key(let isRequired) = inferred?.ids {
      idLines = IDLines()
      // The primary key was inferred from records that all have its key. A later record without
      // this key is an error, so no ids are generated.
      if isRequired { generator = nil }
    } else {
      idLines = nil
    }
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
    hasKeyColumn = !form.columns.key.isEmpty
    self.console = console
    self.file = file
  }

  var rejected: [Rejection] {
    reader.rejected.map { record in Rejection(record) { locations?.located($0) ?? $0 } }
  }

  var bytesRead: Int { reader.bytesRead }

  func inputLine(_ line: Int) -> Int { locator.inputLine(line) }

  func located(_ problem: Problem) -> Problem { locator.located(problem) }

  /// Converts the line numbers in the chunks to locations in the input.
  var locator: InputLocator {
    let (file, locations, idLines, hasKeyColumn) = (file, locations, idLines, hasKeyColumn)
    let inputLine: @Sendable (Int) -> Int = { locations?.line(ofRecord: $0) ?? $0 }
    return InputLocator(
      located: { problem in
        var located = locations?.located(problem) ?? problem
        located.file = file
        if let idLines, problem.code == .exists, let id = problem.id {
          located.code = .invalid
          let first = idLines[id]
          located.message =
            if let first, first != problem.line {
              "the id occurs twice, first in line \(inputLine(first))"
            } else {
              "the id occurs in an earlier record too"
            }
          if hasKeyColumn { located.hint = InferredSave.hintForRepeatedKey }
        }
        return located
      }, inputLine: inputLine)
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
    if let idLines, let chunk { idLines.add(chunk) }
    return chunk
  }
}

/// The lines of the input in which ids first occurred. To limit memory use, only a hash of each id
/// is stored, and only for the first `maxCount` ids.
private final class IDLines: Sendable {
  private static let maxCount = 500_000

  private let lines = Mutex<[Int: Int32]>([:])

  /// Returns the line in which the id first occurred, or nil if it is not known.
  subscript(id: String) -> Int? { lines.withLock { $0[Self.hash(id.utf8.span)].map(Int.init) } }

  func add(_ changes: RowChanges) {
    lines.withLock { lines in
      for row in 0..<changes.count where lines.count < Self.maxCount {
        let hash = changes.rows.withBytes(of: changes.rows[row, changes.schema.keySlot]) {
          Self.hash($0)
        }
        if lines[hash] == nil { lines[hash] = Int32(truncatingIfNeeded: changes.lines[row]) }
      }
    }
  }

  private static func hash(_ id: Span<UInt8>) -> Int {
    var hasher = Hasher()
    for index in id.indices { hasher.combine(id[index]) }
    return hasher.finalize()
  }
}
