/// Reaches into JSON that was checked when it was saved: text without insignificant space.
///
/// What is not JSON after all, in a damaged store, is found nowhere.
package struct JSONReach {
  private(set) var place = 0

  /// What stands under keys, one within the other; `null` and what is not there are null.
  ///
  /// Texts, numbers and booleans come as values: a number as an integer if it is one of 64 bits, and
  /// else as the nearest double, infinite beyond the largest. Objects and arrays stay JSON.
  package static func value(under keys: [String], in text: Span<UInt8>) -> Value {
    range(under: keys, in: text).map { scalar(text.extracting($0)) } ?? .null
  }

  /// The values in an array; nil for what is none.
  package static func elements(ofArray text: Span<UInt8>) -> [Value]? {
    guard text.count > 0, text[0] == UInt8(ascii: "[") else { return nil }
    return elements(text).map { scalar(text.extracting($0)) }
  }

  /// The value that a text of JSON holds, if it holds a single one.
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
    do throws(NumberText.Fault) {
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
    var reach = JSONReach()
    for key in keys {
      guard reach.enter(key, in: text) else { return nil }
    }
    let start = reach.place
    reach.passValue(text)
    return start..<reach.place
  }

  private static func elements(_ text: Span<UInt8>) -> [Range<Int>] {
    guard text.count > 1, text[0] == UInt8(ascii: "["), text[1] != UInt8(ascii: "]") else {
      return []
    }
    var reach = JSONReach(place: 1)
    var ranges: [Range<Int>] = []
    while reach.place < text.count {
      let start = reach.place
      reach.passValue(text)
      guard reach.place > start else { break }
      ranges.append(start..<reach.place)
      guard reach.pass(",", text) else { break }
    }
    return ranges
  }

  /// Goes to the value of a key, if an object with such a key is at the place.
  private mutating func enter(_ key: String, in text: Span<UInt8>) -> Bool {
    guard pass("{", text) else { return false }
    while place < text.count, text[place] == UInt8(ascii: "\"") {
      let start = place
      passString(text)
      let name = text.extracting(start..<place)
      guard pass(":", text) else { return false }
      if Self.isQuoted(key, name) { return true }
      passValue(text)
      guard pass(",", text) else { return false }
    }
    return false
  }

  private static func isQuoted(_ key: String, _ quoted: Span<UInt8>) -> Bool {
    unquoted(quoted).map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }

  mutating func pass(_ mark: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard place < text.count, text[place] == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  /// Passes over a value, however deep, to the mark behind it.
  mutating func passValue(_ text: Span<UInt8>) {
    var depth = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""):
        passString(text)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return }
      default: break
      }
      place += 1
    }
  }

  mutating func passString(_ text: Span<UInt8>) {
    place += 1
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, text.count)
  }
}
