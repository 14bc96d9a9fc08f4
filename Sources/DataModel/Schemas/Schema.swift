import JSONText

/// A validated schema: the fields of a kind of record, their rules, and their names in program
/// code.
///
/// Schemas are only created from validated drafts, so that each instance is valid.
public struct Schema: Sendable {
  /// The purpose of a schema: ordinary records, or the users of the store.
  public enum Kind: String, CaseIterable, Sendable {
    /// The records have no special meaning.
    case records
    /// The records are the users of the store.
    case user
  }

  /// An index over one or more fields. The store always adds the id as the last field.
  public struct Index: Hashable, Sendable {
    /// The indexed fields, in the order in which the index sorts by them.
    public var terms: [OrderTerm]
  }

  /// The name of the schema.
  public let name: String
  /// A description of the schema for people, or nil if there is none.
  public let doc: String?
  /// The purpose of the schema: ordinary records, or the users of the store.
  public let kind: Kind
  /// The fields, in the order of their declaration.
  public let fields: [Field]
  /// The declared indexes, in the order of their declaration.
  public let indexes: [Index]
  /// The declared properties, in order: names by which programs refer to fields. They replace the
  /// default property names, such as `yearBorn` for `year_born`.
  public let properties: [(name: String, field: String)]
  /// The access rules for the records.
  public let access: AccessRules
  /// In the user schema, the name of the field with the roles of a user; nil if users have no
  /// roles.
  public let roles: String?
  /// In the user schema, the name of the boolean field that is true for disabled users, who cannot
  /// log in; nil if users cannot be disabled.
  public let disabled: String?
  /// The parts of the schema that are visible to a caller, or nil if all parts are visible.
  package let visibility: SchemaVisibility?
  /// The slot of the primary key (its index in the fields).
  package let keySlot: Int
  /// For each field and system field, the facts that are needed to process records. The index in
  /// this array is called the slot of the field.
  package let slots: [Slot]
  /// The slot of the relation to the record that owns a record; nil if the records are no parts.
  package let ownerSlot: Int?
  /// The setters for the values in the slots.
  let setters: [ValueSetter]
  private let names: NameTable

  init(
    name: String, doc: String?, kind: Kind, fields: [Field], indexes: [Index],
    properties: [(name: String, field: String)], keySlot: Int,
    access: AccessRules = AccessRules(), roles: String? = nil, disabled: String? = nil,
    visibility: SchemaVisibility? = nil
  ) {
    self.name = name
    self.doc = doc
    self.kind = kind
    self.fields = fields
    self.indexes = indexes
    self.properties = properties
    self.keySlot = keySlot
    self.access = access
    self.roles = roles
    self.disabled = disabled
    self.visibility = visibility
    slots = fields.map(Slot.init) + SystemField.allCases.map(Slot.init)
    ownerSlot = fields.firstIndex { $0.type.isOwned }
    setters = fields.map(ValueSetter.init) + SystemField.allCases.map(ValueSetter.init)
    names = NameTable(
      fields: fields, properties: properties, keySlot: keySlot,
      hiddenSlots: visibility?.hiddenSlots ?? [])
  }

  /// The primary key field.
  public var key: Field { fields[keySlot] }

  /// The number of cells in a row: one for each field and system field.
  package var width: Int { slots.count }

  /// Returns the slot of a system field.
  package func slot(_ field: SystemField) -> Int { fields.count + field.rawValue }

  /// Returns the slot of the field that a name refers to, or nil if the name is unknown. The name
  /// can be that of a field, a property, or a system field.
  package func slot(named name: Span<UInt8>) -> Int? { names[name] }

  /// Returns the slot of the field that a name refers to, or nil if the name is unknown. The name
  /// can be that of a field, a property, or a system field.
  package func slot(named name: String) -> Int? { names[name.utf8.span] }

  /// Returns the name of the field or system field in a slot, as it appears in output.
  package func name(of slot: Int) -> String {
    slot < fields.count
      ? fields[slot].name : SystemField.allCases[slot - fields.count].name
  }

  /// Returns the type of the field or system field in a slot.
  package func type(of slot: Int) -> FieldType {
    slot < fields.count
      ? fields[slot].type : SystemField.allCases[slot - fields.count].type
  }

  /// The slot of the password in a user schema, or nil in other schemas.
  package var passwordSlot: Int? { fields.firstIndex { $0.type == .password } }

