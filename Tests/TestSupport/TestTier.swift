import Foundation
package import Testing

/// The part of the test suite that runs. The environment variable `DATACTL_TESTS` selects it.
package enum TestTier: String, CaseIterable, Comparable, Sendable {
  /// Fast tests in the test process, on the memory store and the SQLite store, with few random
  /// cases: `make check`.
  case check
  /// The tests that CI runs: `make test`. This is the default.
  case test
  /// All tests, also those with simulated systems, such as Citus, and with programs that violate
  /// the contract: `make test-all`.
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

/// The seeds of a test with random cases.
package enum Seeds {
  /// Returns the seeds for the current tier. The environment variable `ITERATIONS` overrides their
  /// number.
  package static func count(check: Int = 2, test: Int, all: Int) -> Range<Int> {
    let given = ProcessInfo.processInfo.environment["ITERATIONS"].flatMap { Int($0) }
    let count =
      switch TestTier.current {
      case .check: min(check, test)
      case .test: test
      case .all: all
      }
    return 0..<max(1, given ?? count)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test only in the given tier and in larger tiers.
  package static func from(_ tier: TestTier) -> Self {
    .enabled(if: TestTier.current >= tier, "runs in the tier \(tier.rawValue)")
  }

  /// Skips a test if something that it needs is missing. If the environment variable
  /// `DATACTL_REQUIRE_ALL` is 1, the test runs in any case, and fails.
  ///
  /// - Parameter need: What is missing.
  package static func needs(_ isAvailable: Bool, _ need: Comment) -> Self {
    let requiresAll = ProcessInfo.processInfo.environment["DATACTL_REQUIRE_ALL"] == "1"
    return .enabled(if: isAvailable || requiresAll, need)
  }
}

extension Tag {
  /// The test needs a PostgreSQL server, which it starts itself.
  @Tag package static var postgres: Self
  /// The test runs the program as a child process.
  @Tag package static var process: Self
  /// The test generates random cases from seeds.
  @Tag package static var random: Self
  /// The test takes more than a second.
  @Tag package static var slow: Self
}
