import ProgramHarness
import Testing

/// What a convention is tried on: the program keeps it, and a stand-in that breaks it is caught.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case datactl
  /// The program, with its store on PostgreSQL.
  case postgres
  case brokenStandIn

  /// Those on which a convention is tried that speaks of files, or of no store at all.
  static let withoutServer: [Subject] = [.datactl, .brokenStandIn]

  var testDescription: String {
    switch self {
    case .datactl: "datactl"
    case .postgres: "datactl on PostgreSQL"
    case .brokenStandIn: "a stand-in that breaks it"
    }
  }

  /// Checks line `number` of the conventions in a place of its own.
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
        // Caught, as it should be.
      }
    }
  }
}
