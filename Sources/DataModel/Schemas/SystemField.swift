/// The fields that every record has and that the store maintains.
package enum SystemField: Int, CaseIterable, Sendable {
  case createdAt
  case createdBy
  case modifiedAt
  case modifiedBy
  case revision

  package var name: String {
    switch self {
    case .createdAt: "created_at"
    case .createdBy: "created_by"
    case .modifiedAt: "modified_at"
    case .modifiedBy: "modified_by"
    case .revision: "revision"
    }
  }

  /// The field name that replaces the name of this system field when data is imported from another
  /// system. For `created_at`, it is `original_created_at`.
  package var originalName: String { "original_" + name }

  /// Creates the field with the given name. Returns nil if no system field has the name.
  package init?(named name: String) {
    guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = field
  }

  /// The type of the field's values.
  package var type: FieldType {
    switch self {
    case .createdAt, .modifiedAt: .datetime
    case .createdBy, .modifiedBy: .text
    case .revision: .integer
    }
  }
}
