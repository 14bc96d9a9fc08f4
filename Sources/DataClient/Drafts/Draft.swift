/// The fields of a record to save, keyed by field or property name.
///
/// ```swift
/// var joe: Draft = ["name": "Joe", "age": 25]
/// joe.assignID(in: "person")
/// ```
///
/// A draft is not validated until it is saved. A save validates it like a record from JSON and
/// reports all problems at once.
public struct Draft: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  struct Entry: Hashable, Sendable {
    var name: String
    var value: DraftValue
  }

  private(set) var entries: [Entry] = []

  /// Creates an empty draft.
  public init() {}

  /// Creates a draft from field names and values.
  public init(dictionaryLiteral elements: (String, DraftValue)...) {
    entries = elements.map { Entry(name: $0.0, value: $0.1) }
  }

  init(entries: [Entry]) {
    self.entries = entries
  }

  /// The value for a field or property.
  ///
  /// If the value is set to nil, it is removed from the draft, and saving the draft leaves the
  /// field unchanged. To clear the field in the store, set `.null`.
  public subscript(name: String) -> DraftValue? {
    get { entries.first { $0.name == name }?.value }
    set {
      let index = entries.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (nil, let value?): entries.append(Entry(name: name, value: value))
      case (_, nil): entries.removeAll { $0.name == name }
      }
    }
  }

  /// The field and property names of the draft, in order.
  public var names: [String] { entries.map(\.name) }

  /// Assigns a new id to the record, unless the draft already contains an id. In the schema `todo`,
  /// the id is the value of the field `todo_id`.
  ///
  /// A record without an id cannot be saved. Do not call this method for a user schema: set the
  /// primary key to the user's name instead.
  ///
  /// - Parameter schema: The name of the schema.
  public mutating func assignID(in schema: String) {
    assignID(.new(), in: schema)
  }

  /// Assigns the given id to the record, unless the draft already contains an id.
  mutating func assignID(_ id: @autoclosure () -> RecordID, in schema: String) {
    let name = schema + "_id"
    let hasID = entries.contains { entry in
      entry.name == name || Names.fieldName(ofProperty: entry.name) == name
    }
    if !hasID { entries.insert(Entry(name: name, value: .text(id().text)), at: 0) }
  }
}

extension Draft: CustomStringConvertible {
  /// The fields as JSON. Operations such as `.add(1)`, and files, have the form that `datactl save`
  /// accepts.
  public var description: String { DraftValue(form: .object(entries)).jsonText }
}
