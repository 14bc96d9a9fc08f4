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
  case symbol(Character)
  case brackets([SQLToken])
}

/// A lexer for the SQL that datactl sends; it does not cover all of SQL.
struct SQLLexer {
  private let bytes: [UInt8]
  private var offset = 0

  static func of(_ statement: String) -> [SQLToken] {
    var tokens = SQLLexer(bytes: Array(statement.utf8))
    return tokens.read()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func read() -> [SQLToken] {
    var tokens: [SQLToken] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "("):
        offset += 1
        tokens.append(.brackets(read()))
      case UInt8(ascii: ")"):
        offset += 1
        return tokens
      case UInt8(ascii: "\""): tokens.append(.name(quoted(by: byte)))
      case UInt8(ascii: "'"):
        _ = quoted(by: byte)
        tokens.append(.literal)
      case UInt8(ascii: "$") where isDollarQuote: tokens.append(skipDollarQuote())
      case UInt8(ascii: "$"):
        offset += 1
        skip(while: Self.isWordByte)
        tokens.append(.parameter)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        skip { Self.isWordByte($0) || $0 == UInt8(ascii: ".") }
        tokens.append(.literal)
      case _ where Self.isWordByte(byte):
        let start = offset
        skip(while: Self.isWordByte)
        tokens.append(.word(String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()))
      case UInt8(ascii: " "), UInt8(ascii: "\n"): offset += 1
      default:
        tokens.append(.symbol(Character(Unicode.Scalar(byte))))
        offset += 1
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
    while offset < bytes.count, isPart(bytes[offset]) { offset += 1 }
  }

  /// Reads a quoted text, in which quotes are doubled.
  private mutating func quoted(by quote: UInt8) -> String {
    var text: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      if bytes[offset] == quote {
        offset += 1
        guard offset < bytes.count, bytes[offset] == quote else { break }
      }
      text.append(bytes[offset])
      offset += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var isDollarQuote: Bool {
    offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "$")
  }

  private mutating func skipDollarQuote() -> SQLToken {
    offset += 2
    while offset < bytes.count, !isDollarQuote || bytes[offset] != UInt8(ascii: "$") { offset += 1 }
    offset += 2
    return .literal
  }
}

extension String {
  /// The ways in which a statement may write a column of the table or alias with this name.
  func columns(_ column: String) -> [[SQLToken]] {
    [.name(self), .word(self)].flatMap { owner in
      [[owner, .symbol("."), .name(column)], [owner, .symbol("."), .word(column)]]
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
    indices.contains { offset in
      guard self[offset] == .symbol("=") else { return false }
      return lefts.contains { self[..<offset].reversed().starts(with: $0.reversed()) }
        && rights.contains { self[(offset + 1)...].starts(with: $0) }
    }
  }
}
