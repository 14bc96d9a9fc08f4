package import DataModel

/// A Swift type that models the records of a schema and has been checked against the schema,
/// together with the types of its nested records.
///
/// It describes which properties contain the related records instead of their ids.
package struct CheckedModel: Sendable {
  /// A relation whose property in the model type contains the related records themselves, such as
  /// `var lines: [Line]`.
  package struct NestedRelation: Sendable {
    /// The slot of the relation, or the number of an inverse (see `NestedType.inverses`).
    package let slot: Int
    /// The index in `CheckedModel.types` of the model type of the related records.
    package let type: Int

    package init(slot: Int, type: Int) {
      self.slot = slot
      self.type = type
    }
  }

  /// A model type, and the schema of its values. If a type is used for the records of two schemas,
  /// there is one `NestedType` for each schema.
  package struct NestedType: Sendable {
    package let type: ObjectIdentifier
    package let schema: Schema
    package var relations: [NestedRelation] = []
    /// The inverses of relations to the schema that the values contain. Their numbers follow the
    /// slots of the schema.
    package var inverses: [String] = []
    /// The name of the last property that was found, or nil if all properties are known.
    ///
    /// Properties are found by decoding a sample of the type. If decoding fails, the properties
    /// that would be decoded later remain unknown.
    package var lastKnownProperty: String?

    package init(_ type: ObjectIdentifier, of schema: Schema) {
      self.type = type
      self.schema = schema
    }

    /// Returns the slot of the field for a property, or the number of the inverse.
    package func slot(ofProperty name: String) -> Int? {
      if let slot = schema.slot(ofProperty: name) { return slot }
      let names = [name, Names.fieldName(ofProperty: name)]
      return inverses.firstIndex { names.contains($0) }.map { schema.width + $0 }
    }

    /// Returns the name of the field or the inverse.
    package func name(of slot: Int) -> String {
      slot < schema.width ? schema.name(of: slot) : inverses[slot - schema.width]
    }

    /// Returns the model type of the related records in a slot, as an index in
    /// `CheckedModel.types`. Returns nil if the property for this slot does not contain records.
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

  /// Whether values of the model type or of its nested types contain the records of inverses.
  package var hasInverses: Bool { types.contains { !$0.inverses.isEmpty } }

  /// The schemas of the model type and of its nested types, each of them once.
  package var schemas: [Schema] {
    types.indices.filter { index in
      !types[..<index].contains { $0.schema.name == types[index].schema.name }
    }.map { types[$0].schema }
  }
}
