internal import Synchronization

/// The value of a primary key.
public struct RecordID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text of the id.
  public var text: String

  /// Creates an id from text. The text is validated when a record with the id is saved.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates an id from a literal. The literal is validated when a record with the id is saved.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// Returns a new unique id: a version 7 UUID that is greater than all ids that this process has
  /// created before.
  public static func new() -> RecordID {
    var bytes: [UInt8] = []
    generator.withLock { $0.next(into: &bytes) }
    return RecordID(String(decoding: bytes, as: UTF8.self))
  }

  /// The generator of new ids. There is only one in a process, so that ids increase even across
  /// threads and clients.
  private static let generator = {
    let now = Environment.process.now
    // If the clock cannot be used, ids are generated with the time 0. They are still unique, and
    // saving a record reports the error of the clock.
    return Mutex(IDGenerator(clock: { (try? now())?.microseconds ?? 0 }))
  }()

  /// The text of the id.
  public var description: String { text }

  /// Compares ids byte by byte, as stores do.
  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes of the id.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// A reference to a record of any schema, by its id.
///
/// ``ReferenceTo`` is a reference to a record of a model type.
public struct Reference: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The id of the referenced record.
  public var id: String

  /// Creates a reference to the record with the given id.
  public init(_ id: String) {
    self.id = id
  }

  /// Creates a reference to the record with the given id.
  public init(_ id: RecordID) {
    self.id = id.text
  }

  /// Creates a reference from a literal id.
  public init(stringLiteral id: String) {
    self.id = id
  }

  /// Compares ids byte by byte, as stores do.
  public static func == (left: Reference, right: Reference) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8)
  }

  /// Hashes the bytes of the id.
  public func hash(into hasher: inout Hasher) {
    for byte in id.utf8 { hasher.combine(byte) }
  }
}

/// A reference to a record of a model type, by its id.
///
/// A property of this type is a relation to the schema of the model type, and contains only the id
/// of the record. To include the record itself, declare a property of the model type.
///
/// ```swift
/// struct Order: Codable, Sendable {
///   var orderID: RecordID
///   var customer: ReferenceTo<Customer>
///   var lines: [Line]
/// }
/// ```
public struct ReferenceTo<Model>: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The id of the referenced record.
  public var id: RecordID {
    didSet { tree = nil }
  }
  /// The referenced record, if the relation was expanded.
  var tree: RecordTree?

  /// Creates a reference to the record with the given id.
  public init(_ id: RecordID) {
    self.id = id
  }

  /// Creates a reference to the record with the given id.
  public init(_ id: String) {
    self.id = RecordID(id)
  }

  /// Creates a typed reference from a reference. The record must belong to the schema of the model
  /// type; this is not checked.
  public init(_ reference: Reference) {
    self.id = RecordID(reference.id)
  }

  /// Creates a reference from an id given as a string literal.
  public init(stringLiteral id: String) {
    self.id = RecordID(id)
  }
}

extension ReferenceTo {
  /// Returns whether two references have the same id.
  public static func == (left: ReferenceTo, right: ReferenceTo) -> Bool { left.id == right.id }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ReferenceTo where Model: Decodable {
  /// The referenced record, if the relation was expanded.
  ///
  /// ```swift
  /// for try await todo in todos.list(expanding: "owner") { print(todo.owner?.record?.name ?? "–") }
  /// ```
  ///
  /// It is nil if the relation was not expanded, if the caller may not read the record, or if the
  /// record cannot be decoded. It is not part of the value: it is neither compared nor encoded.
  public var record: Model? { try? tree?.decode(Model.self) }
}
