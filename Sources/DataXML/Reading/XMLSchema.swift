import DataModel
import DataText

/// How a value is read from XML.
enum XMLType: BitwiseCopyable, Sendable {
  /// A value that is the text of its element or attribute.
  enum Scalar: BitwiseCopyable, Sendable {
    case text
    case number
    case boolean
    /// The text is JSON.
    case json
    /// The type is inferred from the text.
    case any
  }

  case scalar(Scalar)
  case list(Scalar)
  case geopoint
  case file
  /// An id or a record.
  case reference
  case references

  init(_ type: FieldType) {
    switch type {
    case .id, .text, .datetime, .password: self = .scalar(.text)
    case .integer, .number: self = .scalar(.number)
    case .boolean: self = .scalar(.boolean)
    case .json: self = .scalar(.json)
    case .geopoint: self = .geopoint
    case .file: self = .file
    case .relation(let relation): self = relation.isMany ? .references : .reference
    case .array(let element):
      switch element {
      case .text, .datetime: self = .list(.text)
      case .integer, .number: self = .list(.number)
      case .boolean: self = .list(.boolean)
      }
    }
  }
}

/// The names of a schema, as they occur in XML.
struct XMLSchema: Sendable {
  /// A field or system field.
  struct Member: Sendable {
    let slot: Int
    let type: XMLType
    /// The name in quotation marks and a colon.
    let key: [UInt8]
  }

  let schema: Schema
  private var members: [Member] = []
  /// The indexes in `members`, by the address of the name. libxml2 has one address for each name of
  /// a document.
  private var indexes: [UInt: Int] = [:]

  init(_ schema: Schema) {
    self.schema = schema
  }

  /// Returns the member with a name, or nil if the schema has no such field.
  mutating func member(_ address: UInt, _ name: Span<UInt8>) -> Member? {
    if let index = indexes[address] { return members[index] }
    guard let slot = schema.slot(named: name) else { return nil }
    var key: [UInt8] = []
    JSONQuote.append(name, to: &key)
    key.append(UInt8(ascii: ":"))
    indexes[address] = members.count
    members.append(Member(slot: slot, type: XMLType(schema.type(of: slot)), key: key))
    return members.last
  }
}
