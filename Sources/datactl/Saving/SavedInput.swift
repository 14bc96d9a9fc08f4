import DataModel
import DataText
import Platform

/// The input of a save.
enum SavedInput {
  /// The assignments on the command line, which describe one record or change the selected
  /// records.
  case assignments
  /// The records in a file or stdin.
  case stream(RewindableInput)
  /// The records in several files.
  case files([String])
  /// The contents of files.
  case contents([String])

  /// Whether the input can be read again when the save is retried.
  var canRestart: Bool {
    switch self {
    case .assignments: true
    case .stream(let input): input.canRewind
    case .files(let paths), .contents(let paths): !paths.contains("-")
    }
  }

  /// The paths of the files that contain the records.
  var paths: [String] {
    switch self {
    case .assignments: []
    case .stream(let input): [input.input.file]
    case .files(let paths), .contents(let paths): paths
    }
  }

  /// The number of bytes of the records, or nil if it is unknown.
  var size: Int? {
    switch self {
    case .stream(let input): input.input.remaining
    case .assignments, .files, .contents: nil
    }
  }

  /// Returns the identities of the files.
  func identities(with context: CommandContext) -> [FileIdentity?] {
    switch self {
    case .stream(let input): [input.input.identity]
    case .assignments, .files, .contents: paths.map { context.identity(of: $0) }
    }
  }

  /// Opens the file with the given index in `paths`.
  func stream(_ index: Int, with context: CommandContext) throws(DataError) -> InputStream {
    switch self {
    case .stream(let input): input.input
    case .assignments, .files, .contents: try context.input(paths[index], for: "records")
    }
  }

  /// Opens the file with the given index in `paths`. The bytes of a single file can be read
  /// again.
  func bytes(_ index: Int, with context: CommandContext) throws(DataError) -> any ByteSource {
    switch self {
    case .stream(let input): input.bytes
    case .assignments, .files, .contents: try stream(index, with: context)
    }
  }
}
