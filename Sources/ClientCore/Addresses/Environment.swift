internal import Platform

/// The environment variables, working directory, user id and clock that a client uses. Tests can
/// replace them.
public struct Environment: Sendable {
  /// Returns the value of an environment variable, or nil if it is not set.
  public var environment: @Sendable (_ name: String) -> String?
  /// The working directory, against which relative paths are resolved. It is an empty string if
  /// that directory has been removed.
  public var folder: String
  /// The id of the user that the process runs as.
  public var userID: UInt32
  /// Returns the current time. Throws an error if the clock shows a time outside the years 1 to
  /// 9999.
  public var now: @Sendable () throws(DataError) -> Timestamp

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - environment: A closure that returns the value of an environment variable, or nil if it is
  ///     not set.
  ///   - folder: The folder against which relative paths are resolved.
  ///   - userID: The id of the user that the process runs as.
  ///   - now: A closure that returns the current time.
  public init(
    environment: @escaping @Sendable (_ name: String) -> String?, folder: String, userID: UInt32,
    now: @escaping @Sendable () throws(DataError) -> Timestamp
  ) {
    self.environment = environment
    self.folder = folder
    self.userID = userID
    self.now = now
  }

  /// The environment variables, working directory, user id and system clock of this process.
  public static var process: Environment {
    Environment(
      environment: ProcessEnvironment.variable, folder: ProcessEnvironment.workingFolder,
      userID: ProcessEnvironment.userID,
      now: { () throws(DataError) in try Timestamp(ofClock: SystemClock.now()) })
  }

  /// Returns the value of an environment variable, or nil if it is not set or empty.
  func variable(_ name: String) -> String? {
    guard let value = environment(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns the path of datactl's folder in an XDG base directory.
  ///
  /// The value of the variable is ignored if it is a relative path, as the XDG Base Directory
  /// Specification requires.
  ///
  /// - Parameters:
  ///   - variable: The environment variable of the base directory, such as `XDG_DATA_HOME`.
  ///   - home: The path, relative to `HOME`, of the base directory to use if the variable is not
  ///     set.
  ///   - purpose: What the folder is used for. The error message contains this text.
  /// - Throws: An error if neither the variable nor `HOME` is set to an absolute path.
  func folder(_ variable: String, below home: String, for purpose: String) throws(DataError)
    -> String
  {
    if let folder = self.variable(variable), folder.hasPrefix("/") {
      return FilePath.join(folder, "datactl")
    }
    guard let user = self.variable("HOME"), user.hasPrefix("/") else {
      throw DataError(
        .invalidConfiguration, "no folder for \(purpose): neither \(variable) nor HOME is set",
        hint: "set \(variable) to an absolute path")
    }
    return FilePath.join(FilePath.join(user, home), "datactl")
  }

  /// Creates a folder in datactl's data folder, unless it exists, and returns its path. Only the
  /// user can access it.
  ///
  /// - Parameter purpose: What the folder is used for. The error message contains this text.
  package func makeDataFolder(
    _ name: String, for purpose: String
  ) throws(DataError) -> String {
    let path = FilePath.join(
      try folder("XDG_DATA_HOME", below: ".local/share", for: purpose), name)
    do throws(SystemCallError) {
      try PrivateFile.makeFolder(path)
      try FileSystem.setPermissions(0o700, of: path)
    } catch {
      throw DataError(Problem(.fileFailed, error.text, file: path))
    }
    return path
  }
}

extension Timestamp {
  /// Creates a timestamp from a clock time in microseconds since 1970. Throws an error if the time
  /// is outside the years 1 to 9999.
  package init(ofClock microseconds: Int64) throws(DataError) {
    guard let time = Timestamp(microseconds: microseconds) else {
      throw DataError(
        .failed, "the system clock is set to a time outside the years 1 to 9999",
        hint: "set the system clock to the current time")
    }
    self = time
  }
}
