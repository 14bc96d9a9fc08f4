import JSONText

/// The formats of other programs in which values are accepted, such as `yes`, `1'234.5`, times
/// without seconds, and seconds since the Unix epoch.
package struct Lenience: Hashable, Sendable {
  /// The character before the decimal places of numbers.
  package enum DecimalMark: String, CaseIterable, Sendable {
    case comma = ","
    case point = "."

    fileprivate var byte: UInt8 { UInt8(ascii: self == .comma ? "," : ".") }
    fileprivate var other: UInt8 { UInt8(ascii: self == .comma ? "." : ",") }
  }

  /// The order of day, month and year in dates such as `24.12.2026`.
  package enum DateOrder: String, CaseIterable, Sendable {
    case dmy
    case mdy
    case ymd
  }

  /// The decimal mark, if it was given. The other one, apostrophes and spaces then only group digits.
  /// If it is nil, it is a point, and only apostrophes group digits.
  package var decimalMark: DecimalMark?
  /// The order of the parts of dates; nil if only ISO 8601 is accepted.
  package var dates: DateOrder?
  /// The words for true and false, besides `yes`, `no`, `true`, `false`, `1` and `0`.
  package var trueWords: [String] = []
  package var falseWords: [String] = []

  package init() {}

  /// Whether a number in JSON syntax has another meaning, because its point groups digits.
  package var hasDecimalCommas: Bool { decimalMark == .comma }

  /// Returns the boolean for a text such as `yes` or `0`, in uppercase or lowercase. Returns nil
  /// for other texts.
  package func boolean(_ text: Span<UInt8>) -> Bool? {
    if trueWords.isEmpty, falseWords.isEmpty, text.count > 5 { return nil }
    let word = String(decoding: text).lowercased()
    switch word {
    case "yes", "true", "1": return true
    case "no", "false", "0": return false
    default: break
    }
    if trueWords.contains(where: { $0.lowercased() == word }) { return true }
    return falseWords.contains { $0.lowercased() == word } ? false : nil
  }

  /// Converts a number to JSON syntax by removing the characters that group its digits in threes, as
  /// in `1'234.5`. Returns nil if the text is not a number.
  package func number(_ text: Span<UInt8>) -> [UInt8]? {
    var number: [UInt8] = []
    // The number of digits in the current group, or nil before the first separator.
    var group: Int?
    var isInteger = true
    var index = 0
    while index < text.count {
      let size = groupSeparatorSize(text, index)
      if size > 0 {
        let digits = number.drop { $0 == UInt8(ascii: "-") }.count
        guard isInteger, group == nil ? 1...3 ~= digits : group == 3 else { return nil }
        group = 0
        index += size
        continue
      }
      var byte = text[index]
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      if !isDigit, !number.isEmpty {
        if isInteger, let group, group != 3 { return nil }
        isInteger = false
      }
      if isInteger, isDigit { group = group.map { $0 + 1 } }
      if byte == decimalMark?.byte { byte = UInt8(ascii: ".") }
      number.append(byte)
      index += 1
    }
    if isInteger, let group, group != 3 { return nil }
    return NumberText.isJSONNumber(number.span) ? number : nil
  }

  /// Returns the number of bytes of the separator of groups at an offset, or 0 if there is none.
  private func groupSeparatorSize(_ text: Span<UInt8>, _ index: Int) -> Int {
    if text[index] == UInt8(ascii: "'") { return 1 }
    // U+2019, the typographic apostrophe.
    if Self.begins(text, index, [0xE2, 0x80, 0x99]) { return 3 }
    guard let decimalMark else { return 0 }
    if text[index] == decimalMark.other || text[index] == 0x20 { return 1 }
    // Spaces that do not break lines: U+00A0, U+2009 and U+202F.
    if Self.begins(text, index, [0xC2, 0xA0]) { return 2 }
    return Self.begins(text, index, [0xE2, 0x80, 0x89])
      || Self.begins(text, index, [0xE2, 0x80, 0xAF]) ? 3 : 0
  }

  private static func begins(_ text: Span<UInt8>, _ index: Int, _ bytes: [UInt8]) -> Bool {
    text.extracting(index...).extracting(first: bytes.count).isEqual(toBytes: bytes)
  }

  /// Converts a date in the given order, such as `24.12.2026`, to ISO 8601. A time can follow it.
  /// Returns nil for other texts, and if no order was given.
  package func isoText(_ text: Span<UInt8>) -> [UInt8]? {
    guard let dates else { return nil }
    var numbers: [[UInt8]] = [[]]
    var separator: UInt8?
    var index = 0
    while index < text.count, text[index] != 0x20, text[index] != UInt8(ascii: "T") {
      switch text[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): numbers[numbers.count - 1].append(text[index])
      case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"):
        guard separator ?? text[index] == text[index], numbers.count < 3 else { return nil }
        separator = text[index]
        numbers.append([])
      default: return nil
      }
      index += 1
    }
    guard numbers.count == 3 else { return nil }
    let (year, month, day) =
      switch dates {
      case .dmy: (numbers[2], numbers[1], numbers[0])
      case .mdy: (numbers[2], numbers[0], numbers[1])
      case .ymd: (numbers[0], numbers[1], numbers[2])
      }
    guard year.count == 4, 1...2 ~= month.count, 1...2 ~= day.count else { return nil }
    var iso = year
    for part in [month, day] {
      iso.append(UInt8(ascii: "-"))
      if part.count == 1 { iso.append(UInt8(ascii: "0")) }
      iso += part
    }
    iso.append(copying: text.extracting(index...))
    return iso
  }
}
