/// The parts of the process environment that affect a connection, as closures that tests can
/// replace.
package struct ConnectionEnvironment {
  /// Returns the value of an environment variable that is set and not empty.
  package var variable: (_ name: String) -> String?
  /// Whether a readable file exists at a path.
  package var isReadable: (_ path: String) -> Bool
  /// Whether other users can access the file at a path, or the path is not a regular file.
  package var isExposed: (_ path: String) -> Bool

  package init(
    variable: @escaping (_ name: String) -> String?,
    isReadable: @escaping (_ path: String) -> Bool,
    isExposed: @escaping (_ path: String) -> Bool
  ) {
    self.variable = variable
    self.isReadable = isReadable
    self.isExposed = isExposed
  }

  static var process: ConnectionEnvironment {
    ConnectionEnvironment(
      variable: Platform.variable, isReadable: Platform.isReadable, isExposed: Platform.isExposed)
  }
}
