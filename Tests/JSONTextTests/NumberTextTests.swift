import Foundation
import JSONText
import TestSupport
import Testing

@Suite("Parsing and formatting of numbers")
struct NumberTextTests {
  @Test(
    "accepts numbers in JSON syntax",
    arguments: [
      "0", "-0", "5", "-5", "10", "5.0", "0.5", "-0.25", "1e3", "1E3", "1e+3", "1e-3", "0e0",
      "1.5e07", "123456789012345678901234567890", "1e999999",
    ])
  func numbers(text: String) {
    #expect(NumberText.isJSONNumber(Array(text.utf8).span) == true)
  }

  @Test(
    "rejects text that is not a JSON number",
    arguments: [
      "", "-", "+1", "01", "-01", "00", ".5", "5.", "1.e3", "e3", "1e", "1e+", "1e-", "1e1.5", " 1",
      "1 ", "1\n", "1,5", "0x10", "1_000", "NaN", "Infinity", "-Infinity", "inf", "--1", "1-",
      "1.2.3",
      "١", "1e3e3", "1\u{0}",
    ])
  func notNumbers(text: String) {
    #expect(NumberText.isJSONNumber(Array(text.utf8).span) == false)
  }

  @Test(
    "parses a 64-bit integer exactly, also if it is written as 1e3 or 5.0",
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0", 0), ("0e5", 0), ("0e99999999999999999999", 0),
      ("0.000e-99999999999999999999", 0), ("5", 5), ("-5", -5), ("5.0", 5), ("5.000", 5),
      ("1e3", 1_000),
      ("1E+3", 1_000), ("0.5e1", 5), ("100e-2", 1), ("-100e-2", -1), ("1.23e2", 123),
      ("1200e-2", 12), ("0.0012e4", 12), ("1.0e0", 1), ("10e-1", 1),
      ("1e18", 1_000_000_000_000_000_000),
      ("999999999999999999", 999_999_999_999_999_999), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
      ("922337203685477580.7e1", .max), ("-92233720368547758080e-1", .min),
      ("9007199254740993", 9_007_199_254_740_993),
    ] as [(String, Int64)])
  func integers(text: String, value: Int64) throws {
    #expect(try NumberText.integer(Array(text.utf8).span) == value)
  }

  @Test(
    "rejects a number that is not a 64-bit integer, and reports the cause",
    arguments: [
      ("5.5", .fraction), ("-0.1", .fraction), ("1e-1", .fraction), ("1e-400", .fraction),
      ("100e-3", .fraction), ("1e-99999999999999999999", .fraction),
      ("9223372036854775807.5", .fraction),
      ("9223372036854775808", .beyond64Bits), ("-9223372036854775809", .beyond64Bits),
      ("1e19", .beyond64Bits), ("1E400", .beyond64Bits), ("18446744073709551616", .beyond64Bits),
      ("9999999999999999999", .beyond64Bits), ("10000000000000000000", .beyond64Bits),
      ("-1e99999999999999999999", .beyond64Bits), ("36893488147419103233", .beyond64Bits),
    ] as [(String, NumberText.ParseError)])
  func notIntegers(text: String, expectedError: NumberText.ParseError) {
    #expect(throws: expectedError) { try NumberText.integer(Array(text.utf8).span) }
  }

  @Test("parses numbers of thousands of digits exactly")
  func manyDigits() throws {
    let zeros = String(repeating: "0", count: 5_000)
    #expect(try NumberText.integer(Array("7.\(zeros)".utf8).span) == 7)
    #expect(try NumberText.integer(Array("7\(zeros)e-5000".utf8).span) == 7)
    #expect(try NumberText.integer(Array("0.\(zeros)7e5001".utf8).span) == 7)
    #expect(throws: NumberText.ParseError.fraction) {
      try NumberText.integer(Array("7.\(zeros)1".utf8).span)
    }
    #expect(throws: NumberText.ParseError.beyond64Bits) {
      try NumberText.integer(Array("7\(zeros)".utf8).span)
    }
    #expect(try NumberText.double(Array("0.\(zeros)7e5001".utf8).span) == 7)
    #expect(try NumberText.double(Array("7.\(zeros)1".utf8).span) == 7)
    #expect(throws: NumberText.ParseError.beyondLargest) {
      try NumberText.double(Array("7\(zeros)".utf8).span)
    }
    #expect(throws: NumberText.ParseError.becomesZero) {
      try NumberText.double(Array("0.\(zeros)7".utf8).span)
    }
  }

  @Test(
    "parses an integer that is written only with digits",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1234567890123456789", 1_234_567_890_123_456_789),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func digits(text: String, value: Int64) throws {
    #expect(try NumberText.integer(fromDigits: Array(text.utf8).span) == value)
  }

  @Test(
    "rejects an integer that contains characters other than digits, and reports the cause",
    arguments: [
      ("", .notANumber), ("-", .notANumber), ("+7", .notANumber), ("07", .notANumber),
      ("-07", .notANumber), ("00", .notANumber), (" 7", .notANumber), ("7 ", .notANumber),
      ("7.0", .notANumber), ("1e3", .notANumber), ("0x7", .notANumber), ("--7", .notANumber),
      ("7-", .notANumber), ("seven", .notANumber), ("1234567890123456789012x", .notANumber),
      ("9223372036854775808", .beyond64Bits), ("-9223372036854775809", .beyond64Bits),
      ("18446744073709551617", .beyond64Bits), ("99999999999999999999999", .beyond64Bits),
    ] as [(String, NumberText.ParseError)])
  func notDigits(text: String, expectedError: NumberText.ParseError) {
    #expect(throws: expectedError) { try NumberText.integer(fromDigits: Array(text.utf8).span) }
  }

  @Test(
    "parses a number as the nearest double",
    arguments: [
      ("0", 0), ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23),
      ("1e-22", 1e-22),
      ("9007199254740993", 9_007_199_254_740_992), ("9007199254740992", 9_007_199_254_740_992),
      ("9007199254740993.0000000000000000000001", 9_007_199_254_740_994),
      ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
      ("5e-324", .leastNonzeroMagnitude),
      ("2.2250738585072011e-308", Double(bitPattern: 0x000F_FFFF_FFFF_FFFF)),
      ("4.9e-324", .leastNonzeroMagnitude),
      ("3e-324", .leastNonzeroMagnitude),
      ("123456789012345678", 123_456_789_012_345_680), ("0.30000000000000004", 0.30000000000000004),
      ("100000000000000000000000e-1", 1e22), ("1e0", 1),
    ] as [(String, Double)])
  func doubles(text: String, value: Double) throws {
    #expect(try NumberText.double(Array(text.utf8).span) == value)
  }

  @Test(
    "parses negative zero as zero, even if it is written as -0.0 or -0e5",
    arguments: ["0", "-0", "-0.0", "-0e400", "0e-999"])
  func zeros(text: String) throws {
    #expect(try NumberText.double(Array(text.utf8).span).bitPattern == 0)
  }

  @Test(
    "rejects a number outside the range of a double",
    arguments: [
      ("1e400", .beyondLargest), ("-1e400", .beyondLargest),
      ("1.7976931348623159e308", .beyondLargest),
      ("1e99999999999999999999", .beyondLargest), ("1e-400", .becomesZero),
      ("-1e-400", .becomesZero),
      ("2e-324", .becomesZero), ("1e-99999999999999999999", .becomesZero),
    ] as [(String, NumberText.ParseError)])
  func notDoubles(text: String, expectedError: NumberText.ParseError) {
    #expect(throws: expectedError) { try NumberText.double(Array(text.utf8).span) }
  }

  @Test(
    "writes the shortest text that parses to the same double",
    arguments: [
      (0, "0"), (-0.0, "0"), (100, "100"), (-1.5, "-1.5"), (0.1, "0.1"), (1e16, "1e16"),
      (1e-5, "1e-5"),
      (.leastNonzeroMagnitude, "5e-324"), (1.5e-10, "1.5e-10"), (-2.5e-7, "-2.5e-7"),
      (1e22, "1e22"),
      (1e100, "1e100"),
      (9_007_199_254_740_991, "9007199254740991"), (-9_007_199_254_740_991, "-9007199254740991"),
      (9_007_199_254_740_992, "9007199254740992"), (1e15, "1000000000000000"),
      (0.30000000000000004, "0.30000000000000004"),
      (.greatestFiniteMagnitude, "1.7976931348623157e308"), (1.0e-20, "1e-20"), (0.0001, "0.0001"),
    ] as [(Double, String)])
  func writingDoubles(value: Double, text: String) {
    var output = Array("=".utf8)
    NumberText.write(value, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "=" + text)
  }

  @Test(
    "infers the type number only for decimals that a double stores without a change",
    arguments: [
      ("0.1", true), ("0.10000000000000001", true), ("0.10000000000000004", false),
      ("0.30000000000000004", true), ("79791028006462.35", false), ("79791028006462.34", true),
      ("79791028006462.344", true), ("9007199254740993.5", false), ("890898264474.4737", false),
      ("890898264474.47375", true), ("0.12345678901234567890123", false), ("4.9e-324", true),
      ("4.9406564584124654e-324", true), ("3e-324", false), ("1.7976931348623157e308", true),
      ("-2.2250738585072014e-308", true), ("1e22", true), ("47.376886999999996", true),
      ("1e400", false), ("-0.0", true), ("-0e5", true),
    ])
  func losslessDecimals(text: String, isLossless: Bool) {
    #expect((NumberText.losslessType(of: Array(text.utf8).span) != .text) == isLossless)
  }

  @Test(
    "infers a number type for every double that is printed with 15 to 17 digits",
    arguments: [UInt64(25), 26])
  func printedDoubles(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for turn in 0..<10_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = String(format: "%.\(14 + turn % 3)e", value)
      #expect(
        NumberText.losslessType(of: Array(text.utf8).span) != .text, "seed \(seed): \(text)")
    }
  }

  @Test(
    "writes a decimal with all digits after the point",
    arguments: [
      (0, 2, "0.00"), (5, 2, "0.05"), (-5, 1, "-0.5"), (100, 2, "1.00"), (-12_345, 2, "-123.45"),
      (999_999_999_999_999_999, 18, "0.999999999999999999"),
      (-999_999_999_999_999_999, 1, "-99999999999999999.9"), (1, 18, "0.000000000000000001"),
    ] as [(Int64, Int, String)])
  func writingDecimals(value: Int64, scale: Int, text: String) {
    var output = Array("=".utf8)
    output.append(addingCapacity: NumberText.maxTextLength) {
      $0.append(decimal: value, scale: scale)
    }
    #expect(String(decoding: output, as: UTF8.self) == "=" + text)
  }

  @Test(
    "writes an integer as decimal digits",
    arguments: [0, 7, -7, 10, 99, 100, -1_000, 999_999_999_999_999_999, .max, .min, .min + 1]
      as [Int64])
  func writingIntegers(value: Int64) {
    var output = Array("=".utf8)
    NumberText.write(value, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "=" + String(value))
  }

  @Test(
    "returns random doubles unchanged after writing and parsing them", arguments: [UInt64(21), 22])
  func doublesRoundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for turn in 0..<20_000 {
      var value = Double(bitPattern: random.next())
      if turn % 3 == 0 {
        value = Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 100
      }
      if turn % 3 == 1 { value = Double(Int64(bitPattern: random.next()) >> (random.next() % 64)) }
      guard value.isFinite else { continue }
      var text: [UInt8] = []
      NumberText.write(value, to: &text)
      let comment: Comment = "seed \(seed): \(value)"
      #expect(try NumberText.double(text.span) == value, comment)
      #expect(NumberText.isJSONNumber(text.span) == true, comment)
      #expect(text.count <= value.description.utf8.count, comment)
      #expect(!text.contains(UInt8(ascii: "+")), comment)
      #expect(!String(decoding: text, as: UTF8.self).hasSuffix(".0"), comment)
    }
  }

  @Test(
    "returns random integers unchanged after writing and parsing them", arguments: [UInt64(23), 24])
  func integersRoundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      let value = Int64(bitPattern: random.next()) >> (random.next() % 64)
      var text: [UInt8] = []
      NumberText.write(value, to: &text)
      #expect(String(decoding: text, as: UTF8.self) == String(value), "seed \(seed)")
      #expect(try NumberText.integer(text.span) == value, "seed \(seed): \(value)")
      #expect(try NumberText.integer(fromDigits: text.span) == value, "seed \(seed): \(value)")
    }
  }

  @Test(
    "parses random numbers into the same values as the standard library",
    arguments: [UInt64(25), 26])
  func sameAsStandardLibrary(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<30_000 {
      let text = randomNumber(using: &random)
      let expected = try #require(Double(text))
      let bytes = Array(text.utf8)
      #expect(NumberText.isJSONNumber(bytes.span) == true, "seed \(seed): \(text)")
      let isZero = !text.prefix { $0 != "e" }.contains { ("1"..."9").contains($0) }
      if expected.isInfinite {
        #expect(throws: NumberText.ParseError.beyondLargest, "seed \(seed): \(text)") {
          try NumberText.double(bytes.span)
        }
      } else if expected == 0 && !isZero {
        #expect(throws: NumberText.ParseError.becomesZero, "seed \(seed): \(text)") {
          try NumberText.double(bytes.span)
        }
      } else {
        #expect(try NumberText.double(bytes.span) == expected, "seed \(seed): \(text)")
      }
      if let integer = try? NumberText.integer(bytes.span) {
        #expect(Double(integer) == expected, "seed \(seed): \(text)")
      } else {
        let isWhole = expected == expected.rounded() && expected.magnitude < 0x1p53
        let hasFraction = text.contains(".") || text.contains("e-")
        #expect(!isWhole || hasFraction, "seed \(seed): \(text)")
      }
    }
  }

  private func randomNumber(using random: inout SeededRandom) -> String {
    func digits(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 1...most, using: &random)).map { _ in
          "0000123456789".randomElement(using: &random) ?? "0"
        })
    }
    var text = Bool.random(using: &random) ? "-" : ""
    let whole = digits(24).drop { $0 == "0" }
    text += whole.isEmpty ? "0" : whole
    if Bool.random(using: &random) { text += "." + digits(24) }
    if Bool.random(using: &random) { text += "e\(Int.random(in: -40...40, using: &random))" }
    if Int.random(in: 0..<50, using: &random) == 0, !text.contains("e") {
      text += "e\(Int.random(in: -400...400, using: &random))"
    }
    return text
  }

  @Test("writes short decimals with the same digits as the standard library")
  func shortDecimals() throws {
    var generator = SeededRandom(seed: 5)
    for _ in 0..<20_000 {
      let scale = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].randomElement(
        using: &generator)
      let units = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator)
      let value =
        Double(units >> Int64.random(in: 0...30, using: &generator)) / Double(try #require(scale))
      let text = NumberText.text(value)
      #expect(Double(text) == value)
      let description = value.description
      if !description.contains("e") {
        #expect(
          text == (description.hasSuffix(".0") ? String(description.dropLast(2)) : description))
      }
    }
  }
}
