/// A fast check of values as the store contains them: in one line, without whitespace.
extension JSONScanner {
  /// Returns true if the text is exactly one JSON value that follows the rules for `json` fields
  /// and contains no whitespace.
  ///
  /// Returns false or throws for all other texts, but also for a few valid values that this method
  /// does not examine completely: values with escapes, and objects in which two keys have the same
  /// hash. `skipValue` then gives the answer, which takes several times as long.
  package mutating func isPlainValue(_ text: Span<UInt8>) throws(ScanError) -> Bool {
    position = 0
    plainKeys.removeAll(keepingCapacity: true)
    // The containers of the current value, innermost in the lowest bit: 1 for an object.
    var containers: UInt128 = 0
    var depth = 0
    // A set of the hashes of the keys that the current object has so far, one bit for each hash.
    var keys: UInt64 = 0
    values: while position < text.count {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""):
        guard try plainString(text) != nil else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        position &+= 1
        guard depth < Self.maxDepth, position < text.count else { return false }
        if text[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          position &+= 1
          break
        }
        depth &+= 1
        containers = containers &<< 1 | (isObject ? 1 : 0)
        if isObject {
          plainKeys.append(keys)
          keys = 0
          guard try skipPlainKey(text, &keys) else { return false }
        }
        continue
      case UInt8(ascii: "t"): try skip(.yes, text)
      case UInt8(ascii: "f"): try skip(.no, text)
      case UInt8(ascii: "n"): try skip(.null, text)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(text)
      default: return false
      }
      while depth > 0 {
        guard position < text.count else { return false }
        let isObject = containers & 1 == 1
        let following = text[position]
        position &+= 1
        if following == UInt8(ascii: ",") {
          if isObject, try !skipPlainKey(text, &keys) { return false }
          continue values
        }
        guard following == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        depth &-= 1
        containers &>>= 1
        if isObject { keys = plainKeys.removeLast() }
      }
      return position == text.count
    }
    return false
  }

  /// Skips a string, and returns its byte range without the quotes. Returns nil if the string
  /// contains escapes.
  @inline(__always)
  private mutating func plainString(_ text: Span<UInt8>) throws(ScanError) -> Range<Int>? {
    let start = position &+ 1
    let end = try plainEnd(text, from: start)
    guard text[end] == UInt8(ascii: "\"") else { return nil }
    position = end &+ 1
    return start..<end
  }

  /// Skips a key and its colon, and adds the hash of the key to `keys`. Returns false if the next
  /// token is not a key without escapes, or if `keys` already contains the hash.
  @inline(__always)
  private mutating func skipPlainKey(
    _ text: Span<UInt8>, _ keys: inout UInt64
  ) throws(ScanError) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: "\""),
      let key = try plainString(text), position < text.count,
      text[position] == UInt8(ascii: ":")
    else { return false }
    position &+= 1
    // For an empty key, these bytes are its quotes.
    let (first, last) = (text[key.lowerBound], text[key.upperBound &- 1])
    let hash = UInt64(first) &* 5 &+ UInt64(last) &* 3 &+ UInt64(key.count)
    let bit: UInt64 = 1 &<< (hash & 63)
    defer { keys |= bit }
    return keys & bit == 0
  }
}
