/// The fields that every record has and the store keeps.
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

  /// The type that its values have.
  package var type: FieldType {
    switch self {
    case .createdAt, .modifiedAt: .datetime
    case .createdBy, .modifiedBy: .text
    case .revision: .integer
    }
  }
}
