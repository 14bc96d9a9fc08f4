/// Determines when a checkpoint of a connection waits for readers.
final class CheckpointWait {
  /// How long such a checkpoint waits, in seconds.
  static let seconds = 2.0

  private static let usualSize = 64 << 20

  /// The size of the WAL in bytes from which a checkpoint waits.
  private(set) var size = usualSize

  /// Notes that a checkpoint has copied the whole WAL.
  func succeeded() { size = Self.usualSize }

  /// Notes that a checkpoint of a WAL has waited in vain. The next one waits only when the WAL is
  /// twice as large, because a reader may take hours.
  func failed(at current: Int) { size = current * 2 }
}
