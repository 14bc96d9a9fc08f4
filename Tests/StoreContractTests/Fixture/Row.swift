public import DataModel
import TestSupport

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral integer: Int64) { self = .integer(integer) }
  public init(floatLiteral number: Double) { self = .number(number) }
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral values: Value...) { self = .list(values) }
}

/// A record in a test: field names with their input.
struct Row: ExpressibleByDictionaryLiteral, Sendable, CustomStringConvertible {
  var entries: [(name: String, input: Input)]

  init(dictionaryLiteral entries: (String, Input)...) {
    self.entries = entries.map { (name: $0.0, input: $0.1) }
  }

  var description: String { entries.map { "\($0.name): \($0.input)" }.joined(separator: ", ") }

  /// The input for one field.
  enum Input: Sendable {
    case value(DataModel.Value)
    case add(String)
    case edit(remove: [DataModel.Value] = [], append: [DataModel.Value] = [])
    case file(FileReference, FileContent)
  }
}

extension Row.Input: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral
{
  init(stringLiteral text: String) { self = .value(.text(text)) }
  init(integerLiteral integer: Int64) { self = .value(.integer(integer)) }
  init(floatLiteral number: Double) { self = .value(.number(number)) }
  init(booleanLiteral boolean: Bool) { self = .value(.boolean(boolean)) }
  init(nilLiteral: ()) { self = .value(.null) }
  init(arrayLiteral values: DataModel.Value...) { self = .value(.list(values)) }

  /// Returns a file with these bytes as content.
  static func file(_ name: String, _ bytes: [UInt8]) -> Row.Input {
    .file(FileReference(name, bytes), .bytes(bytes))
  }
}

extension FileReference {
  /// Creates the reference of a text file with these bytes.
  init(_ name: String, _ bytes: [UInt8]) {
    var digest = SHA256()
    digest.update(bytes.span)
    self.init(
      name: name, type: "text/plain", size: Int64(bytes.count), sha256: digest.hexadecimal())
  }
}

extension CalendarDate: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text.utf8.span)
    } catch {
      preconditionFailure("\(text) is no date")
    }
  }
}

extension Timestamp: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text.utf8.span)
    } catch {
      preconditionFailure("\(text) is no datetime")
    }
  }
}

/// A record with the values of all its fields, as a test expects it.
struct Record: Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  var values: [String: Value]

  init(dictionaryLiteral entries: (String, Value)...) {
    values = Dictionary(uniqueKeysWithValues: entries)
  }

  /// Creates a record from a row. Missing cells have no key.
  init(_ rows: Rows, _ row: Int, of schema: Schema) {
    self.init(rows.values(ofRow: row, in: schema))
  }

  init(_ values: [String: Value]) {
    self.values = values
  }

  subscript(name: String) -> Value? { values[name] }

  /// Returns the record with system fields.
  func stamped(
    revision: Int64 = 1, created: Timestamp = StoreFixture.noon, by creator: Value = nil,
    modified: Timestamp = StoreFixture.noon, by modifier: Value = nil
  ) -> Record {
    var record = self
    record.values["revision"] = .integer(revision)
    record.values["created_at"] = .datetime(created)
    record.values["created_by"] = creator
    record.values["modified_at"] = .datetime(modified)
    record.values["modified_by"] = modifier
    return record
  }

  /// The record without its system fields.
  var bare: Record {
    var record = self
    for field in SystemField.allCases { record.values[field.name] = nil }
    return record
  }

  var description: String {
    "[" + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      + "]"
  }
}
