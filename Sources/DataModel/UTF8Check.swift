/// Looks at text as bytes: whether it is UTF-8, how long it is, what it holds.
package enum UTF8Check {
  /// Finds where the text stops being UTF-8: the offset of the first byte of the sequence that is not
  /// well-formed, or nil if there is none.
  package static func firstFault(in text: Span<UInt8>) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  /// Counts the Unicode scalars of a text that is UTF-8.
  package static func scalarCount(in text: Span<UInt8>) -> Int {
    var count = 0
    for place in text.indices where text[place] & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  /// Tells whether a text that is UTF-8 holds a control character: C0, DEL or C1.
  package static func hasControl(in text: Span<UInt8>) -> Bool {
    for place in text.indices {
      let byte = text[place]
      if byte < 0x20 || byte == 0x7F { return true }
      if byte == 0xC2, place &+ 1 < text.count, text[place &+ 1] < 0xA0 { return true }
    }
    return false
  }
}
