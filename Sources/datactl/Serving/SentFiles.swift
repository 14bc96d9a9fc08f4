import DataAPI
import DataModel
import DataServer
import Platform
import Synchronization

/// The files that a client has sent with a command line. What the command writes to files is sent
/// back.
struct SentFiles: CommandFiles {
  private let command: SentCommand
  private let frames: FrameOutput
  /// The folders that the command has created. They are not among the files that the client has
  /// sent, but `isFolder` must return true for them.
  private let createdFolders = CreatedFolders()

  private final class CreatedFolders: Sendable {
    let paths = Mutex<Set<[UInt8]>>([])
  }

  init(_ command: SentCommand, _ frames: FrameOutput) {
    self.command = command
    self.frames = frames
  }

  func input(_ path: String) throws(DataError) -> InputStream {
    switch command[path] {
    case .file(let bytes): return InputStream(path, reading: bytes)
    case .folder:
      throw DataError(Problem(.fileFailed, SystemCallError.fileIsFolder.text, file: path))
    case .unreadable(let problem): throw DataError(problem)
    case nil: throw DataError(Problem(.fileNotFound, SystemCallError.noSuchFile.text, file: path))
    }
  }

  func isFolder(_ path: String) throws(DataError) -> Bool {
    if createdFolders.paths.withLock({ $0.contains(Array(path.utf8)) }) { return true }
    return switch command[path] {
    case .folder: true
    case .file, .unreadable, nil: false
    }
  }

  func names(in folder: String) throws(DataError) -> [String] {
    if case .folder(let names) = command[folder] { names } else { [] }
  }

  func matches(of pattern: String) throws(DataError) -> [String]? {
    if case .unreadable(let problem) = command[pattern] { throw DataError(problem) }
    return command.expansion(of: pattern)
  }

  /// Returns nil: the client itself checks that the command does not overwrite its own input.
  func identity(of path: String) -> FileIdentity? { nil }

  func makeFolder(_ path: String) throws(DataError) {
    _ = createdFolders.paths.withLock { $0.insert(Array(path.utf8)) }
    try frames.write(.folder, WrittenFile(path).json.span)
  }

  func output(_ path: String) throws(DataError) -> PublishedOutput {
    if let problem = command.outputProblem(path) { throw DataError(problem) }
    return try output(WrittenFile(path))
  }

  func output(_ name: String, in folder: String) throws(DataError) -> PublishedOutput {
    try output(WrittenFile(name, in: folder))
  }

  /// Does nothing, because the client flushes the files when the command has ended.
  func sync(_ folder: String) {}

  private func output(_ file: WrittenFile) throws(DataError) -> PublishedOutput {
    let frames = frames
    try frames.write(.file, file.json.span)
    let stream = OutputStream(file.name) { bytes throws(DataError) in
      try frames.write(.content, bytes)
    }
    return PublishedOutput(stream) { () throws(DataError) in
      let nothing: [UInt8] = []
      try frames.write(.publish, nothing.span)
    }
  }
}

/// The files of a command that must not use any: each attempt to open a file is a usage error.
struct NoFiles: CommandFiles {
  func input(_ path: String) throws(DataError) -> InputStream { throw Self.refusal(path) }

  func isFolder(_ path: String) throws(DataError) -> Bool { throw Self.refusal(path) }

  func names(in folder: String) throws(DataError) -> [String] { throw Self.refusal(folder) }

  func matches(of pattern: String) throws(DataError) -> [String]? { throw Self.refusal(pattern) }

  func identity(of path: String) -> FileIdentity? { nil }

  func makeFolder(_ path: String) throws(DataError) { throw Self.refusal(path) }

  func output(_ path: String) throws(DataError) -> PublishedOutput { throw Self.refusal(path) }

  func output(_ name: String, in folder: String) throws(DataError) -> PublishedOutput {
    throw Self.refusal(folder)
  }

  func sync(_ folder: String) {}

  private static func refusal(_ path: String) -> DataError {
    DataError(
      .usage, "a request cannot name a file: \(Excerpt.quoted(path))",
      hint: "send the content in the body")
  }
}

/// Writes the output of a command to a response as frames: blocks of bytes, each with its kind and
/// size.
struct FrameOutput: Sendable {
  private let output: any CommandOutput

  init(_ output: any CommandOutput) {
    self.output = output
  }

  /// Writes bytes as a frame of the given kind. If there are too many bytes, writes several frames.
  func write(_ kind: Frame.Kind, _ bytes: Span<UInt8>) throws(DataError) {
    var start = 0
    repeat {
      let end = min(start + Frame.maxContentSize, bytes.count)
      try output.write(Frame.header(kind, size: end - start).span)
      try output.write(bytes.extracting(start..<end))
      start = end
    } while start < bytes.count
  }
}
