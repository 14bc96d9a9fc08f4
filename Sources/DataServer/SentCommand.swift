package import DataAPI
package import DataModel

/// Bytes in the body of a request: the whole body, or the content of a file.
package struct RequestBytes: Sendable {
  private struct Piece {
    /// The offset of this piece in the content of the file, which can consist of several pieces.
    var start: Int
    /// The offset of this piece in the body of the request.
    var position: Int
    var count: Int
  }

  private let body: ByteStore
  private var pieces: [Piece] = []
  package private(set) var count = 0

  /// Creates a value that contains the whole body. The body must have been received completely.
  package init(of body: ByteStore) {
    self.body = body
    append(at: 0, count: body.count)
  }

  fileprivate init(emptyIn body: ByteStore) {
    self.body = body
  }

  fileprivate mutating func append(at position: Int, count: Int) {
    guard count > 0 else { return }
    pieces.append(Piece(start: self.count, position: position, count: count))
    self.count += count
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer. Returns
  /// the number of bytes, which is 0 at the end, or nil if the body cannot be read.
  package func read(at offset: Int, into buffer: inout [UInt8], atMost limit: Int) -> Int? {
    guard offset < count else { return 0 }
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle } else { high = middle }
    }
    let piece = pieces[low]
    let skipped = offset - piece.start
    let size = min(limit, piece.count - skipped)
    switch body.read(at: piece.position + skipped, into: &buffer, atMost: size) {
    case .bytes(let count): return count
    case .pending, .end, .failure: return nil
    }
  }
}

/// A command line that a client sends to a server, with the files that it names.
package struct SentCommand: Sendable {
  /// What the client has found at a path that the command line names.
  package enum Attachment: Sendable {
    case file(RequestBytes)
    case folder([String])
    case unreadable(Problem)
  }

  /// The maximum number of frames that contain bytes of files. A client sends far fewer, because it
  /// begins a new frame only when the previous one is full. Without a limit, many tiny frames would
  /// need more memory than the files.
  private static let maxContentCount = 1_000_000
  /// The maximum total size of the frames that contain JSON documents, in bytes.
  private static let maxDocumentSize = 2 * Frame.maxDocumentSize

  package let document: CommandDocument
  /// The maximum size of a compressed input of the command after decompression, in bytes.
  package let maxDecompressedSize: Int
  private let paths: Paths
  /// For each pattern on the command line, the paths that it matches on the client's machine.
  private let expansions: [[UInt8]: [String]]

  private struct Paths {
    // Strings as keys would equate composed and decomposed letters.
    var attachments: [[UInt8]: Attachment] = [:]
    var outputProblems: [[UInt8]: Problem] = [:]

    mutating func attach(_ path: AttachedPath, _ content: RequestBytes) {
      let key = Array(path.path.utf8)
      switch path.content {
      case .file: attachments[key] = .file(content)
      case .folder(let names): attachments[key] = .folder(names)
      case .unreadable(let problem): attachments[key] = .unreadable(problem)
      case .unwritable(let problem): outputProblems[key] = problem
      }
    }
  }

  /// Parses a command line and its files from the frames in the body of a request.
  package init(parsing body: ByteStore, maxDecompressedSize: Int) throws(DataError) {
    self.maxDecompressedSize = maxDecompressedSize
    var document: CommandDocument?
    var paths = Paths()
    var documentSize = 0
    var path: AttachedPath?
    var content = RequestBytes(emptyIn: body)
    var offset = 0
    var contentCount = 0
    while offset < body.count {
      let (kind, size) = try Frame.header(
        parsing: Self.bytes(of: body, at: offset, count: Frame.headerSize))
      offset += Frame.headerSize
      guard size <= body.count - offset else { throw .invalidFrame("the last frame is incomplete") }
      defer { offset += size }
      if kind == .content {
        guard case .file? = path?.content else { throw .invalidFrame("content without a path") }
        contentCount += 1
        guard contentCount <= Self.maxContentCount else { throw .invalidFrame("too many") }
        content.append(at: offset, count: size)
        continue
      }
      documentSize += size
      guard documentSize <= Self.maxDocumentSize else { throw .invalidFrame("too large") }
      let bytes = try Self.bytes(of: body, at: offset, count: size)
      switch kind {
      case .command where document == nil: document = try CommandDocument(parsing: bytes.span)
      case .path:
        if let path { paths.attach(path, content) }
        path = try AttachedPath(parsing: bytes.span)
        content = RequestBytes(emptyIn: body)
      case .command, .content, .output, .message, .folder, .file, .publish, .end:
        throw .invalidFrame("unexpected kind")
      }
    }
    guard let document else { throw .invalidFrame("there is no command") }
    if let path { paths.attach(path, content) }
    self.document = document
    self.paths = paths
    expansions = Dictionary(
      document.expansions.map { (Array($0.pattern.utf8), $0.paths) }, uniquingKeysWith: { $1 })
  }

  private static func bytes(
    of body: ByteStore, at offset: Int, count: Int
  ) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let size = try body.next(
        at: offset + bytes.count, into: &bytes, atMost: count - bytes.count)
      guard size != nil else { throw .invalidFrame("the last frame is incomplete") }
    }
    return bytes
  }

  /// What the client has found at a path, or nil if the request does not contain the path.
  package subscript(path: String) -> Attachment? { paths.attachments[Array(path.utf8)] }

  /// The paths that a pattern matches on the client's machine, or nil if the request does not
  /// contain the pattern.
  package func expansion(of pattern: String) -> [String]? { expansions[Array(pattern.utf8)] }

  /// The reason why the client cannot write to a path, or nil if it can.
  package func outputProblem(_ path: String) -> Problem? {
    paths.outputProblems[Array(path.utf8)]
  }
}
