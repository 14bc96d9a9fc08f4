import DataModel
import DataStore

/// A statement as SQLite reads it, with the places where values go.
struct RenderedSQL {
  private(set) var text = ""
  /// The values that stand in the statement, with their places.
  private(set) var values: [(place: Int32, value: Value)] = []
  /// The tests that stand in the statement, with their places.
  private(set) var tests: [(place: Int32, test: StoredTest)] = []
  /// The places that are bound for each row, in their order.
  private(set) var parameters: [Int32] = []

  init(_ sql: SQL) {
    var place: Int32 = 0
    for segment in sql.segments {
      switch segment {
      case .words(let words): text += words
      case .name(let name), .table(let name): text += Self.quoted(name)
      case .value(let value):
        place += 1
        text += "?"
        values.append((place, value))
      case .values(let many, _):
        place += 1
        text += "?"
        values.append((place, .list(many.map(\.stored))))
      case .test(let test):
        place += 1
        text += "?"
        tests.append((place, test))
      case .parameter:
        place += 1
        text += "?"
        parameters.append(place)
      }
    }
  }

  /// The one place where a name becomes a part of a statement.
  private static func quoted(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension Value {
  /// The value as it stands in a column that is no text.
  fileprivate var stored: Value {
    switch self {
    case .boolean(let boolean): .integer(boolean ? 1 : 0)
    case .datetime(let time): .integer(time.microseconds)
    case .null, .text, .integer, .number, .geopoint, .file, .json, .list: self
    }
  }
}
