import DataModel
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
    #expect(sum([1e308, 1e308, 1e308]).total == nil)
    #expect(sum([1e308, 1e308, 1e308]).average == .number(1e308))
    #expect(sum([]).total == .null)
    #expect(sum([]).average == .null)
  }
}
