package import DataModel
import Synchronization

/// Gives the bytes of a file that an engine keeps in pieces, of which the first comes with the news
/// that there is a file.
package final class PieceStream: ContentStream {
  private struct Progress {
    /// The number of the next piece.
    var next = 0
    var first: [UInt8]?
    /// How many bytes are still to come.
    var rest: Int64
  }

  private let progress: Mutex<Progress>
  private let damage: DataError
  private let piece: @Sendable (Int) async throws(DataError) -> [UInt8]?

  /// Begins with the first piece of a file of a size, and asks for the others by their numbers. A
  /// file that is shorter or longer than its size is damaged.
  package init(
    size: Int64, first: [UInt8], damage: DataError,
    piece: @escaping @Sendable (Int) async throws(DataError) -> [UInt8]?
  ) {
    progress = Mutex(Progress(first: first, rest: size))
    self.damage = damage
    self.piece = piece
  }

  package func next() async throws(DataError) -> [UInt8]? {
    let (number, first, rest) = progress.withLock { progress in
      defer { progress.first = nil }
      return (progress.next, progress.first, progress.rest)
    }
    guard rest > 0 else { return nil }
    let given: [UInt8]? = if let first { first } else { try await piece(number) }
    guard let bytes = given, !bytes.isEmpty, bytes.count <= rest else { throw damage }
    progress.withLock { progress in
      progress.next += 1
      progress.rest -= Int64(bytes.count)
    }
    return bytes
  }
}
