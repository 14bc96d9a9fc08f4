import PostgresHarness
import Testing

/// Where the stores of tests are kept.
enum StoreKind: CaseIterable {
  case file
  case postgres

  /// The kind of store that a place has unless it is told another.
  @TaskLocal static var current = StoreKind.file

  /// A database for one place; none if its store is a file.
  func newDatabase() throws -> String? {
    switch self {
    case .file: nil
    case .postgres: try PostgresServer.shared.get().newDatabase()
    }
  }

  /// The address of the store of a place.
  func address(_ database: String?) throws -> String {
    guard let database else { return "sqlite:shop.db" }
    return try PostgresServer.shared.get().address(database)
  }
}

/// Runs each test of a suite once for every kind of store, and says with an issue which it was.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for kind in StoreKind.allCases {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("with a store of the kind: \(kind)")
        return issue
      }
      try await naming.provideScope(for: test, testCase: testCase) {
        do {
          try await StoreKind.$current.withValue(kind) { try await function() }
        } catch {
          Issue.record(error)
        }
      }
    }
  }
}

extension Trait where Self == EveryStore {
  /// Once with a store in a file, and once with one on PostgreSQL.
  static var onEveryStore: Self { EveryStore() }
}
