extension Secrets {
  /// Returns a text with everything that may be a secret replaced with `***`: the password of each
  /// address, even if the address is malformed, and the values of options such as `password=`.
  ///
  /// If it is ambiguous where a password ends, more is hidden than the password.
  ///
  /// - Parameters:
  ///   - text: The text, such as an error message.
  ///   - isTruncated: Whether the text is only the start of a longer one, so that the `@` after a
  ///     password may be missing.
  package static func redacted(inText text: String, isTruncated: Bool = false) -> String {
    guard isTruncated || text.utf8.contains(where: { $0 == atSign || $0 == equalsSign }) else {
      return text
    }
    var bytes = Array(text.utf8)
    if let password = addressPassword(in: bytes, isTruncated: isTruncated) {
      bytes.replaceSubrange(password, with: stars)
    }
    for password in (wordPasswords(in: bytes) + optionValues(in: bytes))
      .sorted(by: { $0.lowerBound > $1.lowerBound })
    {
      bytes.replaceSubrange(password.clamped(to: 0..<bytes.count), with: stars)
    }
    return self.text(bytes)
  }

  /// Returns the range of the password in the first address that contains one, up to the last `@`
  /// of the text. An address begins with `//`, or with the name of a database scheme.
  private static func addressPassword(in bytes: [UInt8], isTruncated: Bool) -> Range<Int>? {
    let end = isTruncated ? bytes.count : bytes.lastIndex(of: atSign) ?? 0
    var index = 0
    while index < end {
      guard let start = indexAfterScheme(in: bytes, at: index), start < end else {
        index += 1
        continue
      }
      guard let colon = bytes[start..<end].firstIndex(of: colonSign), colon + 1 < end else {
        return nil
      }
      let word = bytes[(colon + 1)...].prefix { !isBoundary($0) }
      // The colon may be punctuation or precede a port, and the password may already be redacted.
      guard word.isEmpty || word.starts(with: stars) || isPort(word) else {
        return colon + 1..<end
      }
      index = colon + 1
    }
    return nil
  }

  /// If the text at an index begins with `//` or with a scheme such as `postgres:`, returns the
  /// index that follows. If not, returns nil.
  private static func indexAfterScheme(in bytes: [UInt8], at index: Int) -> Int? {
    let slashes = bytes[index...].prefix { $0 == slash }.count
    if slashes > 1 { return index + slashes }
    for scheme in ["postgres:", "postgresql:"] {
      let end = index + scheme.utf8.count
      guard end <= bytes.count, text(bytes[index..<end]).lowercased() == scheme else { continue }
      return end + bytes[end...].prefix { $0 == slash }.count
    }
    return nil
  }

  /// Returns whether the text after a colon begins with a port. A password may begin with digits
  /// too, but then an `@` follows in the same word.
  private static func isPort(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return (1...5).contains(digits.count) && !word.contains(atSign)
      && word.dropFirst(digits.count).first.map { "/?:,".utf8.contains($0) } ?? false
  }

  /// Returns the ranges of the passwords in words of the form `USER:PASSWORD@HOST`. In JSON, a
  /// quotation mark precedes or follows the colon.
  private static func wordPasswords(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.split(whereSeparator: isSpace).compactMap { word in
      guard let end = word.lastIndex(of: atSign) else { return nil }
      let scheme = word.starts(with: "sqlite:".utf8) ? 7 : 0
      guard
        let colon = word.dropFirst(scheme).prefix(upTo: end).indices.first(where: { index in
          word[index] == colonSign && index > word.startIndex && word[index - 1] != quote
            && ![quote, equalsSign, slash].contains(word[index + 1])
        }), colon + 1 < end, !word[(colon + 1)...].starts(with: stars)
      else { return nil }
      return colon + 1..<end
    }
  }

  /// Returns the ranges of the values in `password=…`, and in `token=…` and other secret options of
  /// an address.
  private static func optionValues(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.indices.compactMap { sign in
      guard bytes[sign] == equalsSign else { return nil }
      let nameEnd = bytes[..<sign].lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
      let nameStart = bytes[..<nameEnd].lastIndex { !isNameByte($0) && $0 != UInt8(ascii: "%") }
      let name = bytes[(nameStart.map { $0 + 1 } ?? 0)..<nameEnd]
      let before = bytes[..<name.startIndex].last
      let isOption = before == UInt8(ascii: "?") || before == UInt8(ascii: "&")
      guard isOption ? isSecret(name) : text(name).lowercased().hasSuffix("password") else {
        return nil
      }
      let start = bytes[(sign + 1)...].firstIndex { !isSpace($0) } ?? bytes.count
      let isQuoted = start < bytes.count && bytes[start] == UInt8(ascii: "'")
      let end =
        isQuoted
        ? bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "'"))
        : bytes[start...].firstIndex { isBoundary($0) || $0 == UInt8(ascii: "&") }
      let value = start..<(end ?? bytes.count)
      return value.isEmpty || bytes[value].starts(with: stars) ? nil : value
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

  private static func isBoundary(_ byte: UInt8) -> Bool { isSpace(byte) || byte == quote }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let quote = UInt8(ascii: "\"")
}
