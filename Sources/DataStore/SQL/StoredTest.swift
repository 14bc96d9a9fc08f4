package import DataModel

/// A test of what columns hold that an engine makes with the model's own code: of lists, JSON and
/// patterns, of which no two engines think alike.
package struct StoredTest: Hashable, Sendable {
  package var criterion: Criterion
  /// The type of what the columns hold.
  package var type: FieldType
  /// The keys to follow in JSON.
  package var keys: [String]
  /// The type of what stands beside it, where the criterion compares with another path.
  package var otherType: FieldType?

  package init(
    _ criterion: Criterion, of type: FieldType, keys: [String] = [],
    beside otherType: FieldType? = nil
  ) {
    self.criterion = criterion
    self.type = type
    self.keys = keys
    self.otherType = otherType
  }
}
