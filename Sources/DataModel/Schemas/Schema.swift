/// A validated schema: the fields of a kind of record, their rules, and their names in program
/// code.
///
/// Schemas are only created from validated drafts, so that each instance is valid.
public struct Schema: Sendable {
  /// The purpose of a schema.
  public enum Kind: String, CaseIterable, Sendable {
    case records
    /// The records are the users of the store.
    case user
  }

  /// An index over one or more fields. The store always adds the id as the last one.
  public struct Index: Hashable, Sendable {
    public var terms: [OrderTerm]
  }

  /// The name of the schema.
  public let name: String
  /// The description of the schema.
  public let doc: String?
  public let kind: Kind
  /// The fields, in the order of their declaration.
  public let fields: [Field]
  public let indexes: [Index]
  /// The property names in program code that differ from the default rule, in the order of the
  /// file.
  public let properties: [(name: String, field: String)]
  /// The slot of the primary key.
  package let keySlot: Int
  /// The properties of the fields and system fields that are needed to process records.
  package let slots: [Slot]
  private let names: NameTable

  init(
    name: String, doc: String?, kind: Kind, fields: [Field], indexes: [Index],
    properties: [(name: String, field: String)], keySlot: Int
  ) {
    self.name = name
    self.doc = doc
    self.kind = kind
    self.fields = fields
    self.indexes = indexes
    self.properties = properties
    self.keySlot = keySlot
    slots = fields.map(Slot.init) + SystemField.allCases.map(Slot.init)
    names = NameTable(fields: fields, properties: properties)
  }

  /// The primary key field.
  public var key: Field { fields[keySlot] }

  /// The number of cells in a row.
  package var width: Int { slots.count }

  /// Returns the slot of a system field.
  package func slot(_ field: SystemField) -> Int { fields.count + field.rawValue }

  /// Returns the slot for a name in a record: a field, a property, or a system field.
  package func slot(named name: Span<UInt8>) -> Int? { names[name] }

  /// Returns the slot for a name in a record: a field, a property, or a system field.
  package func slot(named name: String) -> Int? { names[name.utf8.span] }

  /// Returns the name under which the value of a slot is printed.
  package func name(of slot: Int) -> String {
    slot < fields.count
      ? fields[slot].name : SystemField.allCases[slot - fields.count].name
  }

  /// Returns the type of the values in a slot.
  package func type(of slot: Int) -> FieldType {
    slot < fields.count
      ? fields[slot].type : SystemField.allCases[slot - fields.count].type
  }

  /// The slot of the password in a user schema, or nil.
  package var passwordSlot: Int? { fields.firstIndex { $0.type == .password } }

  /// Whether records must be created with an id. The ids of users are user names, which cannot be
  /// generated.
  package var requiresExplicitIDs: Bool { kind == .user }
}

extension Schema: Hashable {
  public static func == (left: Schema, right: Schema) -> Bool {
    left.name == right.name && left.doc == right.doc && left.kind == right.kind
      && left.fields == right.fields && left.indexes == right.indexes
      && left.properties.elementsEqual(right.properties, by: ==)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(fields)
  }
}

/// A field to sort by, and the direction.
public struct OrderTerm: Hashable, Sendable {
  public var field: String
  public var isDescending: Bool

  public init(_ field: String, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }

  /// Parses `due` as ascending and `-due` as descending.
  public init(text: String) {
    isDescending = text.hasPrefix("-")
    field = isDescending ? String(text.dropFirst()) : text
  }

  /// The term in the syntax of schema files.
  public var text: String { isDescending ? "-" + field : field }
}
