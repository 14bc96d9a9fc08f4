/// The closed list of types that a field can have.
public enum FieldType: Hashable, Sendable {
  case id
  case text
  case integer
  case number
  case boolean
  case datetime
  case geopoint
  case file
  case json
  case password
  case relation(Relation)
  case array(ElementType)

  /// The type's name in a schema file.
  public var name: String {
    switch self {
    case .id: "id"
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .datetime: "datetime"
    case .geopoint: "geopoint"
    case .file: "file"
    case .json: "json"
    case .password: "password"
    case .relation: "relation"
    case .array(let element): "[\(element.rawValue)]"
    }
  }

  /// The names that a schema file may give as a type, which are not free for schemas.
  package static let names =
    ["id", "text", "integer", "number", "boolean", "datetime", "geopoint", "file", "json"]
    + ["password", "relation"] + ElementType.allCases.map { "[\($0.rawValue)]" }

  /// Whether records can be ordered by it.
  package var isOrdered: Bool {
    switch self {
    case .id, .text, .integer, .number, .boolean, .datetime: true
    case .relation(let relation): !relation.isMany
    case .geopoint, .file, .json, .password, .array: false
    }
  }

  /// Whether a record holds several values of it.
  package var isList: Bool {
    switch self {
    case .array: true
    case .relation(let relation): relation.isMany
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
      false
    }
  }

  /// The relation, if it is one.
  package var relation: Relation? {
    if case .relation(let relation) = self { relation } else { nil }
  }

  /// Whether values of this type are none of another: what happens on deletion is a rule.
  package func isOther(than other: FieldType) -> Bool {
    guard let left = relation, let right = other.relation else { return self != other }
    return left.target != right.target || left.isMany != right.isMany
  }

  /// The type of Swift's or the library's that holds its values.
  package var swiftName: String {
    switch self {
    case .id, .text, .password: "String"
    case .integer: "Int64"
    case .number: "Double"
    case .boolean: "Bool"
    case .datetime: "Timestamp"
    case .geopoint: "GeoPoint"
    case .file: "FileReference"
    case .json: "JSONValue"
    case .relation(let relation): relation.isMany ? "[Reference]" : "Reference"
    case .array(let element): "[\(element.fieldType.swiftName)]"
    }
  }

  /// The type as plans and findings say it.
  package var words: String {
    guard let relation else { return name }
    return "a relation to \(relation.isMany ? "many " : "")\(relation.target)"
  }
}

/// What the elements of an array can be.
public enum ElementType: String, CaseIterable, Hashable, Sendable {
  case text
  case integer
  case number
  case boolean
  case datetime

  /// The type that a field of one such element would have.
  package var fieldType: FieldType {
    switch self {
    case .text: .text
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .datetime: .datetime
    }
  }
}

/// How a field refers to records of a schema.
public struct Relation: Hashable, Sendable {
  /// What happens to a record when the one that it refers to is deleted.
  public enum OnDelete: String, CaseIterable, Hashable, Sendable {
    /// The reference becomes null, or leaves the list.
    case nullify
    /// The record is deleted too.
    case cascade
    /// The deletion is refused.
    case deny
  }

  /// The schema of the records that it refers to.
  public var target: String
  /// Whether it holds many ids, in an order.
  public var isMany: Bool
  /// What happens when the target goes.
  public var onDelete: OnDelete

  public init(to target: String, isMany: Bool = false, onDelete: OnDelete = .nullify) {
    self.target = target
    self.isMany = isMany
    self.onDelete = onDelete
  }
}
