import ProgramHarness
import Testing

/// What a convention is tried on: the program keeps it, and a stand-in that breaks it is caught.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case datactl
  case brokenStandIn

  var testDescription: String {
    switch self {
    case .datactl: "datactl"
    case .brokenStandIn: "a stand-in that breaks it"
    }
  }

  /// Checks line `number` of the conventions in a place of its own.
  func keeps(_ number: Int, _ convention: (Place) throws -> Void) throws {
    switch self {
    case .datactl:
      try convention(try Place())
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
