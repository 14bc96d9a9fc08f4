/// Replaces the secrets in addresses and other texts with `***`, so that the texts can be shown in
/// messages.
package enum Secrets {
  /// Returns an address with its secrets replaced with `***`.
  ///
  /// The secrets are the password and the values of options with names such as `password` or
  /// `token`. The password is the text between the first `:` and the last `@` after `//`.
  ///
  /// A password may contain characters that should have been percent-encoded. If the end of the
  /// password is ambiguous, part of the host may be hidden too.
  package static func redacted(in address: String) -> String {
    let bytes = Array(address.utf8)
    let start = authority(in: bytes)
    let path = bytes[start...].firstIndex(of: slash) ?? bytes.count
    if let end = bytes[start..<path].lastIndex(of: atSign) {
      // All text before the `@` belongs to the user name and the password, even a question mark.
      let user = redactingPassword(Array(bytes[...end]), from: start)
      return text(redactingPassword(user + redactingOptions(bytes[(end + 1)...]), from: start))
    }
    let shown = redactingOptions(bytes[...])
    guard let password = password(in: bytes, from: start) else { return text(shown) }
    // Text that looks like an option may be part of the password, and vice versa. So everything
    // from the start of the password is hidden.
    return text(
      shown == bytes[...]
        ? redactingPassword(bytes, from: start) : bytes[..<password.lowerBound] + stars)
  }

  /// Returns the index of the first byte after `://` in an address, or 0 if the address has no
  /// `://`.
  private static func authority(in bytes: [UInt8]) -> Int {
    guard let end = bytes.firstIndex(of: colonSign),
      bytes[(end + 1)...].starts(with: [slash, slash])
    else { return 0 }
    return end + 3
  }

  /// Returns the range between the first `:` and the last `@`, which may be a password. Returns nil
  /// if there is no such range, or if a slash precedes the `:`, because the `:` then belongs to a
  /// path.
  private static func password(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard let colon = bytes[start...].firstIndex(where: { $0 == colonSign || $0 == slash }),
      bytes[colon] == colonSign, let end = bytes.lastIndex(of: atSign), colon < end
    else { return nil }
    return colon + 1..<end
  }

  /// Returns the address with its password replaced with `***`.
  private static func redactingPassword(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    guard let password = password(in: bytes, from: start) else { return bytes }
    return bytes[..<password.lowerBound] + stars + bytes[password.upperBound...]
  }

  /// Returns the address with the values of secret options replaced with `***`.
  private static func redactingOptions(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let questionMark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return bytes }
    let options = bytes[(questionMark + 1)...].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    ).map { option -> ArraySlice<UInt8> in
      guard let equals = option.firstIndex(of: UInt8(ascii: "=")), isSecret(option[..<equals])
      else { return option }
      return option[...equals] + stars
    }
    return bytes[...questionMark] + options.joined(separator: [UInt8(ascii: "&")])
  }

  static func isSecret(_ option: ArraySlice<UInt8>) -> Bool {
    let name = text(percentDecoded(option)).lowercased()
    return ["password", "token", "secret", "_key"].contains(where: name.contains)
  }

  /// Returns the name of an option with `%XX` escapes decoded.
  private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var rest = bytes
    var decoded: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.first != UInt8(ascii: "+"),
        let code = UInt8(text(rest.prefix(2)), radix: 16)
      {
        decoded.append(code)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  static let slash = UInt8(ascii: "/")
  static let colonSign = UInt8(ascii: ":")
  static let equalsSign = UInt8(ascii: "=")
  static let atSign = UInt8(ascii: "@")
  static let stars = Array("***".utf8)
}
