/// Functions for validating and measuring UTF-8 text.
@usableFromInline
package enum UTF8Check {
  /// Returns the offset of the first byte that is not well-formed UTF-8, or nil if the text is
  /// valid.
  package static func firstInvalidOffset(in text: Span<UInt8>) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  /// A mask for the highest bit of each byte in a word. The bit is set in bytes that are not ASCII.
  @inlinable
  package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns whether the text is well-formed UTF-8.
  ///
  /// In short texts with some characters that are not ASCII, this takes a third of the time of
  /// `firstInvalidOffset`.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    while offset < text.count {
      if text[offset] >= 0x80 {
        let length = sequenceLength(fourBytes(text, at: offset))
        guard length > 0 else { return false }
        offset &+= length
      } else if offset &+ 8 <= text.count {
        let high = text.word(at: offset) & highBits
        offset &+= high == 0 ? 8 : high.trailingZeroBitCount &>> 3
      } else {
        offset &+= 1
      }
    }
    return true
  }

  /// Returns the four bytes of the text that begin at an offset, the first of them in the lowest
  /// bits. Bytes after the end of the text are 0.
  @inline(__always)
  private static func fourBytes(_ text: Span<UInt8>, at offset: Int) -> UInt32 {
    if text.count >= 8 {
      let start = min(offset, text.count &- 8)
      let shift = UInt64(truncatingIfNeeded: offset &- start) &* 8
      return UInt32(truncatingIfNeeded: text.word(at: start) &>> shift)
    }
    var bytes: UInt32 = 0
    for index in offset..<min(offset &+ 4, text.count) {
      bytes |= UInt32(text[index]) << UInt32(8 &* (index &- offset))
    }
    return bytes
  }

  /// Returns the length of the UTF-8 sequence at the start of the given four bytes, or 0 if the
  /// sequence is invalid. The first byte must not be ASCII. A sequence is also invalid if it is
  /// longer than necessary, or if it represents a surrogate or a number above U+10FFFF.
  @inline(__always)
  private static func sequenceLength(_ bytes: UInt32) -> Int {
    if bytes & 0xC0E0 == 0x80C0 { return bytes & 0x1E != 0 ? 2 : 0 }
    if bytes & 0xC0_C0F0 == 0x80_80E0 {
      let start = bytes & 0x200F
      return start != 0 && start != 0x200D ? 3 : 0
    }
    guard bytes & 0xC0C0_C0F8 == 0x8080_80F0 else { return 0 }
    let (plane, start) = (bytes & 7, bytes & 0x3000)
    return plane == 0 ? (start != 0 ? 4 : 0) : plane < 4 || plane == 4 && start == 0 ? 4 : 0
  }

  /// Returns the number of Unicode scalars in UTF-8 text.
  package static func scalarCount(in text: Span<UInt8>) -> Int {
    var count = 0
    for index in text.indices where text[index] & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  /// Returns whether UTF-8 text contains a control character: C0, DEL, or C1.
  package static func hasControl(in text: Span<UInt8>) -> Bool {
    for index in text.indices {
      let byte = text[index]
      if byte < 0x20 || byte == 0x7F { return true }
      if byte == 0xC2, index &+ 1 < text.count, text[index &+ 1] < 0xA0 { return true }
    }
    return false
  }
}
