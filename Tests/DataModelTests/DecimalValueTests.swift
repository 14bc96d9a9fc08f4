import DataModel
import Testing

@Suite("Decimal numbers")
struct DecimalValueTests {
  @Test(
    "parses a JSON number exactly and keeps its digits after the point",
    arguments: [
      ("12.50", "12.50"), ("-0", "0"), ("-0.00", "0.00"), ("1e1", "10"), ("1.5e3", "1500"),
      ("125e-4", "0.0125"), ("0e99999999999999999999", "0"),
      ("-0.000000000000000000000000000001", "-0.000000000000000000000000000001"),
      (String(repeating: "9", count: 38), String(repeating: "9", count: 38)),
      ("1.5" + String(repeating: "0", count: 60), "1.5" + String(repeating: "0", count: 36)),
    ])
  func parsing(_ text: String, _ expected: String) {
    #expect(DecimalValue(text)?.description == expected)
  }

  @Test(
    "rejects text that is not a JSON number, and numbers of more than 38 digits",
    arguments: [
      "", "x", "1.", ".5", "+1", "01", "1e400", "1e-40", String(repeating: "9", count: 39),
    ])
  func invalid(_ text: String) {
    #expect(DecimalValue(text) == nil)
  }

  @Test("compares numbers by value, whatever their scale")
  func order() throws {
    let texts = ["-1e37", "-2.05", "-2", "0", "1e-38", "0.1", "12.5", "12.51", "1e37"]
    let numbers = try texts.map { try #require(DecimalValue($0)) }
    for (index, number) in numbers.enumerated() {
      for (other, second) in numbers.enumerated() {
        #expect((number < second) == (index < other), "\(number) < \(second)")
        #expect((number == second) == (index == other), "\(number) == \(second)")
      }
    }
    let (short, long) = (try #require(DecimalValue("12.5")), try #require(DecimalValue("12.500")))
    #expect(short == long && short.hashValue == long.hashValue)
  }

  @Test(
    "rounds half away from zero",
    arguments: [
      ("4.505", 2, "4.51"), ("-4.505", 2, "-4.51"), ("4.5049", 2, "4.50"), ("0.5", 0, "1"),
      ("-0.4", 0, "0"), ("12.5", 3, "12.500"),
    ])
  func rounding(_ text: String, _ scale: Int, _ expected: String) throws {
    let number = try #require(DecimalValue(text))
    #expect(number.rounded(toScale: scale)?.description == expected)
  }

  @Test(
    "compares with the exact value of a double, however small it is",
    arguments: [0x1p-1074, 1e-300, 1e-80, 1e-39, 0x1p-128, 0x1p-129, 0x1p-127, 0.1, 1e37])
  func doubles(_ number: Double) throws {
    let zero = try #require(DecimalValue("0"))
    #expect(Value.decimal(zero).order(comparedTo: .number(number)) == .before)
    #expect(Value.decimal(zero).order(comparedTo: .number(-number)) == .after)
    let large = try #require(DecimalValue("1e38") ?? DecimalValue("9.9e37"))
    #expect(Value.decimal(large).order(comparedTo: .number(number)) == .after)
  }

  @Test("adds numbers that nearly cancel each other, whatever their scales")
  func cancelling() throws {
    let first = try #require(DecimalValue("18e36"))
    let second = try #require(DecimalValue("-9999999999999999999999999999999999999.9"))
    #expect((first + second).description == "8000000000000000000000000000000000000.1")
    #expect((second + first) == (first + second))
    #expect(second - second == DecimalValue(0))
  }

  @Test("adds and averages decimals exactly when an intermediate sum has more than 38 digits")
  func sums() throws {
    let largest = try #require(DecimalValue(String(repeating: "9", count: 38)))
    var sum = RunningSum()
    for number in [largest, largest, -largest] { sum.add(number) }
    #expect(sum.total == .decimal(largest))
    sum.add(largest)
    #expect(sum.total == .number(.infinity))
    var prices = RunningSum()
    for text in ["0.10", "0.20", "0.30"] { prices.add(try #require(DecimalValue(text))) }
    #expect(prices.total.text == "0.60" && prices.average == .number(0.2))
    var negative = RunningSum()
    for text in ["-0.01", "0.02", "-0.11"] { negative.add(try #require(DecimalValue(text))) }
    #expect(negative.total.text == "-0.10")
    #expect(negative.average == .number(-0.1 / 3))
  }
}
