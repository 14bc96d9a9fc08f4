/// What a client takes from the process around it, as values: a test gives its own.
public struct Surroundings: Sendable {
  /// The value of an environment variable, if it is there.
  public var environment: @Sendable (_ name: String) -> String?
  /// The folder that relative paths are taken from; nothing if it is gone.
  public var folder: String
  /// Who owns what this process makes.
  public var userID: UInt32
  /// Tells the time.
  public var now: @Sendable () -> Timestamp

  /// Takes everything as it is given.
  public init(
    environment: @escaping @Sendable (_ name: String) -> String?, folder: String, userID: UInt32,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.environment = environment
    self.folder = folder
    self.userID = userID
    self.now = now
  }

  /// Those of this process at this moment.
  public static var process: Surroundings {
    Surroundings(
      environment: Platform.variable, folder: Platform.folder, userID: Platform.userID,
      now: Platform.now)
  }

  /// A variable that is set to something.
  func variable(_ name: String) -> String? {
    guard let value = environment(name), !value.isEmpty else { return nil }
    return value
  }

  /// A folder of the XDG kind for datactl: relative values are ignored.
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
