/// A kind of record: its fields, their rules, and how programs name them.
///
/// Having one is the proof that it is valid; only `init(checking:)` makes them.
public struct Schema: Sendable {
  /// What a schema is for.
  public enum Kind: String, CaseIterable, Sendable {
    case records
    /// Its records are the users of the store.
    case user
  }

  /// An index over fields; it always ends with the id.
  public struct Index: Hashable, Sendable {
    public var terms: [OrderTerm]
  }

  /// The schema's name.
  public let name: String
  /// What its records are.
  public let doc: String?
  public let kind: Kind
  /// The fields in the order in which they were declared.
  public let fields: [Field]
  public let indexes: [Index]
  /// Names in program code for fields that the rule does not lead to, in the order of the file.
  public let properties: [(name: String, field: String)]
  /// Where the primary key stands among the fields.
  package let keySlot: Int
  /// The fields and the system fields, flat, for the way of a record.
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

  /// The field that holds the id.
  public var key: Field { fields[keySlot] }

  /// How many cells a row of it has.
  package var width: Int { slots.count }

  /// Where a system field's cell stands in a row.
  package func slot(_ field: SystemField) -> Int { fields.count + field.rawValue }

  /// Where the field stands that a record calls by this name: a field, a property or a system field.
  package func slot(named name: Span<UInt8>) -> Int? { names[name] }

  /// Where the field stands that a record calls by this name.
  package func slot(named name: String) -> Int? { names[name.utf8.span] }

  /// The name under which the value of a slot is printed.
  package func name(of slot: Int) -> String {
    slot < fields.count
      ? fields[slot].name : SystemField.allCases[slot - fields.count].name
  }

  /// The type of the values in a slot.
  package func type(of slot: Int) -> FieldType {
    slot < fields.count
      ? fields[slot].type : SystemField.allCases[slot - fields.count].type
  }

  /// Where the password stands, in a user schema.
  package var passwordSlot: Int? { fields.firstIndex { $0.type == .password } }

  /// Whether the user must name the records: a user's name is nothing that a program makes up.
  package var requiresGivenIDs: Bool { kind == .user }
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

/// A field to order by, and in which direction.
public struct OrderTerm: Hashable, Sendable {
  public var field: String
  public var isDescending: Bool

  public init(_ field: String, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }

  /// Reads `due` as ascending and `-due` as descending.
  public init(text: String) {
    isDescending = text.hasPrefix("-")
    field = isDescending ? String(text.dropFirst()) : text
  }

  /// The term as a schema file writes it.
  public var text: String { isDescending ? "-" + field : field }
}
