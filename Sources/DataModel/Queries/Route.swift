/// A path resolved against the schemas of a catalog.
package struct ResolvedPath: Hashable, Sendable {
  /// A relation to follow.
  package struct Hop: Hashable, Sendable {
    /// The slot of the relation, or of a system field for a user.
    package var slot: Int
    /// The name of the referenced schema.
    package var target: String
    package var isMany: Bool
    /// Whether it is a system field, which may contain the id of a deleted user.
    package var isSystemField = false
  }

  /// The part of the field's value that the path selects.
  package enum Part: Hashable, Sendable {
    case whole
    case latitude
    case longitude
    case fileName
    case fileType
    case fileSize
    case fileHash
    /// The value at a path of nested keys in JSON.
    case keys([String])
  }

  /// The relations to follow, in order.
  package var hops: [Hop]
  /// The schema at the end of the relations.
  package var schema: Schema
  /// The slot of the field in that schema.
  package var slot: Int
  package var part: Part
  /// The type of the selected part.
  package var type: FieldType

  /// Whether the path has at most one value.
  package var isSingle: Bool { !type.isList && !hops.contains { $0.isMany } && type != .json }
}

/// The error that a path cannot be resolved, and the index of the name that caused it.
package struct PathError: Error, Hashable, Sendable {
  package var index: Int
  package var message: String
  package var hint: String?
  /// The name of the schema in which the name was looked up.
  package var schema: String
  /// Whether the path names a password. Callers then must not include the compared value in
  /// messages.
  package var isSecret = false
}

extension DataError {
  /// Creates the error for a query with a path that cannot be resolved.
  package init(_ error: PathError) {
    self.init(Problem(.usage, error.message, hint: error.hint, schema: error.schema))
  }
}
