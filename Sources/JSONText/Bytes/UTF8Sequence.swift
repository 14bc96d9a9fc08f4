/// Validates and encodes single characters in UTF-8.
@usableFromInline
enum UTF8Sequence {
  /// Validates the multibyte sequence at `position`, and returns the offset of the byte that
  /// follows it.
  ///
  /// The byte at `position` must be 0x80 or greater.
  @inlinable @inline(__always)
  static func end(
    _ text: Span<UInt8>, at position: Int, isLast: Bool
  ) throws(ScanError) -> Int {
    let first = text[position]
    guard first >= 0xC2, first <= 0xF4 else { throw ScanError(.notUTF8, position) }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard position &+ count <= text.count else {
      throw ScanError(isLast ? .notUTF8 : .needsMore, position)
    }
    let second = text[position &+ 1]
    let isValid =
      switch first {
      case 0xE0: second >= 0xA0 && second <= 0xBF
      case 0xED: second >= 0x80 && second <= 0x9F
      case 0xF0: second >= 0x90 && second <= 0xBF
      case 0xF4: second >= 0x80 && second <= 0x8F
      default: second & 0xC0 == 0x80
      }
    guard isValid else { throw ScanError(.notUTF8, position) }
    if count > 2, text[position &+ 2] & 0xC0 != 0x80 { throw ScanError(.notUTF8, position) }
    if count > 3, text[position &+ 3] & 0xC0 != 0x80 { throw ScanError(.notUTF8, position) }
    return position &+ count
  }

  /// Appends the UTF-8 encoding of a Unicode scalar value (not a surrogate).
  static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: scalar &>> shift & 0x3F) | 0x80
    }
    if scalar < 0x80 {
      output.append(UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
      output.append(UInt8(truncatingIfNeeded: scalar &>> 6) | 0xC0)
      output.append(tail(0))
    } else if scalar < 0x1_0000 {
      output.append(UInt8(truncatingIfNeeded: scalar &>> 12) | 0xE0)
      output.append(tail(6))
      output.append(tail(0))
    } else {
      output.append(UInt8(truncatingIfNeeded: scalar &>> 18) | 0xF0)
      output.append(tail(12))
      output.append(tail(6))
      output.append(tail(0))
    }
  }
}
