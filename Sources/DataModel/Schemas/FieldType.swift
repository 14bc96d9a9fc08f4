/// The type of a field, which determines the values that it can have.
public enum FieldType: Hashable, Sendable {
  /// The primary key of a record: a string of 1 to 255 bytes.
  case id
  /// Unicode text.
  case text
  /// A 64-bit integer.
  case integer
  /// A 64-bit floating-point number.
  case number
  /// An exact decimal number.
  case decimal(DecimalDigits)
  /// True or false.
  case boolean
  /// A calendar date, without a time or a time zone.
  case date
  /// A point in time, to the microsecond.
  case datetime
  /// A latitude and a longitude.
  case geopoint
  /// A file with its name and media type.
  case file
  /// Any JSON value.
  case json
  /// A password, of which only a hash is stored.
  case password
  /// A reference to a record, or an ordered list of references.
  case relation(Relation)
  /// An ordered list of values.
  case array(ElementType)

  /// What distinguishes this type from the others.
  package var descriptor: TypeDescriptor {
    switch self {
    case .id: .id
    case .text: .text
    case .integer: .integer
    case .number: .number
    case .decimal(let digits): .decimals(digits)
    case .boolean: .boolean
    case .date: .date
    case .datetime: .datetime
    case .geopoint: .geopoint
    case .file: .file
    case .json: .json
    case .password: .password
    case .relation(let relation): relation.isMany ? .relations : .relation
    case .array(.text): .texts
    case .array(.integer): .integers
    case .array(.number): .numbers
    case .array(.boolean): .booleans
    case .array(.date): .dates
    case .array(.datetime): .datetimes
    }
  }

  /// A type of each name, in the order of the manual. What a declaration has besides the name is
  /// arbitrary.
  package static let samples: [FieldType] =
    [
      .id, .text, .integer, .number, .decimal(.widest), .boolean, .date, .datetime, .geopoint,
      .file,
    ]
    + [.json, .password, .relation(Relation(to: ""))] + ElementType.allCases.map(FieldType.array)

  /// Creates the type with the given name. Returns nil if there is none, and for a type whose
  /// declaration has more than its name.
  package init?(_ name: String) {
    guard let type = Self.sample(name), case .nothing = type.descriptor.declaration else {
      return nil
    }
    self = type
  }

  /// Returns a type with the given name, or nil if there is none.
  package static func sample(_ name: String) -> FieldType? {
    names.firstIndex(of: name).map { samples[$0] }
  }

  /// The integers in the declaration of the type; nil if it has none.
  package var integers: TypeDescriptor.Integers? {
    if case .integers(let integers) = descriptor.declaration { integers } else { nil }
  }

  /// The name of the type in schema files.
  public var name: String { descriptor.name }

  /// The type names in schema files, in the order of `samples`. They are listed because each command
  /// compares names with them, and deriving them would create the descriptors of all types.
  package static let names = [
    "id", "text", "integer", "number", "decimal", "boolean", "date", "datetime", "geopoint", "file",
    "json", "password", "relation", "[text]", "[integer]", "[number]", "[boolean]", "[date]",
    "[datetime]",
  ]

  /// Returns a hint for an unknown type name, or nil. The hint suggests a type with a similar name,
  /// or the type that corresponds to a common name, such as `text` for `varchar`.
  package static func hint(for word: String, among names: [String] = names) -> String? {
    let synonym = word.lowercased()
    if synonym == "enum" { return "declare text with \"one_of\" in a schema file" }
    if let example = sample(synonym)?.integers?.example {
      return "for example \(synonym):\(example.map(String.init).joined(separator: ","))"
    }
    let meant = samples.first { $0.descriptor.synonyms.contains(synonym) }
    return (meant?.name ?? nearest(word, among: names)).map { "did you mean \($0)?" }
  }

  /// Whether records can be sorted by a field of this type.
  package var isOrdered: Bool { descriptor.isOrdered }

  /// Whether the value of a field of this type is a list.
  package var isList: Bool { isArray || relation?.isMany == true }

  /// Whether this is the type of an array.
  package var isArray: Bool { if case .array = self { true } else { false } }

  /// Whether values of the type are text. This includes ids and to-one references.
  package var isText: Bool { descriptor.family == .text }

  /// Whether values of the type are dates or datetimes.
  package var isTime: Bool { descriptor.family == .time }

  /// Whether a number can be added to a value of the type.
  package var hasSums: Bool { descriptor.summand != nil }

  /// Whether values of the type are numbers, with or without a fraction.
  package var isNumeric: Bool { descriptor.family == .number }

