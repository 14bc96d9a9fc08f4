/// The facts about a field that are needed to process records, such as whether it is required. A
/// slot contains no reference-counted objects, so copying it is cheap.
package struct Slot: BitwiseCopyable, Sendable {
  /// How the values in the input are read.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The primary key.
    case key
    case text
    /// A string, a number or a boolean, whose type determines its syntax.
    case scalar
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
  package let storage: Storage
  package let textForm: TypeDescriptor.TextForm
  package let hasRules: Bool
  package let isRequired: Bool
  package let hasDefault: Bool
  /// Whether the field defaults to the acting user. A replacement of the record keeps its value.
  package let defaultsToUser: Bool
  /// A text of at most this many bytes is accepted without being checked, because it certainly
  /// satisfies the constraints of the field. If only `max` is declared, this is the value of `max`:
  /// a text has at most as many characters as bytes. It is -1 if every text must be checked.
  package let uncheckedLength: Int

  init(_ field: Field) {
    let descriptor = field.type.descriptor
    kind = descriptor.kind
    storage = descriptor.storage
    textForm = descriptor.textForm
    hasRules = field.hasRules
    isRequired = field.isRequired
    hasDefault = field.hasDefault
    defaultsToUser = field.defaultsToUser
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
    storage = field.type.descriptor.storage
    textForm = field.type.descriptor.textForm
    hasRules = false
    isRequired = false
    hasDefault = false
    defaultsToUser = false
    uncheckedLength = .max
  }
}

/// How the values of a field are set from the input, according to its type.
struct ValueSetter: Sendable {
  let setText: @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>, _ offset: Int?) -> Void
  let setNumber: @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>) -> Void
  /// How the elements are read if the values are lists.
  let element: TypeDescriptor.Element?

  init(_ field: Field) {
    setText = field.type.descriptor.setText
    setNumber = field.type.descriptor.setNumber
    element = field.type.descriptor.element
  }

  init(_ field: SystemField) {
    setText = { changes, slot, text, _ in changes.setSystem(slot, field, text: text) }
    setNumber = { changes, slot, number in changes.setSystem(slot, field, number: number) }
    element = nil
  }
}
