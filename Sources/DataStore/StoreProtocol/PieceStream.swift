package import DataModel
import Synchronization

/// A stream of the bytes of a file that an engine stores in pieces. The first piece is passed to
/// the initializer, because engines read it together with the file's size.
package final class PieceStream: ContentStream {
  private struct Progress {
    /// The index of the next piece to return.
    var next = 0
    var first: [UInt8]?
    /// The number of bytes that have not been returned yet.
    var remaining: Int64
  }

  private let progress: Mutex<Progress>
  private let damage: DataError
  private let piece: @Sendable (Int) async throws(DataError) -> [UInt8]?

  /// Creates a stream from the size of a file and its first piece.
  ///
  /// - Parameters:
  ///   - damage: The error that `next` throws if the pieces have fewer or more bytes than `size`.
  ///   - piece: Reads the piece with the given index.
  package init(
    size: Int64, first: [UInt8], damage: DataError,
    piece: @escaping @Sendable (Int) async throws(DataError) -> [UInt8]?
  ) {
    progress = Mutex(Progress(first: first, remaining: size))
    self.damage = damage
    self.piece = piece
  }

  package func next() async throws(DataError) -> [UInt8]? {
    let (number, first, remaining) = progress.withLock { progress in
      defer { progress.first = nil }
      return (progress.next, progress.first, progress.remaining)
    }
    guard remaining > 0 else { return nil }
    let given: [UInt8]? = if let first { first } else { try await piece(number) }
    guard let bytes = given, !bytes.isEmpty, bytes.count <= remaining else { throw damage }
    progress.withLock { progress in
      progress.next += 1
      progress.remaining -= Int64(bytes.count)
    }
    return bytes
  }
}
