/// Where a path leads, by the schemas of a catalog: having one is the proof that it leads somewhere.
package struct Route: Hashable, Sendable {
  /// A relation to follow.
  package struct Hop: Hashable, Sendable {
    /// The slot of the relation, or of a system field that holds a user's id.
    package var slot: Int
    /// The schema of the records that it leads to.
    package var target: String
    package var isMany: Bool
    /// Whether it is a system field, which may hold the id of a user who is gone.
    package var isOfSystem = false
  }

  /// What of the field's value is meant.
  package enum Part: Hashable, Sendable {
    case whole
    case latitude
    case longitude
    case fileName
    case fileType
    case fileSize
    case fileHash
    /// What stands under these keys, one within the other, in JSON.
    case keys([String])
  }

  /// The relations to follow, in order.
  package var hops: [Hop]
  /// The schema of the records that the relations lead to.
  package var schema: Schema
  /// The field of those records.
  package var slot: Int
  package var part: Part
  /// The type of what it leads to, the part considered.
  package var type: FieldType

  /// Whether it leads to one value at the most.
  package var isSingle: Bool { !type.isList && !hops.contains { $0.isMany } && type != .json }
}

/// Why a path leads nowhere, and which of its names shows it.
package struct PathFault: Error, Hashable, Sendable {
  package var place: Int
  package var message: String
  package var hint: String?
  /// The schema in which the name was looked for.
  package var schema: String
  /// Whether it is a password, whose value may stand beside the path.
  package var isSecret = false
}

extension DataError {
  /// The error of a question whose path leads nowhere.
  package init(_ fault: PathFault) {
    self.init(Problem(.usage, fault.message, hint: fault.hint, schema: fault.schema))
  }
}
