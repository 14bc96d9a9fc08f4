/// Skipping of complete values. Nesting is tracked in an array instead of by recursion, so that
/// deep nesting cannot overflow the call stack.
extension JSONScanner {
  /// The properties of a well-formed value that `skipValue` determines.
  package struct Notes {
    /// Whether the value contains insignificant whitespace. If so, it is removed before the value
    /// is stored.
    package var hasWhitespace = false
    /// The first violation of the rules for values of `json` fields: a NUL, a duplicate key, or
    /// nesting that is too deep.
    package var violation: ScanError?

    mutating func note(_ kind: ScanError.Kind, _ position: Int) {
      if violation == nil { violation = ScanError(kind, position) }
    }
  }

  /// An object or array that contains the current position.
  struct Frame: BitwiseCopyable, Sendable {
    var isObject: Bool
    var firstKey: Int
    var escapedStart: Int
  }

  /// A key of an object. If the key contains no escapes, `start` and `end` are offsets in the text.
  /// If it contains escapes, they are offsets in `escapedKeys`, which contains the unescaped key.
  struct Key: BitwiseCopyable, Sendable {
    var position: Int
    var start: Int
    var end: Int
    var isEscaped: Bool
  }

  /// The maximum depth of nesting that can be skipped. It is greater than `maxDepth`, so that a
  /// value that is nested too deeply for a field can still be skipped: only its record is then
  /// rejected, and scanning continues.
  private static let maxSkippedDepth = 10_000

