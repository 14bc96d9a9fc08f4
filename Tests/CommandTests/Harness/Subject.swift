import ProgramHarness
import TestSupport
import Testing

/// The program for which a contract is tested: datactl, which must fulfill the contract, or a fake,
/// which must violate it.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case datactl
  /// datactl with a store in PostgreSQL.
  case postgres
  case brokenFake

  /// The subjects in the current tier. That a contract detects a program that violates it only changes
  /// with the contract, so the fakes are left to `make test-all`.
  static let inTier = TestTier.current == .all ? allCases : [.datactl, .postgres]

  /// The subjects for contracts about files, or about commands that use no store.
  static let withoutServer = inTier.filter { $0 != .postgres }

  var testDescription: String {
    switch self {
    case .datactl: "datactl"
    case .postgres: "datactl on PostgreSQL"
    case .brokenFake: "a fake that breaks it"
    }
  }

  /// Tests the contract with the given number in a new test folder.
  func checkContract(_ number: Int, _ contract: (TestFolder) throws -> Void) throws {
    switch self {
    case .datactl:
      try contract(try TestFolder())
    case .postgres:
      try StoreKind.$current.withValue(.postgres) { try contract(try TestFolder()) }
    case .brokenFake:
      let script = Binary.file("Tests/CommandTests/Fakes/broken.sh")
      let folder = try TestFolder(fake: ["/bin/sh", script, "\(number)"])
      do {
        try contract(folder)
        Issue.record("the fake that breaks contract \(number) was not caught")
      } catch is Violation {
        // This is expected: the contract detected the fake.
      }
    }
  }
}