  /// The relation if this is a relation type; nil for other types.
  package var relation: Relation? {
    if case .relation(let relation) = self { relation } else { nil }
  }

  /// Whether this is the type of a relation to the record that owns a record.
  package var isOwned: Bool {
    if case .relation(let relation) = self { relation.isOwned } else { false }
  }

  /// Whether arithmetic with values of the type is exact, and not that of doubles.
  package var isExact: Bool { self == .integer || digits != nil }

  /// The numbers of digits if this is the type of a decimal; nil for other types.
  package var digits: DecimalDigits? {
    if case .decimal(let digits) = self { digits } else { nil }
  }

  /// The type of a sum of values of this type, or of their opposites: a decimal has 38 digits.
  package var sumType: FieldType {
    digits.flatMap { .computed(scale: $0.scale) }.map(FieldType.decimal) ?? self
  }

  /// The element type of an array, `text` for a relation, and the type itself for all other types.
  package var elementOrSelf: FieldType {
    if case .array(let element) = self { return element.fieldType }
    return relation == nil ? self : .text
  }

  /// Returns whether this type and `other` allow different values, so that stored values must be
  /// converted. Relations with the same target allow the same values if both are to-one or both are
  /// to-many.
  package func hasOtherValues(than other: FieldType) -> Bool {
    guard let left = relation, let right = other.relation else { return self != other }
    return left.target != right.target || left.isMany != right.isMany
  }

  /// The Swift type that generated code uses for values of this type.
  package var swiftName: String {
    // Programs set passwords, although they cannot read them.
    self == .password ? "String" : descriptor.equivalents.swift
  }

  /// The name of the type in migration plans and lint findings, such as `integer`, or `a relation
  /// to person`.
  package var displayName: String {
    if let integers {
      return "\(name)(\(integers.values.map(String.init).joined(separator: ",")))"
    }
    guard let relation else { return name }
    return "a relation to \(relation.isMany ? "many " : "")\(relation.target)"
  }
}

/// The type of the elements of an array.
public enum ElementType: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  /// Unicode text.
  case text
  /// A 64-bit integer.
  case integer
  /// A 64-bit floating-point number.
  case number
  /// True or false.
  case boolean
  /// A calendar date, without a time or a time zone.
  case date
  /// A point in time, to the microsecond.
  case datetime

  /// The field type for a single value of this element type.
  package var fieldType: FieldType {
    switch self {
    case .text: .text
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .date: .date
    case .datetime: .datetime
    }
  }
}

/// The properties of a relation: the target schema, whether a field references one record or
/// several, and what happens when a referenced record is deleted.
public struct Relation: Hashable, Sendable {
  /// What happens to a record when a record that it references is deleted.
  public enum OnDelete: String, CaseIterable, Hashable, Sendable {
    /// The reference is set to null, or removed from the list.
    case nullify
    /// The referencing record is deleted too.
    case cascade
    /// The deletion is rejected with an error.
    case deny
  }

  /// The name of the referenced schema.
  public var target: String
  /// Whether the field has an ordered list of ids instead of a single id.
  public var isMany: Bool
  /// The action when a referenced record is deleted.
  public var onDelete: OnDelete
  /// The name of the inverse relation, or nil if no inverse is declared. Queries on the target
  /// schema use this name to select the referencing records.
  public var inverse: String?
  /// Whether the related record owns the record: it is the whole of which the record is a part.
  public var isOwned = false
  /// In an owned relation, the name of the integer field that orders the parts of a whole; nil if
  /// they are ordered by their ids.
  public var position: String?

  /// Creates a relation.
  ///
  /// - Parameters:
  ///   - target: The name of the referenced schema.
  ///   - isMany: Whether the field has a list of ids.
  ///   - onDelete: The action when a referenced record is deleted.
  ///   - inverse: The name of the inverse relation, or nil. Queries on the target schema use this
  ///     name to select the referencing records.
  public init(
    to target: String, isMany: Bool = false, onDelete: OnDelete = .nullify, inverse: String? = nil
  ) {
    self.target = target
    self.isMany = isMany
    self.onDelete = onDelete
    self.inverse = inverse
  }
}

extension FieldType {
  /// The name of the type with an article, for error messages.
  package var nameWithArticle: String { descriptor.phrases.withArticle }

  /// The description of values of this type in error messages, with an example for structured
  /// types.
  var expectation: String {
    descriptor.phrases.expectation + (relation.map { " of \($0.target)" } ?? "")
  }
}
