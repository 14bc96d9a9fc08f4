package import DataModel

/// The encodings of texts that records are read from.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  /// UTF-16 in the byte order of the byte order mark. Without a byte order mark, the text is read
  /// as big-endian if the first byte is 0, and as little-endian if not.
  case utf16 = "utf-16"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case latin1 = "latin-1"
  case windows1252 = "windows-1252"

  /// Creates the encoding that the byte order mark of a UTF-16 text specifies. Returns nil if the
  /// text does not begin with such a byte order mark.
  package init?(byteOrderMarkOf text: Span<UInt8>) {
    guard text.count >= 2 else { return nil }
    switch (text[0], text[1]) {
    case (0xFF, 0xFE): self = .utf16LittleEndian
    case (0xFE, 0xFF): self = .utf16BigEndian
    default: return nil
    }
  }
}

/// A byte source that converts the text of another source to UTF-8.
package struct TranscodedSource<Source: ByteSource>: ByteSource {
  /// The number of bytes that are read at once.
  private static var pieceSize: Int { 64 << 10 }

  private var source: Source
  private var encoding: TextEncoding
  private let file: String
  /// The bytes that have been read but not converted: at most one incomplete character.
  private var kept: [UInt8] = []
  private var hasBegun = false
  private var isAtEnd = false
  private var line = 1
  private var bytesRead = 0
  private var output: [UInt8] = []
  private var start = 0

  /// Creates a source that converts the given encoding to UTF-8. `file` is the file name that
  /// errors contain.
  package init(_ source: Source, from encoding: TextEncoding, file: String) {
    self.source = source
    self.encoding = encoding
    self.file = file
  }

  package var convertedCount: Int? { source.convertedCount ?? bytesRead }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if start < output.count { return true }
    return try source.hasBytes(within: seconds)
  }

  package mutating func read(
    into buffer: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    while start == output.count, !isAtEnd {
      (start, output) = (0, [])
      let size = try source.read(into: &kept, atMost: Self.pieceSize)
      bytesRead += size
      isAtEnd = size == 0
      try convert()
    }
    let size = min(count, output.count - start)
    buffer += output[start..<start + size]
    start += size
    return size
  }

  private mutating func convert() throws(DataError) {
    output.reserveCapacity(kept.count * 2)
    var used = 0
    switch encoding {
    case .utf8:
      swap(&output, &kept)
    case .latin1, .windows1252:
      for byte in kept {
        guard let scalar = scalar(byte) else {
          throw error(
            "the byte 0x\(String(byte, radix: 16, uppercase: true)) is not a character of windows-1252"
          )
        }
        append(scalar)
      }
      used = kept.count
    case .utf16, .utf16LittleEndian, .utf16BigEndian:
      used = try convertUTF16()
    }
    kept.removeFirst(min(used, kept.count))
  }

  /// Converts the UTF-16 characters in `kept`, except an incomplete last one. Returns the number of
  /// bytes that were converted.
  private mutating func convertUTF16() throws(DataError) -> Int {
    if !hasBegun {
      guard kept.count >= 2 || isAtEnd else { return 0 }
      hasBegun = true
      let mark = TextEncoding(byteOrderMarkOf: kept.span)
      if encoding == .utf16 {
        encoding = mark ?? (kept.first == 0 ? .utf16BigEndian : .utf16LittleEndian)
      }
      // A byte order mark that is read in the wrong byte order is U+FFFE, which is not a character.
      if mark == encoding { kept.removeFirst(2) }
    }
    var position = 0
    while position + 1 < kept.count {
      let unit = unit(at: position)
      if unit & 0xF800 != 0xD800 {
        guard let scalar = Unicode.Scalar(unit) else { throw surrogateError }
        append(scalar)
        position += 2
        continue
      }
      guard unit < 0xDC00 else { throw surrogateError }
      guard position + 3 < kept.count else {
        if isAtEnd { throw surrogateError }
        return position
      }
      let second = self.unit(at: position + 2)
      guard second & 0xFC00 == 0xDC00,
        let scalar = Unicode.Scalar(0x1_0000 + (unit & 0x3FF) << 10 + second & 0x3FF)
      else { throw surrogateError }
      append(scalar)
      position += 4
    }
    if isAtEnd, position < kept.count {
      throw error("the text ends in the middle of a UTF-16 character")
    }
    return position
  }

  private func unit(at position: Int) -> UInt32 {
    let (first, second) = (UInt32(kept[position]), UInt32(kept[position + 1]))
    return encoding == .utf16BigEndian ? first << 8 | second : second << 8 | first
  }

  /// Returns the character that a byte represents in the encoding, or nil if Windows-1252 does not
  /// define it.
  private func scalar(_ byte: UInt8) -> Unicode.Scalar? {
    guard encoding == .windows1252, 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    let code = Self.windows1252[Int(byte) - 0x80]
    return code == 0 ? nil : Unicode.Scalar(code)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.value == 0x0A { line += 1 }
    guard scalar.value >= 0x80 else { return output.append(UInt8(scalar.value)) }
    if let encoded = UTF8.encode(scalar) { output.append(contentsOf: encoded) }
  }

  private var surrogateError: DataError { error("unpaired surrogate in UTF-16") }

  private func error(_ message: String) -> DataError {
    DataError(
      Problem(
        .syntax, message, hint: "pass the encoding of the input with --encoding", file: file,
        line: line))
  }

  /// The characters of the bytes 0x80 to 0x9F in Windows-1252, or 0 for a byte without one.
  private static var windows1252: [UInt16] {
    [
      0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
      0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]
  }
}
