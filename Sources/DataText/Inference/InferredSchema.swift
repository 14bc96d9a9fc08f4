package import DataModel

/// A schema inferred from records, with statistics of the records.
package struct InferredSchema: Sendable {
  package let schema: Schema
  /// The number of records.
  package let count: Int
  /// The summary of each key, in the order of the records.
  package let findings: [Finding]
  /// Remarks: why a type is not the obvious one, what is left out, and why.
  package let notes: [String]

  /// A summary of the values under one key.
  package struct Finding: Hashable, Sendable {
    package var key: String
    /// The field for the key, if any.
    package var field: Field?
    package var nulls: Int
    package var missing: Int
    /// Values whose own type differs from that of the field.
    package var others: [OtherValues]
    package var example: String?

    package init(
      key: String, field: Field?, nulls: Int, missing: Int, others: [OtherValues], example: String?
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
  package struct OtherValues: Hashable, Sendable {
    package var count: Int
    package var kind: String
    /// The first value of the kind, and its line.
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
