/// What the way of a record needs to know of a field, without a reference to count.
package struct Slot: BitwiseCopyable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
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
    case reference
    case references
    case array
    case system
  }

  package let kind: Kind
  package let hasRules: Bool
  package let isRequired: Bool
  package let hasDefault: Bool

  init(_ field: Field) {
    kind = Kind(field.type)
    hasRules = field.hasRules
    isRequired = field.isRequired
    hasDefault = field.defaultValue != nil
  }

  init(_ field: SystemField) {
    kind = .system
    hasRules = false
    isRequired = false
    hasDefault = false
  }
}

extension Slot.Kind {
  init(_ type: FieldType) {
    switch type {
    case .id: self = .id
    case .text: self = .text
    case .integer: self = .integer
    case .number: self = .number
    case .boolean: self = .boolean
    case .datetime: self = .datetime
    case .geopoint: self = .geopoint
    case .file: self = .file
    case .json: self = .json
    case .password: self = .password
    case .relation(let relation): self = relation.isMany ? .references : .reference
    case .array: self = .array
    }
  }
}
