package import DataModel
import JSONText

/// A part of a request that sends a command to a server, or of the response to it.
///
/// A frame consists of its kind, the number of its bytes, and the bytes. Content that is longer
/// than `maxContentSize` is divided into several frames.
package struct Frame: Hashable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    /// In a request: the command, as a `CommandDocument`.
    case command = 1
    /// In a request: a path on the client's machine, as an `AttachedPath`.
    case path = 2
    /// Bytes of the file that the preceding frame `path` or `file` describes.
    case content = 3
    /// In a response: bytes for stdout.
    case output = 4
    /// In a response: bytes for stderr.
    case message = 5
    /// In a response: a folder to create, as a `WrittenFile` whose name is the path.
    case folder = 6
    /// In a response: a file to write, as a `WrittenFile`. Its content follows.
    case file = 7
    /// In a response: the content of the preceding `file` is complete. The frame has no bytes.
    case publish = 8
    /// In a response: how the command ended, as a `CommandEnd`. This is the last frame.
    case end = 9

    /// The maximum number of bytes of a frame of this kind.
    package var maxSize: Int {
      switch self {
      case .command, .path, .folder, .file, .end: Frame.maxDocumentSize
      case .content, .output, .message: Frame.maxContentSize
      case .publish: 0
      }
    }
  }

  /// The media type of the body of a request that consists of frames.
  package static let requestType = "application/vnd.datactl.command"
  /// The media type of the body of a response that consists of frames.
  package static let responseType = "application/vnd.datactl.output"

  /// The number of bytes that encode the kind and the size of a frame.
  package static let headerSize = 9
  package static let maxDocumentSize = 4 << 20
  package static let maxContentSize = 1 << 20

  package var kind: Kind
  package var bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The frame as it is sent: its header, followed by its bytes.
  package var encoded: [UInt8] { Self.header(kind, size: bytes.count) + bytes }

  /// Returns the header of a frame: its kind and its size.
  package static func header(_ kind: Kind, size: Int) -> [UInt8] {
    var header = [kind.rawValue]
    for shift in stride(from: 56, through: 0, by: -8) {
      header.append(UInt8(truncatingIfNeeded: size >> shift))
    }
    return header
  }

  /// Parses the header of a frame. Throws an error if the kind is unknown, or if the frame is too
  /// large.
  package static func header(
    parsing bytes: [UInt8]
  ) throws(DataError) -> (kind: Kind, size: Int) {
    guard bytes.count == headerSize, let kind = Kind(rawValue: bytes[0]) else {
      throw .invalidFrame("unknown kind")
    }
    let size = bytes.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard size <= UInt64(kind.maxSize) else { throw .invalidFrame("too large") }
    return (kind, Int(size))
  }
}

extension DataError {
  package static func invalidFrame(_ reason: String) -> DataError {
    DataError(.syntax, "the body is not a sequence of frames: \(reason)")
  }
}

/// Splits bytes that arrive in pieces of any size into frames.
package struct FrameDecoder: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  package init() {}

  package mutating func append(_ bytes: Span<UInt8>) {
    buffer.removeFirst(start)
    start = 0
    buffer.append(copying: bytes)
  }

  /// Returns the next frame, or nil if it has not arrived completely.
  package mutating func next() throws(DataError) -> Frame? {
    let body = start + Frame.headerSize
    guard buffer.count >= body else { return nil }
    let (kind, size) = try Frame.header(parsing: Array(buffer[start..<body]))
    guard buffer.count >= body + size else { return nil }
    defer { start = body + size }
    return Frame(kind, Array(buffer[body..<body + size]))
  }
}
