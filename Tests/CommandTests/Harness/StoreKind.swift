import PostgresHarness
import Testing

/// The kind of store that tests use.
enum StoreKind: CaseIterable {
  case file
  case postgres

  /// The kind of store that a test folder has by default.
  @TaskLocal static var current = StoreKind.file

  /// Creates a database for one test folder; returns nil if its store is a file.
  func newDatabase() throws -> String? {
    switch self {
    case .file: nil
    case .postgres: try PostgresServer.shared.get().newDatabase()
    }
  }

  /// Returns the address of the store of a test folder.
  func address(_ database: String?) throws -> String {
    guard let database else { return "sqlite:shop.db" }
    return try PostgresServer.shared.get().address(database)
  }
}

/// Runs each test of a suite once for every kind of store, and adds the kind to each issue.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for kind in StoreKind.allCases {
      let addingKind = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("with a store of the kind: \(kind)")
        return issue
      }
      try await addingKind.provideScope(for: test, testCase: testCase) {
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
  /// Runs tests once with a store in a file, and once on PostgreSQL.
  static var onEveryStore: Self { EveryStore() }
}
