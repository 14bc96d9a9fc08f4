import ClientCore
import DataModel
import Platform
import RecordText
import Synchronization
import Testing
import datactl

@Suite("Reading ahead")
struct ReadAheadTests {
  /// A source of empty chunks, which counts the calls after its end.
  private struct CountingSource: ChunkSource {
    final class Counter: Sendable {
      let calls = Atomic(0)
    }

    let counter = Counter()
    let length: Int
    let error: DataError?
    let rejected: [Rejection] = []
    let bytesRead = 0

    mutating func next(
      reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
    ) throws(DataError) -> RowChanges? {
      let call = counter.calls.add(1, ordering: .relaxed).newValue
      if call <= length { return changes }
      if let error { throw error }
      return nil
    }

    let locator = InputLocator(located: { $0 })
  }

  private static let failure = DataError(.fileFailed, "cannot be read")

  @Test("stops reading ahead at the end of the input or at an error", arguments: [nil, failure])
  func end(error: DataError?) throws {
    var draft = SchemaDraft(name: "item")
    draft.fields = [.init(Field("item_id", .id))]
    let schema = try Schema(checking: draft)
    let source = CountingSource(length: 10, error: error)
    var readAhead = ReadAhead(source, into: schema)
    for _ in 0..<10 {
      #expect(try readAhead.next(reusing: RowChanges(for: schema), ChunkLimit()) != nil)
    }
    for _ in 0..<3 {
      let result = Result { () throws(DataError) in
        try readAhead.next(reusing: RowChanges(for: schema), ChunkLimit()) == nil
      }
      #expect(result == (error.map { .failure($0) } ?? .success(true)))
    }
    #expect(source.counter.calls.load(ordering: .relaxed) == 11)
  }

  @Test("throws an error when a queue between two threads cannot read or write its pipe")
  func brokenPipe() throws {
    let readOnly = try OpenFile("/dev/null", for: .reading).release()
    let writeOnly = try OpenFile("/dev/null", for: .writing).release()
    let unreadable = BlockingQueue<Int>(reading: writeOnly, writing: readOnly)
    unreadable.enqueue(1)
    #expect(
      throws: DataError(.failed, "cannot read the input in the background: Bad file descriptor")
    ) { try unreadable.dequeue() }

    let empty = try OpenFile("/dev/null", for: .reading).release()
    let unwritable = BlockingQueue<Int>(
      reading: empty, writing: try OpenFile("/dev/null", for: .reading).release())
    unwritable.enqueue(1)
    #expect(
      throws: DataError(.failed, "cannot read the input in the background: the pipe was closed")
    ) { try unwritable.dequeue() }
  }
}
