/// What an address takes from the process around it, as values: a test gives its own.
package struct Outside {
  /// A variable of the environment that is set to something.
  package var variable: (_ name: String) -> String?
  /// Whether there is a file that can be read.
  package var isReadable: (_ path: String) -> Bool
  /// Whether there is something that others can read, or that is no plain file.
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

  static var process: Outside {
    Outside(
      variable: Platform.variable, isReadable: Platform.isReadable, isExposed: Platform.isExposed)
  }
}
