/// Functions for validating and measuring UTF-8 text.
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
