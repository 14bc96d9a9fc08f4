/// Names that lead from a record to a value: relations to follow, a field, and what lies within it.
///
/// The names are those of the schemas, not of properties. What they lead to, the catalog says, since
/// a path may be older than the schemas of the store that it is taken to.
package struct FieldPath: Hashable, Sendable {
  package let names: [String]

  /// The path of one field.
  package init(_ field: String) {
    names = [field]
  }

  /// A path of one name or more.
  package init(names: [String]) {
    precondition(!names.isEmpty, "empty path")
    self.names = names
  }

  /// Reads names with dots between them, as an order has them; no name of a field has a dot.
  package init(dotted text: String) {
    names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension FieldPath: CustomStringConvertible {
  package var description: String { names.joined(separator: ".") }
}
