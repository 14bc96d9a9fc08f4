package import DataModel

/// A schema that was made from records, and what was found in them.
package struct InferredSchema: Sendable {
  package let schema: Schema
  /// How many records were looked at.
  package let count: Int
  /// What was found under each key, in the order of the records.
  package let findings: [Finding]
  /// What there is to say of it: why a type is not the obvious one, what is left out, and why.
  package let notes: [String]

  /// What was found under one key.
  package struct Finding: Hashable, Sendable {
    package var key: String
    /// The field that it leads to, if it makes one.
    package var field: Field?
    package var nulls: Int
    package var missing: Int
    /// Values that are by themselves of another type than the field.
    package var others: [Others]
    package var example: String?

    package init(
      key: String, field: Field?, nulls: Int, missing: Int, others: [Others], example: String?
    ) {
      self.key = key
      self.field = field
      self.nulls = nulls
      self.missing = missing
      self.others = others
      self.example = example
    }
  }

  /// Values of one kind.
  package struct Others: Hashable, Sendable {
    package var count: Int
    package var kind: String
    /// The first of them, and its line.
    package var example: String
    package var line: Int

    package init(count: Int, kind: String, example: String, line: Int) {
      self.count = count
      self.kind = kind
      self.example = example
      self.line = line
    }
  }
}
