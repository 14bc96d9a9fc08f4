/// Base64 encoding and decoding as specified in RFC 4648, with padding and without line breaks.
package enum Base64 {
  /// Appends the Base64 encoding of `bytes`.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    var encoder = Encoder()
    encoder.append(bytes, to: &output)
    encoder.finish(to: &output)
  }

  /// An encoder for bytes that arrive in pieces of any size.
  package struct Encoder: Sendable {
    private var pending: [UInt8] = []

    package init() {}

    /// Appends the encoding of every complete group of three bytes, and keeps the remaining bytes
    /// until more bytes arrive.
    package mutating func append(_ piece: Span<UInt8>, to output: inout [UInt8]) {
      var position = 0
      while !pending.isEmpty && pending.count < 3 && position < piece.count {
        pending.append(piece[position])
        position += 1
      }
      if pending.count == 3 {
        write(pending[0], pending[1], pending[2], to: &output)
        pending.removeAll(keepingCapacity: true)
      }
      guard pending.isEmpty else { return }
      output.reserve(additional: (piece.count - position) / 3 * 4)
      while piece.count - position >= 3 {
        write(piece[position], piece[position + 1], piece[position + 2], to: &output)
        position += 3
      }
      for index in position..<piece.count { pending.append(piece[index]) }
    }

    /// Appends the encoding of the remaining bytes, with padding.
    package consuming func finish(to output: inout [UInt8]) {
      guard !pending.isEmpty else { return }
      let start = output.count
      write(pending[0], pending.count > 1 ? pending[1] : 0, 0, to: &output)
      for index in start + pending.count + 1..<output.count { output[index] = padding }
    }

    private func write(
      _ first: UInt8, _ second: UInt8, _ third: UInt8, to output: inout [UInt8]
    ) {
      output.append(letter(first >> 2))
      output.append(letter(first << 4 & 0x3F | second >> 4))
      output.append(letter(second << 2 & 0x3F | third >> 6))
      output.append(letter(third & 0x3F))
    }
  }

  /// Decodes Base64 text. Returns nil if the text is not canonical Base64 with padding.
  package static func bytes(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    guard !text.isEmpty else { return [] }
    let isPadded = text[text.count - 1] == padding
    let paddings = isPadded ? (text[text.count - 2] == padding ? 2 : 1) : 0
    let letters = text.count - paddings
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters * 3 / 4)
    var bits: UInt32 = 0
    for position in 0..<letters {
      guard let sextet = sextet(text[position]) else { return nil }
      bits = bits << 6 | UInt32(sextet)
      if position % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    switch paddings {
    case 1:
      guard bits & 3 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    case 2:
      guard bits & 15 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    default: break
    }
    return bytes
  }

  private static let padding = UInt8(ascii: "=")

  private static func letter(_ sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: sextet + UInt8(ascii: "A")
    case 26..<52: sextet - 26 + UInt8(ascii: "a")
    case 52..<62: sextet - 52 + UInt8(ascii: "0")
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func sextet(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension [UInt8] {
  /// Reserves capacity for the given number of additional bytes. If the capacity must grow, it is
  /// at least doubled, so that repeated calls take amortized constant time per byte.
  mutating func reserve(additional more: Int) {
    if capacity < count + more { reserveCapacity(Swift.max(count + more, capacity * 2)) }
  }
}
