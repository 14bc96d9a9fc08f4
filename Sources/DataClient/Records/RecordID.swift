internal import Synchronization

/// The value of a primary key.
public struct RecordID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The id as records hold it.
  public var text: String

  /// Takes an id; the save that meets it checks it.
  public init(_ text: String) {
    self.text = text
  }

  /// Takes an id; the save that meets it checks it.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// Makes an id that no other record has: a UUID of version 7, above the one made before.
  public static func new() -> RecordID {
    var bytes: [UInt8] = []
    generator.withLock { $0.next(into: &bytes) }
    return RecordID(String(decoding: bytes, as: UTF8.self))
  }

  /// One generator for the process, so that ids rise whoever makes them.
  private static let generator = Mutex(IDGenerator(clock: { Platform.now().microseconds }))

  /// The id itself.
  public var description: String { text }

  /// Compares the bytes, as stores do.
  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Mixes the bytes in.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The record that a field refers to, by its id.
public struct Reference: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The id of the record.
  public var id: String

  /// Refers to a record by its id.
  public init(_ id: String) {
    self.id = id
  }

  /// Refers to a record by its id.
  public init(_ id: RecordID) {
    self.id = id.text
  }

  /// Refers to a record by its id.
  public init(stringLiteral id: String) {
    self.id = id
  }

  /// Compares the bytes, as stores do.
  public static func == (left: Reference, right: Reference) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8)
  }

  /// Mixes the bytes in.
  public func hash(into hasher: inout Hasher) {
    for byte in id.utf8 { hasher.combine(byte) }
  }
}
