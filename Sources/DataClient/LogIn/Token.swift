/// What stands for a session: 256 random bits, of which the store keeps only a hash.
struct Token: Hashable, Sendable {
  /// The bits as 64 hexadecimal digits.
  let text: String

  /// Makes a token that nobody can foresee.
  static func new() -> Token {
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<4 {
      let digits = String(generator.next(), radix: 16)
      text += String(repeating: "0", count: 16 - digits.count) + digits
    }
    return Token(unchecked: text)
  }

  /// Takes a token that was made before; nil for anything else.
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

  private init(unchecked text: String) {
    self.text = text
  }

  /// What the store keeps.
  var hash: [UInt8] {
    var sum = SHA256()
    sum.update(text.utf8.span)
    return sum.finish()
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible {
  /// Nothing of the token, so that none gets into a log.
  var description: String { "***" }
  var debugDescription: String { "***" }
}
