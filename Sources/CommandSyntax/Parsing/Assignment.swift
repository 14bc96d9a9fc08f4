/// Recognizes words in the form `FIELD=VALUE`, so that an optional operand before them can be
/// omitted.
enum Assignment {
  /// Returns whether a word is a name followed by `=`, `:=`, `@=`, `+=` or `-=`.
  ///
  /// Upper-case letters are allowed: `yearBorn=5` is an assignment to an invalid field name, not an
  /// id.
  static func hasForm(_ word: String) -> Bool {
    let name = word.utf8.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default:
        false
      }
    }
    guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    let rest = word.utf8.dropFirst(name.count)
    return ["=", ":=", "@=", "+=", "-="].contains { rest.starts(with: $0.utf8) }
  }

  /// Splits a word after its first `=`.
  static func parts(of word: String) -> (name: String, value: String) {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, "") }
    let start = word.utf8.index(after: sign)
    return (String(word[..<start]), String(word[start...]))
  }
}
