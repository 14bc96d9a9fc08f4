import ProgramHarness
import Testing

/// The program that a contract is tested on: datactl, which must fulfill it, or a fake that must
/// fail.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case datactl
  /// The program with a store on PostgreSQL.
  case postgres
  case brokenStandIn

  /// The subjects of contracts that concern files, or no store at all.
  static let withoutServer: [Subject] = [.datactl, .brokenStandIn]

  var testDescription: String {
    switch self {
    case .datactl: "datactl"
    case .postgres: "datactl on PostgreSQL"
    case .brokenStandIn: "a stand-in that breaks it"
    }
  }

  /// Tests contract `number` in a new test folder.
  func keeps(_ number: Int, _ convention: (Place) throws -> Void) throws {
    switch self {
    case .datactl:
      try convention(try Place())
    case .postgres:
      try StoreKind.$current.withValue(.postgres) { try convention(try Place()) }
    case .brokenStandIn:
      let script = Binary.file("Tests/CommandTests/StandIns/broken.sh")
      let place = try Place(standIn: ["/bin/sh", script, "\(number)"])
      do {
        try convention(place)
        Issue.record("the stand-in that breaks convention \(number) was not caught")
      } catch is Violation {
        // The fake was caught, as expected.
      }
    }
  }
}
