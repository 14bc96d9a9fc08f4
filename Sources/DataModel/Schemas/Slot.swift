/// The facts about a field that are needed to process records, such as whether it is required. A
/// slot contains no reference-counted objects, so copying it is cheap.
package struct Slot: BitwiseCopyable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    case id
    case text
    case integer
    case number
    case boolean
    case date
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
  /// A text of at most this many bytes is accepted without being checked, because it certainly
  /// satisfies the constraints of the field. If only `max` is declared, this is the value of `max`:
  /// a text has at most as many characters as bytes. It is -1 if every text must be checked.
  package let uncheckedLength: Int

  init(_ field: Field) {
    kind = Kind(field.type)
    hasRules = field.hasRules
    isRequired = field.isRequired
    hasDefault = field.defaultValue != nil
    if case .integer(let upperBound) = field.maximum, field.minimum == nil, field.oneOf.isEmpty,
      field.pattern == nil
    {
      uncheckedLength = Int(upperBound)
    } else {
      uncheckedLength = field.hasRules ? -1 : .max
    }
  }

  init(_ field: SystemField) {
    kind = .system
    hasRules = false
    isRequired = false
    hasDefault = false
    uncheckedLength = .max
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
    case .date: self = .date
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
