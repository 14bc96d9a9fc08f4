import DataClient
import DataModel
import DataStore
import DataText

/// Reads the batches of a long text in a thread of its own while the store takes those before them,
/// which makes a save of a million records a third shorter.
struct ReadAhead<Source: ChangesSource>: ChangesSource {
  /// How many batches there are before it is worth a thread.
  private static var batchesBefore: Int { 4 }
  /// How many batches are read that nobody has asked for yet.
  private static var batchesAhead: Int { 2 }

  private(set) var rejected: [Rejection] = []
  private(set) var bytesRead = 0

  private var source: Source
  private let schema: Schema
  private var batchCount = 0
  private var reading: Reading?

  init(_ source: Source, into schema: Schema) {
    self.source = source
    self.schema = schema
  }

  func placed(_ problem: Problem) -> Problem { source.placed(problem) }

  mutating func next(
    reusing memory: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    batchCount += 1
    if batchCount > Self.batchesBefore && reading == nil {
      reading = Reading(source, portion)
      for _ in 0..<Self.batchesAhead { reading?.memories.put(Changes(for: schema)) }
    }
    guard let reading else {
      defer { (rejected, bytesRead) = (source.rejected, source.bytesRead) }
      return try source.next(reusing: memory, portion)
    }
    reading.memories.put(memory)
    guard let batch = try reading.batches.take()?.get() else { return nil }
    (rejected, bytesRead) = (batch.rejected, batch.bytesRead)
    return batch.changes
  }

  /// What the thread read at once.
  private struct Batch {
    var changes: Changes?
    var rejected: [Rejection]
    var bytesRead: Int
  }

  /// The thread's work: it fills one memory after the other, and ends with the text, with an error,
  /// or when nobody wants its batches any more.
  private final class Reading: Sendable {
    let memories: Handover<Changes>
    let batches: Handover<Result<Batch, DataError>>

    init?(_ source: Source, _ portion: Portion) {
      guard let memories = Handover<Changes>(),
        let batches = Handover<Result<Batch, DataError>>()
      else { return nil }
      (self.memories, self.batches) = (memories, batches)
      let fault = OwnThread.run {
        var source = source
        while let memory = memories.take() {
          let batch = Result { () throws(DataError) in
            let changes = try source.next(reusing: memory, portion)
            return Batch(
              changes: changes, rejected: source.rejected, bytesRead: source.bytesRead)
          }
          batches.put(batch)
        }
      }
      guard fault == 0 else { return nil }
    }

    deinit { memories.put(nil) }
  }
}
