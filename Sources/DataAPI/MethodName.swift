internal import DataModel

/// The name of a method: a program that a server runs for requests.
package enum MethodName {
  /// The names, as a regular expression.
  package static let pattern = "^[a-z][a-z0-9_]{0,63}$"

  /// Returns whether a method can have a name.
  package static func isValid(_ text: String) -> Bool { Names.isValid(text, as: .method) }
}
