/// A token of a statement; brackets and their contents are one token.
indirect enum SQLToken: Equatable {
  /// A keyword or unquoted identifier, in lower case.
  case word(String)
  /// A quoted identifier.
  case name(String)
  /// A placeholder for a bound value.
  case parameter
  /// A string or a number.
  case literal
  case mark(Character)
  case brackets([SQLToken])
}

/// A lexer for the SQL that datactl sends; it does not cover all of SQL.
struct SQLTokens {
  private let bytes: [UInt8]
  private var place = 0

  static func of(_ statement: String) -> [SQLToken] {
    var tokens = SQLTokens(bytes: Array(statement.utf8))
    return tokens.read()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func read() -> [SQLToken] {
    var tokens: [SQLToken] = []
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "("):
        place += 1
        tokens.append(.brackets(read()))
      case UInt8(ascii: ")"):
        place += 1
        return tokens
      case UInt8(ascii: "\""): tokens.append(.name(quoted(by: byte)))
      case UInt8(ascii: "'"):
        _ = quoted(by: byte)
        tokens.append(.literal)
      case UInt8(ascii: "$") where isDollarQuote: tokens.append(skipDollarQuote())
      case UInt8(ascii: "$"):
        place += 1
        skip(while: Self.isWordByte)
        tokens.append(.parameter)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        skip { Self.isWordByte($0) || $0 == UInt8(ascii: ".") }
        tokens.append(.literal)
      case _ where Self.isWordByte(byte):
        let start = place
        skip(while: Self.isWordByte)
        tokens.append(.word(String(decoding: bytes[start..<place], as: UTF8.self).lowercased()))
      case UInt8(ascii: " "), UInt8(ascii: "\n"): place += 1
      default:
        tokens.append(.mark(Character(Unicode.Scalar(byte))))
        place += 1
      }
    }
    return tokens
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func skip(while isPart: (UInt8) -> Bool) {
    while place < bytes.count, isPart(bytes[place]) { place += 1 }
  }

  /// Reads a quoted text, in which quotes are doubled.
  private mutating func quoted(by quote: UInt8) -> String {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      if bytes[place] == quote {
        place += 1
        guard place < bytes.count, bytes[place] == quote else { break }
      }
      text.append(bytes[place])
      place += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var isDollarQuote: Bool {
    place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "$")
  }

  private mutating func skipDollarQuote() -> SQLToken {
    place += 2
    while place < bytes.count, !isDollarQuote || bytes[place] != UInt8(ascii: "$") { place += 1 }
    place += 2
    return .literal
  }
}

extension String {
  /// The ways in which a statement may write a column of the table or alias with this name.
  func columns(_ column: String) -> [[SQLToken]] {
    [.name(self), .word(self)].flatMap { owner in
      [[owner, .mark("."), .name(column)], [owner, .mark("."), .word(column)]]
    }
  }
}

extension [SQLToken] {
  /// The tokens with all brackets flattened.
  var flattened: [SQLToken] {
    flatMap { token in
      if case .brackets(let inner) = token { inner.flattened } else { [token] }
    }
  }

  /// Whether the tokens contain an equals sign between one of the left sides and one of the right
  /// sides.
  func hasEquality(of lefts: [[SQLToken]], with rights: [[SQLToken]]) -> Bool {
    indices.contains { place in
      guard self[place] == .mark("=") else { return false }
      return lefts.contains { self[..<place].reversed().starts(with: $0.reversed()) }
        && rights.contains { self[(place + 1)...].starts(with: $0) }
    }
  }
}
