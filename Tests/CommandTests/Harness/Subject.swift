import ProgramHarness
import Testing

/// The program that a contract is tested on: datactl, which must fulfill it, or a fake that must
/// fail.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case datactl
  /// The program with a store on PostgreSQL.
  case postgres
  case brokenFake

  /// The subjects of contracts that concern files, or no store at all.
  static let withoutServer: [Subject] = [.datactl, .brokenFake]

  var testDescription: String {
    switch self {
    case .datactl: "datactl"
    case .postgres: "datactl on PostgreSQL"
    case .brokenFake: "a fake that breaks it"
    }
  }

  /// Tests contract `number` in a new test folder.
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
        Issue.record("the fake that breaks convention \(number) was not caught")
      } catch is Violation {
        // The fake was caught, as expected.
      }
    }
  }
}
