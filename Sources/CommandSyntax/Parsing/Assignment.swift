/// Tells words of the form `FIELD=VALUE` from others, so that an id can be left out before them.
enum Assignment {
  /// Is true for a name with one of `=`, `:=`, `@=`, `+=` and `-=` behind it.
  ///
  /// Names in any case of letters count: `yearBorn=5` is a field with a wrong name, not an id.
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

  /// The word up to its first `=`, and what follows.
  static func parts(of word: String) -> (name: String, value: String) {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, "") }
    let start = word.utf8.index(after: sign)
    return (String(word[..<start]), String(word[start...]))
  }
}
