import DataModel
import Platform
import RecordText

/// Where the records to save come from.
enum SavedInput {
  /// The assignments on the command line. They describe one record, or they are applied to all
  /// records that a condition selects.
  case assignments
  /// The records in a single file or in stdin.
  case stream(RewindableInput)
  /// Several files that contain records. The strings are their paths.
  case files([String])
  /// Files whose contents are saved in a file field, one record for each file. The strings are
  /// their paths.
  case contents([String])

  /// Whether the input can be read again when the save is retried.
  var canRestart: Bool {
    switch self {
    case .assignments: true
    case .stream(let input): input.canRewind
    case .files(let paths), .contents(let paths): !paths.contains("-")
    }
  }

  /// The paths of the files that are read; empty if there are none.
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

  /// Returns the identity of each file that is read, to detect that the save would also write to
  /// it.
  func identities(with context: CommandContext) -> [FileIdentity?] {
    switch self {
    case .stream(let input): [input.input.identity]
    case .assignments, .files, .contents: paths.map { context.files.identity(of: $0) }
    }
  }

  /// Opens the file with the given index in `paths` as a stream.
  func stream(_ index: Int, with context: CommandContext) throws(DataError) -> InputStream {
    switch self {
    case .stream(let input): input.input
    case .assignments, .files, .contents: try context.input(paths[index], for: "records")
    }
  }

  /// Opens the file with the given index in `paths` as a source of bytes. If there is only one
  /// file, its bytes can be read again.
  func bytes(_ index: Int, with context: CommandContext) throws(DataError) -> any ByteSource {
    switch self {
    case .stream(let input): input.bytes
    case .assignments, .files, .contents: try stream(index, with: context)
    }
  }
}
