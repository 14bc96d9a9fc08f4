public import JSONText

/// The value of a field in a draft: a literal, one of the library's types, or an operation on the
/// stored value.
///
/// ```swift
/// let tea: Draft = ["title": "tea", "price": 4.5, "tags": ["green", "loose"], "due": nil]
/// let sale: Draft = ["product_id": "tea", "stock": .add(-3), "tags": .append(["sale"])]
/// ```
public struct DraftValue: Hashable, Sendable {
  indirect enum Form: Hashable, Sendable {
    /// A value of the model that is not a list. The elements of a list can be drafts, so a list has a
    /// case of its own.
    case value(DataModel.Value)
    /// A property that is nil. It is saved as null, or as an empty list in a to-many relation. Ids,
    /// passwords and system fields are omitted.
    case none
    case upload(NewFile)
    case list([DraftValue])
    case object([Draft.Entry])
    /// A parsed JSON value. Drafts created by programs contain parsed JSON values, and fetched
    /// records contain JSON values as text.
    case tree(JSONValue)
    /// A related record. This case occurs only when a record is decoded as a model type that
    /// contains other records.
    case record(RecordTree)
    case add(DraftValue)
    case edit(removing: [DraftValue], appending: [DraftValue])
  }

  let form: Form

  /// The null value, which clears the field.
  public static var null: DraftValue { DraftValue(.null) }

  /// Returns a text value. Ids and references are also text values.
  public static func text(_ text: String) -> DraftValue { DraftValue(.text(text)) }

  /// Returns an integer, for `integer` and `number` fields.
  public static func integer(_ integer: Int64) -> DraftValue { DraftValue(.integer(integer)) }

  /// Returns a floating-point number, for `number` fields.
  public static func number(_ number: Double) -> DraftValue { DraftValue(.number(number)) }

  /// Returns a decimal, for `decimal` fields.
  public static func decimal(_ decimal: DecimalValue) -> DraftValue {
    // JSON can be decoded as any type of number.
    DraftValue(.json(decimal.description))
  }

  /// Returns a boolean, for `boolean` fields.
  public static func boolean(_ boolean: Bool) -> DraftValue { DraftValue(.boolean(boolean)) }

  /// Returns a calendar date without a time, for `date` fields.
  public static func date(_ date: CalendarDate) -> DraftValue { DraftValue(.date(date)) }

  /// Returns a point in time, for `datetime` fields.
  public static func datetime(_ time: Timestamp) -> DraftValue { DraftValue(.datetime(time)) }

  /// Returns a geographic point, for `geopoint` fields.
  public static func geopoint(_ point: GeoPoint) -> DraftValue { DraftValue(.geopoint(point)) }

  /// Returns a reference to a file whose content is already in the store.
  public static func file(_ file: FileReference) -> DraftValue { DraftValue(.file(file)) }

  /// Returns a new file, whose content is stored when the draft is saved.
  public static func file(_ file: NewFile) -> DraftValue { DraftValue(form: .upload(file)) }

  /// Returns a list: the elements of an array, or the ids of a to-many relation.
  public static func list(_ values: [DraftValue]) -> DraftValue { DraftValue(form: .list(values)) }

  /// Returns a JSON value, for `json` fields.
  public static func json(_ value: JSONValue) -> DraftValue { DraftValue(form: .tree(value)) }

  /// Returns a reference to a record, for relation fields.
  public static func reference(_ reference: Reference) -> DraftValue {
    DraftValue(.text(reference.id))
  }

  /// Returns an operation that adds an amount to the stored integer. Null counts as 0.
  public static func add(_ amount: Int) -> DraftValue {
    DraftValue(form: .add(.integer(Int64(amount))))
  }

  /// Returns an operation that adds an amount to the stored number. Null counts as 0.
  public static func add(_ amount: Double) -> DraftValue { DraftValue(form: .add(.number(amount))) }

  /// Returns an operation that adds an amount to the stored decimal. Null counts as 0.
  public static func add(_ amount: DecimalValue) -> DraftValue {
    DraftValue(form: .add(.decimal(amount)))
  }

  /// Returns an operation that appends values to the stored list. Ids that are already in a to-many
  /// relation are not appended again.
  public static func append(_ values: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: [], appending: values))
  }

  /// Returns an operation that removes all occurrences of the given values from the stored list.
  public static func remove(_ values: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: values, appending: []))
  }

  /// Returns an operation that removes values from the stored list and then appends values to it.
  ///
  /// - Parameters:
  ///   - remove: The values to remove. All occurrences are removed.
  ///   - append: The values to append.
  public static func edit(remove: [DraftValue], append: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: remove, appending: append))
  }
}

/// A file with its content, to be saved in a `file` field.
public struct NewFile: Hashable, Sendable {
  /// The name of the file, without a folder.
  public var name: String
  /// The media type, such as `image/png`.
  public var type: String
  /// The bytes of the file.
  public var content: [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without a folder.
  ///   - type: The media type.
  ///   - content: The bytes of the file.
  public init(name: String, type: String = "application/octet-stream", content: [UInt8]) {
    self.name = name
    self.type = type
    self.content = content
  }
}

extension DraftValue: ExpressibleByNilLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a null value, which clears the field.
  public init(nilLiteral: ()) { self.init(.null) }

  /// Creates a text value from a literal. Ids, dates and datetimes can also be written as text.
  public init(stringLiteral text: String) { self.init(.text(text)) }

  /// Creates an integer from a literal, for `integer` and `number` fields.
  public init(integerLiteral integer: Int64) { self.init(.integer(integer)) }

  /// Creates a floating-point number from a literal, for `number` fields.
  public init(floatLiteral number: Double) { self.init(.number(number)) }

  /// Creates a boolean from a literal, for `boolean` fields.
  public init(booleanLiteral boolean: Bool) { self.init(.boolean(boolean)) }

  /// Creates a list: the elements of an array, or the ids of a to-many relation.
  public init(arrayLiteral values: DraftValue...) { self.init(form: .list(values)) }

  /// Creates an object: a value for a `json` field, or the JSON representation of a point or file.
  public init(dictionaryLiteral members: (String, DraftValue)...) {
    self.init(form: .object(members.map { Draft.Entry(name: $0.0, value: $0.1) }))
  }
}

extension DraftValue {
  /// Creates a draft value from the value of a field in a record.
  public init(_ value: DataModel.Value) {
    if case .list(let values) = value {
      self.init(form: .list(values.map { DraftValue($0) }))
    } else if case .decimal(let decimal) = value {
      self = .decimal(decimal)
    } else {
      self.init(form: .value(value))
    }
  }
}
