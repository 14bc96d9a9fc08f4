/// Keeps secrets out of what people see.
enum Secrets {
  /// An address whose passwords are shown as `***`: the one before `@` and any in its options.
  static func hidden(in address: String) -> String {
    var bytes = Array(address.utf8)
    guard let start = authority(in: bytes) else { return address }
    let end = bytes[start...].firstIndex { $0 == slash || $0 == question } ?? bytes.count
    if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")),
      let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
    {
      bytes.replaceSubrange(colon + 1..<at, with: stars)
    }
    guard let options = bytes.firstIndex(of: question) else { return text(bytes) }
    let shown = bytes[(options + 1)...].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    ).map { option -> ArraySlice<UInt8> in
      guard let equals = option.firstIndex(of: UInt8(ascii: "=")),
        isSecret(text(option[..<equals]))
      else { return option }
      return option[...equals] + stars
    }
    return text(bytes[...options]) + shown.map { text($0) }.joined(separator: "&")
  }

  private static func authority(in bytes: [UInt8]) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count,
      bytes[colon + 1] == slash, bytes[colon + 2] == slash
    else { return nil }
    return colon + 3
  }

  private static func isSecret(_ option: String) -> Bool {
    let name = option.lowercased()
    return name.contains("password") || name.contains("token") || name.contains("secret")
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")
  private static let question = UInt8(ascii: "?")
  private static let stars = Array("***".utf8)
}