  /// The slot of the field with the roles of a user; nil if users have no roles.
  package var rolesSlot: Int? { roles.flatMap { name in fields.firstIndex { $0.name == name } } }

  /// The slot of the field that is true for disabled users; nil if users cannot be disabled.
  package var disabledSlot: Int? {
    disabled.flatMap { name in fields.firstIndex { $0.name == name } }
  }

  /// The relation to the record that owns a record; nil if the records are no parts.
  package var ownership: Relation? { ownerSlot.flatMap { fields[$0].type.relation } }

  /// The slot of the field that orders the parts of a whole; nil if their ids do.
  package var positionSlot: Int? {
    ownership?.position.flatMap { name in fields.firstIndex { $0.name == name } }
  }

  /// Whether new records must be given an id. True for users, because their ids are user names,
  /// which cannot be generated.
  package var requiresExplicitIDs: Bool { kind == .user }
}

extension Schema: Hashable {
  public static func == (left: Schema, right: Schema) -> Bool {
    left.name == right.name && left.doc == right.doc && left.kind == right.kind
      && left.fields == right.fields && left.indexes == right.indexes
      && left.properties.elementsEqual(right.properties, by: ==) && left.access == right.access
      && left.roles == right.roles && left.disabled == right.disabled
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(fields)
  }
}

/// A field to sort by, and the direction.
public struct OrderTerm: Hashable, Sendable {
  /// The name of the field to sort by. In queries, it can be a path with dots. If the term has an
  /// expression, this is the text of the expression.
  public var field: String
  /// Whether larger values come first.
  public var isDescending: Bool
  /// The expression to sort by instead of a field, or nil to sort by the field. Only terms of
  /// queries can have an expression.
  package private(set) var expression: Expression?

  /// Creates a term that sorts by a field.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - isDescending: Whether larger values come first.
  public init(_ field: String, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }

  /// Creates a term that sorts by an expression.
  ///
  /// - Parameter text: The text of the expression, which becomes the name of the term.
  package init(_ expression: Expression, text: String, isDescending: Bool = false) {
    self.init(text, isDescending: isDescending)
    self.expression = expression
  }

  /// The value to sort by: the expression, or the field. A field name with dots is a path.
  package var value: Expression { expression ?? .path(FieldPath(dotted: field)) }

  /// Parses a term in the syntax of schema files: `due` is ascending, and `-due` is descending.
  public init(text: String) {
    isDescending = text.hasPrefix("-")
    field = isDescending ? String(text.dropFirst()) : text
  }

  /// The term in the syntax of schema files: `due` or `-due`.
  public var text: String { isDescending ? "-" + field : field }
}

extension Schema {
  /// The slots of the indexed fields: one array for each unique field and each declared index.
  package var indexedSlots: [[Int]] {
    let unique = fields.indices.filter { fields[$0].isUnique }.map { [$0] }
    let declared = indexes.map { index in
      index.terms.compactMap { term in fields.firstIndex { $0.name == term.field } }
    }
    return unique + declared
  }

  /// Returns whether a store has an index that starts with a relation and contains the fields in
  /// the given slots. `slots` can include the primary key, because every index contains it.
  package func hasIndex(on relation: Int, containing slots: [Int]) -> Bool {
    let others = Set(slots).subtracting([relation, keySlot])
    return others.isEmpty && hasIndex(beginningWith: relation)
      || indexedSlots.contains { $0.first == relation && others.isSubset(of: $0) }
  }

  /// Returns whether a store has an index that starts with the field in a slot: a declared index,
  /// or one that the store creates for keys, references, and unique fields.
  package func hasIndex(beginningWith slot: Int) -> Bool {
    slot == keySlot || slots[slot].kind == .reference
      || indexedSlots.contains { $0.first == slot }
  }
}

extension Names {
  /// Converts a property name to its default field name, such as `personID` to `person_id`. Returns
  /// nil if the property name is not valid.
  package static func fieldName(ofProperty name: String) -> String? {
    isProperty(name) ? suggested(for: name) : nil
  }
}

extension Schema {
  /// Returns the slot of the field that a property name refers to. The name can be the field name,
  /// a property name that the schema declares, or the default property name, such as `personID` for
  /// `person_id`.
  package func slot(ofProperty name: String) -> Int? {
    slot(named: name) ?? Names.fieldName(ofProperty: name).flatMap { slot(named: $0) }
  }
}