  /// Skips the value at the current position and returns its properties.
  package mutating func skipValue(_ text: Span<UInt8>) throws(ScanError) -> Notes {
    var notes = Notes()
    frames.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    escapedKeys.removeAll(keepingCapacity: true)
    var byte = try next(text)
    while true {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if let first = try enter(byte, text, &notes) {
          byte = first
          continue
        }
      default: try skipScalar(byte, text, &notes)
      }
      guard let following = try leave(text, &notes) else { return notes }
      byte = following
    }
  }

  /// Skips a string, a number or a literal. Adds a NUL in a string to `notes` as a violation.
  private mutating func skipScalar(
    _ byte: UInt8, _ text: Span<UInt8>, _ notes: inout Notes
  ) throws(ScanError) {
    switch byte {
    case UInt8(ascii: "\""):
      let start = position
      if try string(text) == nil, unescaped.contains(0) { notes.note(.nul, start) }
    case UInt8(ascii: "t"): try skip(.yes, text)
    case UInt8(ascii: "f"): try skip(.no, text)
    case UInt8(ascii: "n"): try skip(.null, text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(text)
    default: throw ScanError(.expectedValue, position)
    }
  }

  /// Enters an object or array, and returns the first byte of the first value in it. Returns nil if
  /// the object or array is empty.
  private mutating func enter(
    _ opening: UInt8, _ text: Span<UInt8>, _ notes: inout Notes
  ) throws(ScanError) -> UInt8? {
    let isObject = opening == UInt8(ascii: "{")
    if frames.count >= Self.maxDepth { notes.note(.tooDeep, position) }
    if frames.count >= Self.maxSkippedDepth { throw ScanError(.tooDeep, position) }
    let start = position &+ 1
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    let first = try skipOpening(text, closing: closing)
    if position != (first == nil ? start &+ 1 : start) { notes.hasWhitespace = true }
    guard first != nil else { return nil }
    frames.append(
      Frame(isObject: isObject, firstKey: keys.count, escapedStart: escapedKeys.count))
    return isObject ? try skipKey(text, &notes) : first
  }

  /// Moves past the end of a value, and past the end of every object or array that ends there.
  /// Returns the first byte of the next value, or nil after the outermost value.
  private mutating func leave(
    _ text: Span<UInt8>, _ notes: inout Notes
  ) throws(ScanError) -> UInt8? {
    while let frame = frames.last {
      let start = position
      let following = frame.isObject ? try skipMemberEnd(text) : try skipElementEnd(text)
      if position != start &+ 1 { notes.hasWhitespace = true }
      if let following { return frame.isObject ? try skipKey(text, &notes) : following }
      if frame.isObject { checkKeys(of: frame, text, &notes) }
      frames.removeLast()
    }
    return nil
  }

  /// Skips a key and its colon. Returns the first byte of the value that follows.
  private mutating func skipKey(
    _ text: Span<UInt8>, _ notes: inout Notes
  ) throws(ScanError) -> UInt8 {
    guard text[position] == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, position) }
    let start = position
    if let range = try string(text) {
      keys.append(
        Key(position: start, start: range.lowerBound, end: range.upperBound, isEscaped: false))
    } else {
      if unescaped.contains(0) { notes.note(.nul, start) }
      let escapedStart = escapedKeys.count
      escapedKeys += unescaped
      keys.append(
        Key(position: start, start: escapedStart, end: escapedKeys.count, isEscaped: true))
    }
    let end = position
    let byte = try skipColon(text)
    if position != end &+ 1 { notes.hasWhitespace = true }
    return byte
  }

  /// If an object has a duplicate key, adds the first one to `notes` as a violation. Removes the
  /// object's keys from `keys`.
  private mutating func checkKeys(of frame: Frame, _ text: Span<UInt8>, _ notes: inout Notes) {
    let own = frame.firstKey..<keys.count
    if own.count <= 8 {
      for index in own.dropFirst() {
        for earlier in frame.firstKey..<index where compare(earlier, index, text) == 0 {
          notes.note(.duplicateKey, keys[index].position)
        }
      }
    } else if let position = firstDuplicate(own, text) {
      notes.note(.duplicateKey, position)
    }
    keys.removeLast(own.count)
    escapedKeys.removeLast(escapedKeys.count - frame.escapedStart)
  }

  /// Returns the position of the first duplicate key of an object. Sorts the keys, so that
  /// duplicates are found quickly even among many keys.
  private func firstDuplicate(_ own: Range<Int>, _ text: Span<UInt8>) -> Int? {
    var sorted = Array(own)
    sortKeys(&sorted, text)
    var first: Int?
    for (left, right) in zip(sorted, sorted.dropFirst()) where compare(left, right, text) == 0 {
      first = min(first ?? .max, max(keys[left].position, keys[right].position))
    }
    return first
  }

  /// Sorts keys, given as indices in `keys`. This is a bottom-up merge sort, because the closure of
  /// `sort(by:)` cannot capture a span.
  private func sortKeys(_ indices: inout [Int], _ text: Span<UInt8>) {
    var width = 1
    while width < indices.count {
      var merged: [Int] = []
      merged.reserveCapacity(indices.count)
      for start in stride(from: 0, to: indices.count, by: width * 2) {
        let middle = min(start + width, indices.count)
        let end = min(middle + width, indices.count)
        var (left, right) = (start, middle)
        while left < middle || right < end {
          let takesLeft =
            right == end
            || left < middle && compare(indices[left], indices[right], text) <= 0
          merged.append(takesLeft ? indices[left] : indices[right])
          if takesLeft { left += 1 } else { right += 1 }
        }
      }
      indices = merged
      width *= 2
    }
  }

  /// Compares two keys, given as indices in `keys`, by their length, then by their bytes. Returns a
  /// negative number, zero or a positive number.
  private func compare(_ left: Int, _ right: Int, _ text: Span<UInt8>) -> Int {
    let (left, right) = (keys[left], keys[right])
    let count = left.end - left.start
    guard count == right.end - right.start else { return count - (right.end - right.start) }
    for offset in 0..<count {
      let first = left.isEscaped ? escapedKeys[left.start + offset] : text[left.start + offset]
      let second = right.isEscaped ? escapedKeys[right.start + offset] : text[right.start + offset]
      if first != second { return Int(first) - Int(second) }
    }
    return 0
  }
}

extension JSONScanner {
  /// Returns the JSON value that the text contains, without insignificant whitespace.
  ///
  /// - Throws: An error if the text is not exactly one JSON value, or violates the rules for values
  ///   of `json` fields.
  package static func compactValue(_ text: Span<UInt8>) throws(ScanError) -> [UInt8] {
    var scanner = JSONScanner()
    _ = try scanner.next(text)
    let start = scanner.position
    let notes = try scanner.skipValue(text)
    let end = scanner.position
    if scanner.skipWhitespace(text) != nil { throw ScanError(.trailingContent, scanner.position) }
    if let violation = notes.violation { throw violation }
    var compact: [UInt8] = []
    Self.compact(text.extracting(start..<end), into: &compact)
    return compact
  }

  /// Replaces the contents of `output` with a copy of a well-formed value, without insignificant
  /// whitespace.
  package static func compact(_ value: Span<UInt8>, into output: inout [UInt8]) {
    output.removeAll(keepingCapacity: true)
    output.append(addingCapacity: value.count) { output in
      var isInString = false
      var isEscaped = false
      for index in value.indices {
        let byte = value[index]
        if !isInString && byte <= 0x20 { continue }
        if byte == UInt8(ascii: "\"") && !isEscaped { isInString.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        output.append(byte)
      }
    }
  }
}
