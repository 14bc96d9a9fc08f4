internal import DataModel

/// The secret token of a session: 256 random bits. The store contains only a hash of the token.
struct Token: Hashable, Sendable {
  /// The token as 64 lowercase hexadecimal digits.
  let text: String

  /// Returns a new token from the system's secure random number generator.
  static func new() -> Token {
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<4 {
      let digits = String(generator.next(), radix: 16)
      text += String(repeating: "0", count: 16 - digits.count) + digits
    }
    return Token(unchecked: text)
  }

  /// Creates a token from its text. Returns nil if the text is not 64 lowercase hexadecimal digits.
  init?(_ text: String) {
    let isToken =
      text.utf8.count == 64
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    guard isToken else { return nil }
    self.text = text
  }

  /// Creates a token from its text. Throws an error if the text is not a token.
  init(checking text: String) throws(DataError) {
    guard let token = Token(text) else { throw DataError(.notLoggedIn, "the token is not valid") }
    self = token
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// The SHA-256 hash of the token, which is stored in place of the token.
  var hash: [UInt8] {
    var sum = SHA256()
    sum.update(text.utf8.span)
    return sum.finish()
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible {
  /// Always `***`, so that tokens do not appear in logs.
  var description: String { "***" }
  var debugDescription: String { "***" }
}
