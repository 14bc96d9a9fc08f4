import Foundation
import ProgramHarness
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("the session prints what the README shows")
  func session() throws {
    let place = try Place()
    let link = "\(place.outside)/bin"
    try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(link)/datactl", withDestinationPath: Binary.path)
    var environment = place.datactl.environment
    environment["PATH"] = "\(link):\(environment["PATH"] ?? "")"
    environment["DATACTL_STORE"] = nil
    let shell = Program(["/bin/sh"], environment: environment, folder: place.folder)
    let script = Binary.file("Tests/CommandTests/Examples/session.sh")
    let run = try shell.run([script, Binary.file("README.md")]).exits(0)
    // Lines of CSV end with CR LF, which a terminal does not show.
    #expect(run.lines.map { $0.replacing("\r", with: "") } == (try Self.shown()))
  }

  @Test("the session is about ten lines of commands")
  func length() throws {
    let commands = try Self.shown().filter { $0.hasPrefix("$ ") }
    #expect((8...12).contains(commands.count))
    for part in ["schema create", "save", "get", "list", "jq", "delete"] {
      #expect(commands.contains { $0.contains(part) }, "\(part) is missing")
    }
  }

  private static func shown() throws -> [String] {
    let lines = try Binary.text(of: "README.md").components(separatedBy: "\n")
    let inside = lines.drop { $0 != "```console" }.dropFirst()
    return Array(inside.prefix { $0 != "```" })
  }
}
