extension Secrets {
  /// Returns a text with everything that may be a secret replaced with `***`: the password of each
  /// address, even if the address is malformed, and the values of options such as `password=`.
  ///
  /// If the end of a password is ambiguous, the text after the password may be hidden too.
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

  /// Returns the range of the password in the first address that contains a password. The range
  /// ends at the last `@` of the text, because a password can contain an `@`. An address begins
  /// with `//`, or with the name of a database scheme.
  private static func addressPassword(in bytes: [UInt8], isTruncated: Bool) -> Range<Int>? {
    let end = isTruncated ? bytes.count : bytes.lastIndex(of: atSign) ?? 0
    let namespaces = namespaces(in: bytes)
    var index = 0
    while index < end {
      if let namespace = namespaces.first(where: { $0.contains(index) }) {
        index = namespace.upperBound
        continue
      }
      guard let start = indexAfterScheme(in: bytes, at: index), start < end else {
        index += 1
        continue
      }
      let colon = bytes[start..<end].indices.first { index in
        bytes[index] == colonSign && !namespaces.contains { $0.contains(index) }
      }
      guard let colon, colon + 1 < end else { return nil }
      let word = bytes[(colon + 1)...].prefix { !isBoundary($0) }
      // The colon may be punctuation or precede a port, and the password may already be redacted.
      guard word.isEmpty || word.starts(with: stars) || isPort(word) else {
        return colon + 1..<end
      }
      index = colon + 1
    }
    return nil
  }

  /// Returns the byte ranges of the XML namespaces in a text, such as `http://example.com` in
  /// `{http://example.com}title`. Namespaces contain no passwords. An opening brace begins a
  /// namespace only at the start of a word, or after a single `/`, an `@` or a quotation mark.
  /// Other braces may be part of a password.
  private static func namespaces(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.split(whereSeparator: isSpace).flatMap { word -> [Range<Int>] in
      var found: [Range<Int>] = []
      var index = word.startIndex
      while index < word.endIndex, word[index] != colonSign {
        defer { index += 1 }
        guard word[index] == UInt8(ascii: "{"),
          let end = word[index...].firstIndex(of: UInt8(ascii: "}")),
          !word[index..<end].contains(atSign),
          word[..<index].last.map({ [slash, atSign, quote].contains($0) }) ?? true,
          !word[..<index].suffix(2).elementsEqual([slash, slash])
        else { continue }
        found.append(index + 1..<end)
        index = end
      }
      return found
    }
  }

  /// If the text at an index begins with `//` or with a scheme such as `postgres:`, returns the
  /// index after this prefix. If not, returns nil.
  private static func indexAfterScheme(in bytes: [UInt8], at index: Int) -> Int? {
    let slashes = bytes[index...].prefix { $0 == slash }.count
    if slashes > 1 { return index + slashes }
    for scheme in ["postgres:", "postgresql:"] {
      let end = index + scheme.utf8.count
      // Letters differ from capital letters in one bit.
      guard end <= bytes.count,
        bytes[index..<end].elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 })
      else { continue }
      return end + bytes[end...].prefix { $0 == slash }.count
    }
    return nil
  }

  /// Returns whether the text after a colon begins with a port number. Digits that are followed by
  /// an `@` in the same word are not a port number, because they may belong to a password.
  private static func isPort(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return (1...5).contains(digits.count) && !word.contains(atSign)
      && word.dropFirst(digits.count).first.map { "/?:,".utf8.contains($0) } ?? false
  }

  /// Returns the ranges of the passwords in words of the form `USER:PASSWORD@HOST`. Ignores a colon
  /// next to a quotation mark, because such a colon separates a key from its value in JSON.
  private static func wordPasswords(in bytes: [UInt8]) -> [Range<Int>] {
    let namespaces = namespaces(in: bytes)
    return bytes.split(whereSeparator: isSpace).compactMap { word in
      guard let end = word.lastIndex(of: atSign) else { return nil }
      let scheme = word.starts(with: "sqlite:".utf8) ? 7 : 0
      guard
        let colon = word.dropFirst(scheme).prefix(upTo: end).indices.first(where: { index in
          word[index] == colonSign && index > word.startIndex && word[index - 1] != quote
            && ![quote, equalsSign, slash].contains(word[index + 1])
            && !namespaces.contains { $0.contains(index) }
        }), colon + 1 < end, !word[(colon + 1)...].starts(with: stars),
        !isTime(word[..<end], at: colon)
      else { return nil }
      return colon + 1..<end
    }
  }

  /// Returns whether the colon is part of a time that is followed only by punctuation, as in the
  /// JSON path `$.times.08:30.@due`. Such a colon does not precede a password, although an `@`
  /// follows it.
  private static func isTime(_ word: ArraySlice<UInt8>, at colon: Int) -> Bool {
    let hour = word[..<colon].suffix(2)
    let before = word[..<colon].dropLast(2).last
    guard hour.count == 2, hour.allSatisfy(isDigit),
      before.map({ !isNameByte($0) || $0 == UInt8(ascii: "T") }) ?? false
    else { return false }
    let parts = word[(colon + 1)...].split(separator: colonSign, omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { $0.prefix(2).count == 2 && $0.prefix(2).allSatisfy(isDigit) }
      && parts.dropLast().allSatisfy { $0.count == 2 }
      && parts.last?.dropFirst(2).allSatisfy { ".Z/\"]".utf8.contains($0) } == true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the ranges of the values of secret options: `password=…` anywhere in the text, and
  /// options such as `token=…` after the `?` or `&` of an address.
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
