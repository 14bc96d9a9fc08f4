/// A record in the making: names and values, as program code writes them.
///
/// ```swift
/// var joe: Draft = ["name": "Joe", "age": 25]
/// joe.assignID(in: "person")
/// ```
///
/// Nothing is checked here. A save checks the draft against its schema, by the same path as a
/// record that came as JSON, and reports everything that is wrong with it at once.
public struct Draft: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  struct Entry: Hashable, Sendable {
    var name: String
    var value: DraftValue
  }

  private(set) var entries: [Entry] = []

  /// Makes a draft that says nothing yet.
  public init() {}

  /// Makes a draft of names and values.
  public init(dictionaryLiteral elements: (String, DraftValue)...) {
    entries = elements.map { Entry(name: $0.0, value: $0.1) }
  }

  init(entries: [Entry]) {
    self.entries = entries
  }

  /// The value that the draft gives a field or a property; nil takes what it says back.
  ///
  /// To clear a field in the store, give it `.null`.
  public subscript(name: String) -> DraftValue? {
    get { entries.first { $0.name == name }?.value }
    set {
      let place = entries.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): entries[place].value = value
      case (nil, let value?): entries.append(Entry(name: name, value: value))
      case (_, nil): entries.removeAll { $0.name == name }
      }
    }
  }

  /// The names that the draft gives values for, in their order.
  public var names: [String] { entries.map(\.name) }

  /// Gives the record an id, unless it has one: `todo_id` in the schema `todo`.
  ///
  /// Ids are assigned before saving, since a record without one is refused. Users are named by
  /// people: in a user schema, give the name instead.
  public mutating func assignID(in schema: String) {
    assignID(.new(), in: schema)
  }

  /// Gives the record this id, unless it has one.
  mutating func assignID(_ id: @autoclosure () -> RecordID, in schema: String) {
    let name = schema + "_id"
    let hasID = entries.contains { entry in
      entry.name == name || Names.fieldName(ofProperty: entry.name) == name
    }
    if !hasID { entries.insert(Entry(name: name, value: .text(id().text)), at: 0) }
  }
}