extension Schema {
  /// The built-in schema of stored functions. Every store has it, and it cannot be declared.
  package static let function = Schema(
    name: functionName, doc: "A stored query, which programs run by its id.", kind: .records,
    fields: [
      Field("function_id", .id, doc: "The id by which programs run it."),
      Field("function_name", .text, doc: "A label."),
      Field(
        "function_type", .text,
        doc: "SQLiteQuery or RDSQuery, which are equivalent; optional."),
      Field("item_type", .text, isRequired: true, doc: "The schema of the returned records."),
      Field(
        "function", .json, isRequired: true,
        doc:
          "The query: selectCore, tableAlias, containsWhere, orderedBy, segmentedBy, faultBlocks."
      ),
      Field("extra", .json, doc: "Any other JSON."),
    ],
    indexes: [], properties: [], keySlot: 0)

  /// The name of the schema of stored functions.
  static let functionName = "function"

  /// The names that no schema can have.
  package static let reservedNames = (FieldType.names + [functionName]).filter(isReserved)

  /// Returns whether no schema can have the name. The names of newer types are not reserved, because
  /// a store may contain a schema with such a name that was created before the type existed.
  static func isReserved(_ name: String) -> Bool {
    FieldType.names.contains(name) ? !isReservedForNewSchemas(name) : name == functionName
  }

  /// Returns whether a schema in a store can keep the name, but a new schema cannot have it.
  package static func isReservedForNewSchemas(_ name: String) -> Bool {
    guard let type = FieldType.sample(name) else { return false }
    return !type.isArray && type.descriptor.storeFormat > 1
  }

  /// Whether the schema is built in instead of declared.
  package var isBuiltIn: Bool { name == Schema.functionName }
}

/// A hash table from names to numbers, such as from the names of fields, properties, and system
/// fields to slots. It is searched by UTF-8 bytes, without allocating a string.
package struct NameTable: Sendable {
  private var buckets: [Int32]
  private var entries: [(name: [UInt8], slot: Int)] = []
  private let mask: Int

  /// Creates the name table of a schema. If the property name of the primary key ends in `Id`, the
  /// table also contains the variant that ends in `ID`, such as `todoID`.
  init(
    fields: [Field], properties: [(name: String, field: String)], keySlot: Int,
    hiddenSlots: Set<Int>
  ) {
    self.init(capacity: 2 * fields.count + SystemField.allCases.count + properties.count + 1)
    for (slot, field) in fields.enumerated() { add(field.name, slot) }
    for field in SystemField.allCases { add(field.name, fields.count + field.rawValue) }
    for property in properties {
      guard let slot = self[property.field.utf8.span], slot < fields.count else { continue }
      add(property.name, slot)
    }
    for (slot, field) in fields.enumerated() { addMissing(Names.property(for: field.name), slot) }
    addMissing(Names.property(forKey: fields[keySlot].name), keySlot)
    if hiddenSlots.isEmpty { return }
    let shown = entries.filter { !hiddenSlots.contains($0.slot) }
    self.init(capacity: shown.count)
    for entry in shown { add(entry.name, entry.slot) }
  }

  /// Creates a table from pairs of a name and its number. The names must be distinct.
  package init(_ names: [(String, Int)]) {
    self.init(capacity: names.count)
    for (name, slot) in names { add(name, slot) }
  }

  private init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    mask = size - 1
    buckets = Array(repeating: -1, count: size)
  }

  private mutating func add(_ name: String, _ slot: Int) { add(Array(name.utf8), slot) }

  private mutating func addMissing(_ name: String, _ slot: Int) {
    if self[name.utf8.span] == nil { add(name, slot) }
  }

  private mutating func add(_ name: [UInt8], _ slot: Int) {
    var bucket = Self.hash(name.span) & mask
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & mask }
    buckets[bucket] = Int32(entries.count)
    entries.append((name, slot))
  }

  package subscript(name: Span<UInt8>) -> Int? {
    var bucket = Self.hash(name) & mask
    while buckets[bucket] >= 0 {
      let index = Int(buckets[bucket])
      if name.isEqual(toBytes: entries[index].name) { return entries[index].slot }
      bucket = (bucket + 1) & mask
    }
    return nil
  }

  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for index in name.indices { hash = (hash ^ UInt32(name[index])) &* 16_777_619 }
    return Int(hash)
  }
}
