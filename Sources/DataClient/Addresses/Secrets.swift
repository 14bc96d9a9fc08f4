/// Keeps secrets out of what people see.
enum Secrets {
  /// An address whose passwords are shown as `***`: whatever stands between the first `:` and the
  /// last `@` behind `//`, and in options that have a secret.
  ///
  /// A password may have been pasted as it is, with letters that should be written otherwise: it is
  /// better to hide a part of the host than to show one of the password.
  static func hidden(in address: String) -> String {
    let bytes = Array(address.utf8)
    let start = authority(in: bytes)
    let path = bytes[start...].firstIndex(of: slash) ?? bytes.count
    if let end = bytes[start..<path].lastIndex(of: atSign) {
      // What is before belongs to the user and the password, a question mark included.
      let user = hidingPassword(Array(bytes[...end]), from: start)
      return text(hidingPassword(user + hidingOptions(bytes[(end + 1)...]), from: start))
    }
    let shown = hidingOptions(bytes[...])
    guard let password = password(in: bytes, from: start) else { return text(shown) }
    // What looks like an option may stand in the password, and the other way about.
    return text(
      shown == bytes[...]
        ? hidingPassword(bytes, from: start) : bytes[..<password.lowerBound] + stars)
  }

  /// The place behind `//`, or the beginning if the address has none where it should be.
  private static func authority(in bytes: [UInt8]) -> Int {
    guard let end = bytes.firstIndex(of: colonSign),
      bytes[(end + 1)...].starts(with: [slash, slash])
    else { return 0 }
    return end + 3
  }

  /// Where a password may stand: its user has no slash.
  private static func password(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard let colon = bytes[start...].firstIndex(where: { $0 == colonSign || $0 == slash }),
      bytes[colon] == colonSign, let end = bytes.lastIndex(of: atSign), colon < end
    else { return nil }
    return colon + 1..<end
  }

  private static func hidingPassword(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    guard let password = password(in: bytes, from: start) else { return bytes }
    return bytes[..<password.lowerBound] + stars + bytes[password.upperBound...]
  }

  private static func hidingOptions(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let question = bytes.firstIndex(of: UInt8(ascii: "?")) else { return bytes }
    let options = bytes[(question + 1)...].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    ).map { option -> ArraySlice<UInt8> in
      guard let equals = option.firstIndex(of: UInt8(ascii: "=")), isSecret(option[..<equals])
      else { return option }
      return option[...equals] + stars
    }
    return bytes[...question] + options.joined(separator: [UInt8(ascii: "&")])
  }

  private static func isSecret(_ option: ArraySlice<UInt8>) -> Bool {
    let name = text(withoutEscapes(option)).lowercased()
    return ["password", "token", "secret", "_key"].contains(where: name.contains)
  }

  /// The name of an option, whose letters may be written as `%XX`.
  private static func withoutEscapes(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var rest = bytes
    var plain: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(text(rest.prefix(2)), radix: 16) {
        plain.append(code)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")
  private static let colonSign = UInt8(ascii: ":")
  private static let atSign = UInt8(ascii: "@")
  private static let stars = Array("***".utf8)
}
