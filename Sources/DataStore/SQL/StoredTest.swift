package import DataModel

/// A test of columns that SQLite evaluates with the model's own code. It is used for lists, JSON
/// and patterns, which engines treat differently.
package struct SQLFunctionTest: Hashable, Sendable {
  package var criterion: Criterion
  /// The type of the columns.
  package var type: FieldType
  /// The key path in JSON.
  package var keys: [String]
  /// The type of the other path, if the criterion compares two paths.
  package var otherType: FieldType?

  package init(
    _ criterion: Criterion, of type: FieldType, keys: [String] = [],
    comparedWith otherType: FieldType? = nil
  ) {
    self.criterion = criterion
    self.type = type
    self.keys = keys
    self.otherType = otherType
  }
}
