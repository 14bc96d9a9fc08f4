package import DataModel

/// A Swift type that models the records of a schema and has been checked against the schema,
/// together with the types of its nested records.
///
/// It describes which relations contain records instead of ids.
package struct CheckedModel: Sendable {
  /// A relation whose property contains records instead of ids.
  package struct NestedRelation: Sendable {
    package let slot: Int
    /// The index of the records' type in `types`.
    package let type: Int

    package init(slot: Int, type: Int) {
      self.slot = slot
      self.type = type
    }
  }

  /// A model type, and the schema of its values. If a type is used for records of two schemas,
  /// `types` contains it twice, once for each schema.
  package struct NestedType: Sendable {
    package let type: ObjectIdentifier
    package let schema: Schema
    package var relations: [NestedRelation] = []
    /// The last property that was found, if the properties after it are unknown, because decoding a
    /// sample of the type failed there. Nil if all properties are known.
    package var lastKnownProperty: String?

    package init(_ type: ObjectIdentifier, of schema: Schema) {
      self.type = type
      self.schema = schema
    }

    /// Returns the index in `types` of the type of the nested records in the given slot, or nil if
    /// the property contains ids.
    package func type(inSlot slot: Int) -> Int? {
      relations.first { $0.slot == slot }?.type
    }
  }

  /// The model type, followed by its nested types.
  package var types: [NestedType] = []

  package init() {}

  /// The schema of the model type.
  package var schema: Schema { types[0].schema }

  /// Whether values of the model type contain nested records.
  package var isTree: Bool { !types[0].relations.isEmpty }

  /// The schemas of the model type and of its nested types, each of them once.
  package var schemas: [Schema] {
    types.indices.filter { index in
      !types[..<index].contains { $0.schema.name == types[index].schema.name }
    }.map { types[$0].schema }
  }
}
