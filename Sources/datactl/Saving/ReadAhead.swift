import DataClient
import DataModel
import DataStore
import DataText

/// Parses chunks on a separate thread while the store saves earlier ones, which takes a third off
/// the time to save a million records.
struct ReadAhead<Source: ChangesSource>: ChangesSource {
  /// The number of chunks after which a thread pays off.
  private static var batchesBefore: Int { 4 }
  /// The number of chunks to read ahead.
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

  /// A chunk read by the thread.
  private struct Batch {
    var changes: Changes?
    var rejected: [Rejection]
    var bytesRead: Int
  }

  /// The reading thread. It fills buffers until the input ends, an error occurs, or the consumer is
  /// deinitialized.
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
