import Foundation
import ProgramHarness
import Testing

@Suite("README and other documents")
struct ReadmeTests {
  @Test("prints the output that the terminal sessions in the README show")
  func session() throws {
    let folder = try TestFolder()
    let shell = try folder.withDatactlInPath("/bin/sh").with(["DATACTL_STORE": nil])
    let script = Binary.file("Tests/CommandTests/Examples/session.sh")
    let run = try shell.run([script, Binary.file("README.md")]).exits(0)
    // The lines of CSV output end with CR LF, but the README does not show the CR. The session is
    // in a temporary folder, and the README leaves its path out.
    let lines = run.lines.map { line in
      line.replacing("\r", with: "")
        .replacing(/sqlite:.*\/shop\.db$/, with: "sqlite:/…/shop.db")
    }
    #expect(lines == (try Self.sessions().flatMap(\.self)))
  }

  @Test("the first terminal session of the README shows 8 to 12 commands")
  func length() throws {
    let first = try #require(try Self.sessions().first)
    let commands = first.filter { $0.hasPrefix("$ ") }
    #expect((8...12).contains(commands.count))
    for part in ["schema create", "save", "get", "list", "jq", "delete"] {
      #expect(commands.contains { $0.contains(part) }, "\(part) is missing")
    }
  }

  @Test(
    "no document contains a link to a missing file",
    arguments: [
      "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Sources/README.md",
      "Tests/Benchmarks/README.md", "Tests/Examples/README.md",
    ])
  func links(document: String) throws {
    let folder = URL(filePath: Binary.file(document)).deletingLastPathComponent()
    for match in try Binary.text(of: document).matches(of: /\]\(([^)]+)\)/)
    where !match.1.contains("://") {
      let path = folder.appending(path: String(match.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(document) links to \(match.1)")
    }
  }

  /// Returns the lines of each example session in the README.
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
