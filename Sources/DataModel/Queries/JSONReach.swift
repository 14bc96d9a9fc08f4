/// Evaluates paths of keys in JSON that was validated when it was saved: text without insignificant
/// whitespace.
///
/// Invalid JSON, which only occurs in a damaged store, gives null or no elements.
package struct JSONPathEvaluator {
  private(set) var offset = 0

  /// Returns the value at a path of nested keys; null if it does not exist.
  ///
  /// Strings, numbers, and booleans are returned as values, objects and arrays as JSON. A number
  /// becomes an integer if it fits in 64 bits. Other numbers become the nearest double, which is
  /// infinite if the number exceeds the largest double.
  package static func value(under keys: [String], in text: Span<UInt8>) -> Value {
    range(under: keys, in: text).map { scalar(text.extracting($0)) } ?? .null
  }

  /// Returns the elements of a JSON array, or nil for other JSON.
  package static func elements(ofArray text: Span<UInt8>) -> [Value]? {
    guard text.count > 0, text[0] == UInt8(ascii: "[") else { return nil }
    return elements(text).map { scalar(text.extracting($0)) }
  }

  /// Returns the value of a JSON scalar; objects and arrays are returned as JSON.
  package static func scalar(_ text: Span<UInt8>) -> Value {
    guard text.count > 0 else { return .null }
    switch text[0] {
    case UInt8(ascii: "\""): return unquoted(text).map(Value.text) ?? .null
    case UInt8(ascii: "t"): return .boolean(true)
    case UInt8(ascii: "f"): return .boolean(false)
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json(String(decoding: text))
    default: return number(text)
    }
  }

  private static func number(_ text: Span<UInt8>) -> Value {
    guard NumberText.isJSONNumber(text) else { return .null }
    if let integer = try? NumberText.integer(text) { return .integer(integer) }
    do throws(NumberText.ParseError) {
      return .number(try NumberText.double(text))
    } catch {
      switch error {
      case .beyondLargest: return .number(text[0] == UInt8(ascii: "-") ? -.infinity : .infinity)
      case .becomesZero: return .integer(0)
      case .notANumber, .fraction, .beyond64Bits: return .null
      }
    }
  }

  private static func range(under keys: [String], in text: Span<UInt8>) -> Range<Int>? {
    var evaluator = JSONPathEvaluator()
    for key in keys {
      guard evaluator.moveToValue(key, in: text) else { return nil }
    }
    let start = evaluator.offset
    evaluator.skipValue(text)
    return start..<evaluator.offset
  }

  private static func elements(_ text: Span<UInt8>) -> [Range<Int>] {
    guard text.count > 1, text[0] == UInt8(ascii: "["), text[1] != UInt8(ascii: "]") else {
      return []
    }
    var evaluator = JSONPathEvaluator(offset: 1)
    var ranges: [Range<Int>] = []
    while evaluator.offset < text.count {
      let start = evaluator.offset
      evaluator.skipValue(text)
      guard evaluator.offset > start else { break }
      ranges.append(start..<evaluator.offset)
      guard evaluator.skip(",", text) else { break }
    }
    return ranges
  }

  /// Moves to the value of a key, if the current offset is at an object that has the key.
  private mutating func moveToValue(_ key: String, in text: Span<UInt8>) -> Bool {
    guard skip("{", text) else { return false }
    while offset < text.count, text[offset] == UInt8(ascii: "\"") {
      let start = offset
      skipString(text)
      let name = text.extracting(start..<offset)
      guard skip(":", text) else { return false }
      if Self.isQuoted(key, name) { return true }
      skipValue(text)
      guard skip(",", text) else { return false }
    }
    return false
  }

  private static func isQuoted(_ key: String, _ quoted: Span<UInt8>) -> Bool {
    unquoted(quoted).map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }

  mutating func skip(_ mark: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  /// Skips a value with all its nested values.
  mutating func skipValue(_ text: Span<UInt8>) {
    var depth = 0
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""):
        skipString(text)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return }
      default: break
      }
      offset += 1
    }
  }

  mutating func skipString(_ text: Span<UInt8>) {
    offset += 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    offset = min(offset + 1, text.count)
  }
}
