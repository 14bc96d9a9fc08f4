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

  /// The type of the field's values.
  package var type: FieldType {
    switch self {
    case .createdAt, .modifiedAt: .datetime
    case .createdBy, .modifiedBy: .text
    case .revision: .integer
    }
  }
}
