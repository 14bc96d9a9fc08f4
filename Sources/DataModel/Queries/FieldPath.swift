/// A path from a record to a value: relations to follow, a field, and optionally a part of the
/// field's value, such as the latitude of a geopoint.
///
/// The names are field names, not property names. A path must be resolved against a catalog before
/// use, because the schemas may have changed since it was created.
package struct FieldPath: Hashable, Sendable {
  package let names: [String]

  /// Creates a path to a field.
  package init(_ field: String) {
    names = [field]
  }

  /// Creates a path from a nonempty list of names.
  package init(names: [String]) {
    precondition(!names.isEmpty, "empty path")
    self.names = names
  }

  /// Parses a path of field names separated by dots, as in sort orders. Field names contain no
  /// dots.
  package init(dotted text: String) {
    names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension FieldPath: CustomStringConvertible {
  package var description: String { names.joined(separator: ".") }
}
