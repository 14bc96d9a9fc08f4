import DataModel

/// The headers of a member of a tar archive, in the format of POSIX. Permissions, owners and times
/// are the same for all members, so that equal content has equal bytes.
struct TarHeader: Hashable {
  static let blockSize = 512
  /// The two blocks that end an archive.
  static let end = [UInt8](repeating: 0, count: 2 * blockSize)
  /// The size from which a member has a second header, because the field of the first one has 11
  /// octal digits.
  private static let minExtendedSize: Int64 = 1 << 33

  let name: String
  let size: Int64

  /// The bytes before the content of the member.
  var bytes: [UInt8] {
    guard size >= Self.minExtendedSize else { return block(name, size: size, type: "0") }
    let record = Self.extendedRecord(of: size)
    return block("pax/\(name)", size: Int64(record.count), type: "x") + record
      + Self.padding(after: Int64(record.count)) + block(name, size: 0, type: "0")
  }

  /// Returns the zeros that follow a content, so that the next header begins with a block.
  static func padding(after size: Int64) -> [UInt8] {
    [UInt8](repeating: 0, count: Int((-size) & Int64(blockSize - 1)))
  }

  /// Returns the record of an extended header that contains a size. It begins with its own length.
  private static func extendedRecord(of size: Int64) -> [UInt8] {
    let text = " size=\(size)\n"
    return Array("\(text.utf8.count + 2)\(text)".utf8)
  }

  private func block(_ name: String, size: Int64, type: Character) -> [UInt8] {
    func octal(_ value: Int64, digits: Int) -> String {
      let text = String(value, radix: 8)
      return String(repeating: "0", count: digits - text.utf8.count) + text + "\0"
    }
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    func write(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    write(name, at: 0)
    write(octal(0o644, digits: 7), at: 100)
    write(octal(0, digits: 7), at: 108)
    write(octal(0, digits: 7), at: 116)
    write(octal(size, digits: 11), at: 124)
    write(octal(0, digits: 11), at: 136)
    write("        \(type)", at: 148)
    write("ustar\u{0}00", at: 257)
    let sum = block.reduce(0) { $0 + Int64($1) }
    write(octal(sum, digits: 6) + " ", at: 148)
    return block
  }
}

extension TarHeader {
  /// The number of further bytes to read after the first block of a header. An extended header has
  /// two further blocks.
  static func remainingCount(after block: Span<UInt8>) -> Int {
    block[156] == UInt8(ascii: "x") ? 2 * blockSize : 0
  }

  /// Parses the bytes before a content. Returns nil unless they are exactly what `bytes` is for a
  /// name and a size: the header of a link or a folder, for example, is none.
  init?(_ bytes: [UInt8]) {
    let last = bytes.count - Self.blockSize
    guard last >= 0 else { return nil }
    let nameEnd = bytes[last...].firstIndex(of: 0) ?? last
    guard let name = String(validating: bytes[last..<nameEnd], as: UTF8.self),
      nameEnd - last <= 90
    else { return nil }
    let digits: ArraySlice<UInt8>
    let radix: Int
    if last == 0 {
      (digits, radix) = (bytes[124..<135], 8)
    } else {
      let record = bytes[Self.blockSize..<2 * Self.blockSize]
      guard let start = record.firstIndex(of: UInt8(ascii: "=")),
        let end = record.firstIndex(of: UInt8(ascii: "\n")), start < end
      else { return nil }
      (digits, radix) = (record[(start + 1)..<end], 10)
    }
    guard let size = Int64(String(decoding: digits, as: UTF8.self), radix: radix), size >= 0 else {
      return nil
    }
    self.init(name: name, size: size)
    guard self.bytes == bytes else { return nil }
  }
}
