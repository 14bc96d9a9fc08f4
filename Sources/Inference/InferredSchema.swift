package import DataModel

/// A schema that was inferred from records, with statistics of these records.
package struct InferredSchema: Sendable {
  package var schema: Schema
  /// The source of the record ids. Nil if an existing schema was extended with the inferred fields.
  package let ids: IDSource?
  /// The number of records from which the schema was inferred.
  package let count: Int
  /// A summary of the values under each key, in the order in which the keys occur in the records.
  package let findings: [Finding]
  /// Messages that explain to the user why a type differs from the expected one, and why the schema
  /// omits some keys.
  package var notes: [String]

  /// Where the ids of the records come from.
  package enum IDSource: Sendable {
    /// The ids are assigned when the records are saved.
    case assigned
    /// The ids are the values of a key. If the key is not required, missing ids are assigned when
    /// the records are saved.
    case key(isRequired: Bool)
  }

  /// What the records contain under one key, for the report to the user.
  package struct Finding: Hashable, Sendable {
    package var key: String
    /// The field for the key, or nil if the schema has no field for it.
    package var field: Field?
    package var nulls: Int
    package var missing: Int
    /// The values of other kinds than the type of the field, such as numbers in a text field,
    /// grouped by kind.
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

  /// The values of one kind, such as numbers, under a key.
  package struct OtherValues: Hashable, Sendable {
    package var count: Int
    package var kind: String
    /// The first value of this kind, as text.
    package var example: String
    /// The file that contains the example, or nil if there was only one file.
    package var file: String?
    /// The line that contains the example.
    package var line: Int

    package init(count: Int, kind: String, example: String, file: String? = nil, line: Int) {
      self.count = count
      self.kind = kind
      self.example = example
      self.file = file
      self.line = line
    }
  }
}
