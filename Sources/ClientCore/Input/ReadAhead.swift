package import DataModel
import Platform
package import RecordText
import Synchronization

/// A source that parses chunks in a separate thread while the store saves earlier chunks. With it,
/// saving a million records takes a third less time.
package struct ReadAhead<Source: ChunkSource>: ChunkSource {
  /// The number of chunks that are read before the thread is started. For short inputs, a thread
  /// would save no time.
  private static var chunksBeforeThread: Int { 4 }
  /// The number of chunks that the thread reads in advance.
  private static var chunksAhead: Int { 2 }

  package private(set) var rejected: [Rejection] = []
  package private(set) var bytesRead = 0
  package private(set) var treePart = TreePart()

  /// The source, or nil while the reading thread has it. A second copy would share its buffers with
  /// the copy in the thread, so each change would copy the buffers.
  private var source: Source?
  /// The locator of the source, which cannot be asked for it while a separate thread reads it.
  package let locator: InputLocator
  private let schema: Schema
  private var chunkCount = 0
  private var thread: ReaderThread?

  /// Creates a source that reads the chunks of `source` in advance.
  package init(_ source: Source, into schema: Schema) {
    self.source = source
    locator = source.locator
    self.schema = schema
  }

  package mutating func next(
    reusing buffer: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    chunkCount += 1
    if chunkCount > Self.chunksBeforeThread && thread == nil {
      thread = ReaderThread(taking: &source, limit)
      for _ in 0..<Self.chunksAhead { thread?.buffers.enqueue(RowChanges(for: schema)) }
    }
    guard let thread else {
      defer {
        if let source {
          (rejected, bytesRead, treePart) = (source.rejected, source.bytesRead, source.treePart)
        }
      }
      return try source?.next(reusing: buffer, limit)
    }
    thread.buffers.enqueue(buffer)
    guard let chunk = try thread.chunks.dequeue()?.get() else { return nil }
    (rejected, bytesRead, treePart) = (chunk.rejected, chunk.bytesRead, chunk.treePart)
    return chunk.changes
  }

  /// A chunk that the thread has read, and the properties of the source at this time.
  private struct Chunk {
    var changes: RowChanges?
    var rejected: [Rejection]
    var bytesRead: Int
    var treePart: TreePart
  }

  /// The thread that reads chunks. For each buffer in the queue `buffers`, it reads a chunk into
  /// this buffer, and appends the chunk to the queue `chunks`. It runs until this object is
  /// deinitialized.
  private final class ReaderThread: Sendable {
    let buffers: BlockingQueue<RowChanges>
    let chunks: BlockingQueue<Result<Chunk, DataError>>

    /// Starts a thread that reads the source, and sets `source` to nil. If no thread can be
    /// started, keeps the source and returns nil.
    init?(taking source: inout Source?, _ limit: ChunkLimit) {
      guard let buffers = BlockingQueue<RowChanges>(),
        let chunks = BlockingQueue<Result<Chunk, DataError>>()
      else { return nil }
      (self.buffers, self.chunks) = (buffers, chunks)
      let taken = Mutex(source.take())
      let status = DetachedThread.run {
        guard var source = taken.withLock({ $0.take() }) else { return }
        // The last result: an error, or the end of the input. After it, the source must not be
        // read.
        var final: Result<Chunk, DataError>?
        do throws(DataError) {
          while let buffer = try buffers.dequeue() {
            let chunk =
              final
              ?? Result { () throws(DataError) in
                let changes = try source.next(reusing: buffer, limit)
                return Chunk(
                  changes: changes, rejected: source.rejected, bytesRead: source.bytesRead,
                  treePart: source.treePart)
              }
            if (try? chunk.get())?.changes == nil { final = chunk }
            chunks.enqueue(chunk)
          }
        } catch {
          chunks.enqueue(.failure(error))
        }
      }
      guard status == 0 else {
        source = taken.withLock { $0.take() }
        return nil
      }
    }

    deinit { buffers.enqueue(nil) }
  }
}

/// A queue that passes values from one thread to another, in order.
///
/// For each value, the sending thread also writes a byte to a pipe. The receiving thread blocks
/// until it can read this byte.
package final class BlockingQueue<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value?] = []
    /// The write end of the pipe, or nil after a write has failed.
    var writingEnd: Int32?
  }

  private let state: Mutex<State>
  private let readingEnd: Int32

  /// Creates an empty queue. Returns nil if no pipe can be created.
  convenience init?() {
    guard let ends = Descriptor.makePipe() else { return nil }
    self.init(reading: ends.reading, writing: ends.writing)
  }

  /// Creates an empty queue that uses the ends of a pipe, and closes them in `deinit`.
  package init(reading: Int32, writing: Int32) {
    readingEnd = reading
    state = Mutex(State(writingEnd: writing))
  }

  deinit {
    Descriptor.closeFile(readingEnd)
    state.withLock { if let end = $0.writingEnd { Descriptor.closeFile(end) } }
  }

  /// Enqueues a value, or nil to mark the end of the values.
  package func enqueue(_ value: Value?) {
    state.withLock { state in
      state.values.append(value)
      guard let end = state.writingEnd else { return }
      do throws(SystemCallError) {
        try Descriptor.writeAll(end, [0].span)
      } catch {
        // Close the pipe, so that the receiving thread gets an error instead of waiting forever.
        Descriptor.closeFile(end)
        state.writingEnd = nil
      }
    }
  }

  /// Removes the first value and returns it. Blocks until there is a value. Returns nil after the
  /// last value.
  package func dequeue() throws(DataError) -> Value? {
    var byte: [UInt8] = []
    while byte.isEmpty {
      var cause = "the pipe was closed"
      do throws(SystemCallError) {
        if try Descriptor.readBytes(readingEnd, into: &byte, atMost: 1) > 0 { break }
      } catch {
        if error.isInterruption { continue }
        cause = error.text
      }
      throw DataError(.failed, "cannot read the input in the background: \(cause)")
    }
    return state.withLock { $0.values.removeFirst() }
  }
}
