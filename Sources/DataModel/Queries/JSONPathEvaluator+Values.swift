package import JSONText

extension JSONPathEvaluator {
  /// Returns the value at a path of nested keys, or null if the path does not exist.
  ///
  /// Strings, numbers, and booleans are returned as values; objects and arrays are returned as
  /// JSON. A number becomes an integer if it fits in 64 bits. Other numbers become the nearest
  /// double, which is infinite if the number exceeds the largest double.
  package static func value(under keys: [String], in text: Span<UInt8>) -> Value {
    range(under: keys, in: text).map { scalar(text.extracting($0)) } ?? .null
  }

  /// Returns the JSON text at a path of nested keys, or null if the path does not exist.
  package static func text(under keys: [String], in text: Span<UInt8>) -> Value {
    guard let range = range(under: keys, in: text), !range.isEmpty else { return .null }
    return .json(String(decoding: text.extracting(range)))
  }

  /// Returns the elements of a JSON array as values, or nil if the JSON is not an array.
  package static func elements(ofArray text: Span<UInt8>) -> [Value]? {
    guard text.count > 0, text[0] == UInt8(ascii: "[") else { return nil }
    return elements(text).map { scalar(text.extracting($0)) }
  }

  /// Returns the texts of the elements of the array at a path of nested keys, without those that are
  /// equal to an earlier one.
  package static func distinctElements(under keys: [String], in text: Span<UInt8>) -> [String] {
    guard let range = range(under: keys, in: text) else { return [] }
    let list = text.extracting(range)
    var seen: Set<Value> = []
    var texts: [String] = []
    for range in elements(list) {
      let element = list.extracting(range)
      if seen.insert(scalar(element)).inserted { texts.append(String(decoding: element)) }
    }
    return texts
  }

  /// Converts JSON text to a value. Objects and arrays remain JSON text.
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
}
