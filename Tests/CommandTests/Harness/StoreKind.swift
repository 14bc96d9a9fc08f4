import PostgresHarness
import TestSupport
import Testing

/// The kind of store that a test uses.
enum StoreKind: CaseIterable {
  case file
  case postgres

  /// The kind of store that new test folders use, unless a store is given.
  @TaskLocal static var current = StoreKind.file

  /// Creates a database for one test folder and returns its name. Returns nil for a store in a
  /// file.
  func newDatabase() throws -> String? {
    switch self {
    case .file: nil
    case .postgres: try PostgresServer.shared.get().newDatabase()
    }
  }

  /// Returns the address of a test folder's store: the given database, or a file if it is nil.
  func address(_ database: String?) throws -> String {
    guard let database else { return "sqlite:shop.db" }
    return try PostgresServer.shared.get().address(database)
  }
}

/// Runs each test once for every kind of store, and adds the kind to each reported issue.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var kinds = StoreKind.allCases

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for kind in kinds {
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
  /// Runs each test twice: with a store in a file, and with one in PostgreSQL.
  static var onEveryStore: Self { EveryStore() }

  /// Runs each test with a store in a file and, in the tier `all`, again with one in PostgreSQL.
  static var onEveryStoreInAll: Self {
    EveryStore(kinds: TestTier.current == .all ? StoreKind.allCases : [.file])
  }
}
