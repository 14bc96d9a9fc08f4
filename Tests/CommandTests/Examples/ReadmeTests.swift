import Foundation
import ProgramHarness
import Testing

@Suite("README")
struct ReadmeTests {
  @Test("the sessions print the output shown in the README")
  func session() throws {
    let folder = try TestFolder()
    let shell = try folder.withDatactlInPath("/bin/sh").with(["DATACTL_STORE": nil])
    let script = Binary.file("Tests/CommandTests/Examples/session.sh")
    let run = try shell.run([script, Binary.file("README.md")]).exits(0)
    // CSV lines end with CR LF, which a terminal does not show.
    #expect(run.lines.map { $0.replacing("\r", with: "") } == (try Self.sessions().flatMap(\.self)))
  }

  @Test("the first session has about ten commands")
  func length() throws {
    let first = try #require(try Self.sessions().first)
    let commands = first.filter { $0.hasPrefix("$ ") }
    #expect((8...12).contains(commands.count))
    for part in ["schema create", "save", "get", "list", "jq", "delete"] {
      #expect(commands.contains { $0.contains(part) }, "\(part) is missing")
    }
  }

  /// Returns the lines of each session.
  private static func sessions() throws -> [[String]] {
    var sessions: [[String]] = []
    var isInside = false
    for line in try Binary.text(of: "README.md").components(separatedBy: "\n") {
      if line == "```console" {
        isInside = true
        sessions.append([])
      } else if line == "```" {
        isInside = false
      } else if isInside {
        sessions[sessions.count - 1].append(line)
      }
    }
    return sessions
  }
}
