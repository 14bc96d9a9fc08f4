internal import DataModel

/// The name of a method: a program that a server runs for requests.
package enum MethodName {
  /// The regular expression that all valid names match.
  package static let pattern = "^[a-z][a-z0-9_]{0,63}$"

  /// Returns whether the text is a valid name of a method.
  package static func isValid(_ text: String) -> Bool { Names.isValid(text, as: .method) }
}
