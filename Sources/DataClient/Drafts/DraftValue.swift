public import DataText

/// A value of a draft: a literal, one of the library's types, or an operation on what is stored.
///
/// ```swift
/// let tea: Draft = ["title": "tea", "price": 4.5, "tags": ["green", "loose"], "due": nil]
/// let sale: Draft = ["product_id": "tea", "stock": .add(-3), "tags": .append(["sale"])]
/// ```
public struct DraftValue: Hashable, Sendable {
  indirect enum Form: Hashable, Sendable {
    case null
    /// A property without a value: null, but for ids, passwords and what the store keeps itself, of
    /// which it says nothing.
    case none
    case text(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case datetime(Timestamp)
    case point(GeoPoint)
    case file(FileReference)
    case upload(NewFile)
    case list([DraftValue])
    case object([Draft.Entry])
    /// Any JSON, as a record holds it: as its text.
    case json(String)
    /// Any JSON, as a program puts it together.
    case tree(JSONValue)
    case add(DraftValue)
    case edit(removing: [DraftValue], appending: [DraftValue])
  }

  let form: Form

  /// Clears the field.
  public static var null: DraftValue { DraftValue(form: .null) }

  /// A text, an id, or the id that a relation holds.
  public static func text(_ text: String) -> DraftValue { DraftValue(form: .text(text)) }

  /// An integer.
  public static func integer(_ integer: Int64) -> DraftValue { DraftValue(form: .integer(integer)) }

  /// A number.
  public static func number(_ number: Double) -> DraftValue { DraftValue(form: .number(number)) }

  /// True or false.
  public static func boolean(_ boolean: Bool) -> DraftValue { DraftValue(form: .boolean(boolean)) }

  /// A moment.
  public static func datetime(_ time: Timestamp) -> DraftValue { DraftValue(form: .datetime(time)) }

  /// A place on the earth.
  public static func geopoint(_ point: GeoPoint) -> DraftValue { DraftValue(form: .point(point)) }

  /// What a record says of a file whose content is in the store already.
  public static func file(_ file: FileReference) -> DraftValue { DraftValue(form: .file(file)) }

  /// A file with its content.
  public static func file(_ file: NewFile) -> DraftValue { DraftValue(form: .upload(file)) }

  /// The values of an array, or the ids of a to-many relation.
  public static func list(_ values: [DraftValue]) -> DraftValue { DraftValue(form: .list(values)) }

  /// Any JSON.
  public static func json(_ value: JSONValue) -> DraftValue { DraftValue(form: .tree(value)) }

  /// The record that a relation refers to.
  public static func reference(_ reference: Reference) -> DraftValue {
    DraftValue(form: .text(reference.id))
  }

  /// Adds to the number that is stored; null counts as 0.
  public static func add(_ amount: Int) -> DraftValue {
    DraftValue(form: .add(.integer(Int64(amount))))
  }

  /// Adds to the number that is stored; null counts as 0.
  public static func add(_ amount: Double) -> DraftValue { DraftValue(form: .add(.number(amount))) }

  /// Appends to the list that is stored; a to-many relation keeps the place of an id it has.
  public static func append(_ values: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: [], appending: values))
  }

  /// Removes from the list that is stored, every time that it holds them.
  public static func remove(_ values: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: values, appending: []))
  }

  /// Removes from the list that is stored, then appends to it.
  public static func edit(remove: [DraftValue], append: [DraftValue]) -> DraftValue {
    DraftValue(form: .edit(removing: remove, appending: append))
  }
}

/// A file that comes with its content.
public struct NewFile: Hashable, Sendable {
  /// The file's name, without a folder.
  public var name: String
  /// Its media type, such as `image/png`.
  public var type: String
  /// Its bytes.
  public var content: [UInt8]

  /// Makes a file of bytes.
  public init(name: String, type: String = "application/octet-stream", content: [UInt8]) {
    self.name = name
    self.type = type
    self.content = content
  }
}
