import Foundation
package import Testing

/// How much of the test suite runs, as the environment variable `DATACTL_TESTS` says.
package enum TestTier: String, CaseIterable, Comparable, Sendable {
  /// Fast tests on memory and SQLite, with few random cases: `make check`.
  case check
  /// What CI runs: `make test`. The default.
  case test
  /// Everything: `make test-all`.
  case all

  package static let current =
    ProcessInfo.processInfo.environment["DATACTL_TESTS"].flatMap(TestTier.init) ?? .test

  private var rank: Int {
    switch self {
    case .check: 0
    case .test: 1
    case .all: 2
    }
  }

  package static func < (left: TestTier, right: TestTier) -> Bool { left.rank < right.rank }
}

/// The seeds of a random test.
package enum Seeds {
  /// Returns as many seeds as the current tier runs, or as many as the environment variable
  /// `ITERATIONS` says.
  package static func count(check: Int = 2, test: Int, all: Int) -> Range<Int> {
    let given = ProcessInfo.processInfo.environment["ITERATIONS"].flatMap { Int($0) }
    let count =
      switch TestTier.current {
      case .check: check
      case .test: test
      case .all: all
      }
    return 0..<max(1, given ?? count)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test in a tier and in the larger ones.
  package static func from(_ tier: TestTier) -> Self {
    .enabled(if: TestTier.current >= tier, "runs in the tier \(tier.rawValue)")
  }
}

extension Tag {
  /// The test needs a PostgreSQL server, which it starts by itself.
  @Tag package static var postgres: Self
  /// The test runs the program as a child process.
  @Tag package static var process: Self
  /// The test generates its cases from seeds.
  @Tag package static var random: Self
  /// The test takes more than a few seconds.
  @Tag package static var slow: Self
}
