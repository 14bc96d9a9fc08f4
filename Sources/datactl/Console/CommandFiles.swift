import DataModel
import Platform

/// The files that a command line names. They are on this machine or, if a server runs the command,
/// in the request of the client.
protocol CommandFiles: Sendable {
  /// Opens a file for reading.
  func input(_ path: String) throws(DataError) -> InputStream

  /// Returns whether a folder exists at a path.
  func isFolder(_ path: String) throws(DataError) -> Bool

  /// Returns the names of the files and folders in a folder, sorted byte by byte.
  func names(in folder: String) throws(DataError) -> [String]

  /// Returns the paths that match a pattern with `*` or `?`. Returns nil if there is a file whose
  /// path is the pattern itself.
  func matches(of pattern: String) throws(DataError) -> [String]?

  /// Returns the identity of the file at a path, or nil if it is unknown. The file may not exist
  /// yet.
  func identity(of path: String) -> FileIdentity?

  /// Creates a folder if it does not exist.
  func makeFolder(_ path: String) throws(DataError)

  /// Opens a file for writing. A regular file is replaced when the output is published.
  func output(_ path: String) throws(DataError) -> PublishedOutput

  /// Opens a file in a folder for writing. When the output is published, it replaces any existing
  /// file or symbolic link with the same name. After the last file, the caller must call `sync`.
  func output(_ name: String, in folder: String) throws(DataError) -> PublishedOutput

  /// Flushes the files that were written to a folder to the disk.
  func sync(_ folder: String) throws(DataError)
}

/// The files of this machine.
struct LocalFiles: CommandFiles {
  /// The working directory.
  let folder: String
  /// Returns whether a signal asked the program to stop.
  let isStopping: @Sendable () -> Bool

  func input(_ path: String) throws(DataError) -> InputStream {
    do throws(SystemCallError) {
      let descriptor = try Files.openForReading(absolute(path))
      return InputStream(path, from: DescriptorChannel(owning: descriptor))
    } catch {
      throw failure(error, path)
    }
  }

  func isFolder(_ path: String) throws(DataError) -> Bool {
    do throws(SystemCallError) {
      return try Files.isFolder(absolute(path))
    } catch {
      throw failure(error, path)
    }
  }

  func names(in folder: String) throws(DataError) -> [String] {
    do throws(SystemCallError) {
      return try FileSystem.names(in: absolute(folder))
    } catch {
      throw failure(error, folder)
    }
  }

  func matches(of pattern: String) throws(DataError) -> [String]? {
    exists(pattern) ? nil : try FilePattern(pattern).matches(in: self)
  }

  /// Returns whether there is a file or folder at a path.
  func exists(_ path: String) -> Bool { FileSystem.exists(absolute(path)) }

  func identity(of path: String) -> FileIdentity? { Files.identity(of: absolute(path)) }

  func makeFolder(_ path: String) throws(DataError) {
    do throws(SystemCallError) {
      try Files.makeFolder(absolute(path))
    } catch {
      throw failure(error, path)
    }
  }

  func output(_ path: String) throws(DataError) -> PublishedOutput {
    do throws(SystemCallError) {
      switch try Files.destination(of: absolute(path)) {
      case .file(let resolved):
        return PublishedOutput(try ReplacementFile(path, at: resolved))
      case .other:
        // A device or a pipe is written to directly.
        let descriptor = try OpenFile(absolute(path), for: .writing, unless: SignalHandler.alarm)
          .release()
        return PublishedOutput(
          OutputStream(path, to: DescriptorChannel(owning: descriptor), buffering: .full))
      }
    } catch {
      throw outputFailure(error, path)
    }
  }

  func output(_ name: String, in folder: String) throws(DataError) -> PublishedOutput {
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    do throws(SystemCallError) {
      return PublishedOutput(try ReplacementFile(path, at: absolute(path), sync: .later))
    } catch {
      throw outputFailure(error, path)
    }
  }

  func sync(_ folder: String) throws(DataError) {
    do throws(SystemCallError) {
      try FileSystem.syncAll(around: absolute(folder))
    } catch {
      throw outputFailure(error, folder)
    }
  }

  /// Returns the absolute path for a path that may be relative to the working directory.
  private func absolute(_ path: String) -> String {
    Files.absolute(path, in: folder)
  }

  private func failure(_ error: SystemCallError, _ path: String) -> DataError {
    failure(error, path, error.isMissing ? .fileNotFound : .fileFailed)
  }

  private func outputFailure(_ error: SystemCallError, _ path: String) -> DataError {
    failure(error, path, .outputFailed)
  }

  private func failure(_ error: SystemCallError, _ path: String, _ code: ErrorCode) -> DataError {
    // An open call on a named pipe waits for another process. A signal interrupts it.
    if error.isInterruption, isStopping() { return .interrupted }
    return DataError(Problem(code, error.text, file: path))
  }
}
