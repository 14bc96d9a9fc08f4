internal import Platform

/// The process environment that a client uses, as values that tests can replace.
public struct Environment: Sendable {
  /// Returns the value of an environment variable, or nil if it is not set.
  public var environment: @Sendable (_ name: String) -> String?
  /// The folder against which relative paths are resolved; empty if it does not exist.
  public var folder: String
  /// The id of the user that the process runs as.
  public var userID: UInt32
  /// Returns the current time.
  public var now: @Sendable () -> Timestamp

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of an environment variable.
  ///   - folder: The folder against which relative paths are resolved.
  ///   - userID: The id of the user that the process runs as.
  ///   - now: Returns the current time.
  public init(
    environment: @escaping @Sendable (_ name: String) -> String?, folder: String, userID: UInt32,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.environment = environment
    self.folder = folder
    self.userID = userID
    self.now = now
  }

  /// The environment of this process.
  public static var process: Environment {
    Environment(
      environment: ProcessEnvironment.variable, folder: ProcessEnvironment.workingFolder,
      userID: ProcessEnvironment.userID,
      now: { Timestamp(microseconds: SystemClock.now()) ?? .earliest })
  }

  /// Returns the value of an environment variable that is set and not empty.
  func variable(_ name: String) -> String? {
    guard let value = environment(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns datactl's folder under an XDG base directory. Relative values are ignored, as XDG
  /// demands.
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
}
