import DataModel
import TestSupport
import Testing

@Suite("Running sum")
struct RunningSumTests {
  private func sum(_ numbers: [Double]) -> RunningSum {
    var sum = RunningSum()
    for number in numbers { sum.add(number) }
    return sum
  }

  @Test("computes the same nearest double whatever the order of the summands")
  func prices() {
    let prices = (0..<5_000).map { Double(($0 * 7_919) % 100_000) / 100 }
    let cents = (0..<5_000).reduce(0) { $0 + ($1 * 7_919) % 100_000 }
    let exact = Value.number(Double(cents) / 100)
    #expect(sum(prices).total == exact)
    #expect(sum(prices.reversed()).total == exact)
    #expect(sum(prices.sorted()).total == exact)
  }

  @Test("keeps small summands when large ones cancel out")
  func cancelling() {
    #expect(sum([1, 1e100, 1, -1e100]).total == .number(2))
  }

  @Test("sums and averages correctly when an intermediate sum overflows")
  func beyondTheLargest() {
    #expect(sum([1e308, 1e308, -1e308]).total == .number(1e308))
    #expect(sum([1e308, 1e308, 1e308]).total == .number(.infinity))
    #expect(sum([-1e308, -1e308, -1e308]).total == .number(-.infinity))
    #expect(sum([1e308, 1e308, 1e308]).average == .number(1e308))
    #expect(sum([]).total == .null)
    #expect(sum([]).average == .null)
  }

  @Test("rounds an average only once")
  func averages() {
    #expect(sum([0.1, 0.2, 0.3]).average == .number(0.2))
    #expect(sum([-0.1, -0.2, -0.3]).average == .number(-0.2))
    #expect(sum([0x1p-1074, 0]).average == .number(0))
    #expect(sum([0x1p-1073, 0x1p-1074]).average == .number(0x1p-1073))
    var integers = RunningSum()
    for integer: Int64 in [.max, .max, 3] { integers.add(integer) }
    #expect(integers.average == .number(Double(Int64.max / 3 * 2 + 1)))
    integers.add(0.5)
    #expect(integers.total == .number(0x1p64))
  }

  @Test("computes the same sum of two numbers as ordinary floating-point addition")
  func operations() {
    var random = SeededRandom(seed: 38)
    for width in [2, 60, 300, 1_020] {
      for _ in 0..<500 {
        func number() -> Double {
          Double(
            sign: Bool.random(using: &random) ? .plus : .minus,
            exponent: Int.random(in: -width - 50...width, using: &random),
            significand: Double.random(in: 1..<2, using: &random))
        }
        let (first, second) = (number(), number())
        #expect(sum([first, second]).total == .number(first + second), "\(first) + \(second)")
        #expect(sum([first, second, -first]).total == .number(second), "\(second)")
        #expect(sum([first, first, first]).average == .number(first), "\(first)")
        #expect(sum([first, 0, 0]).average == .number(first / 3), "\(first) / 3")
        #expect(
          sum([first] + Array(repeating: 0, count: 9)).average == .number(first / 10),
          "\(first) / 10")
      }
    }
  }
}
