import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Saving with --commit-every on a server", .tags(.process), .from(.test))
struct RemotePartsTests {
  private static let lines = (1...7).map { #"{"todo_id":"\#($0)","title":"T"}"# + "\n" }.joined()
  private static let invalid =
    #"{"todo_id":"1","title":"T"} {"todo_id":"2","stock":"x"}"# + "\n\n"
    + #"{"todo_id":"3","title":"T","price":-1} {"todo_id":"4","title":"T"}"#
  private static let csv = "todo_id,title,stock\r\na,\"x\ny\",1\r\nb,z,2\r\n\r\nc,,3\r\nd,w,4"

  @Test(
    "prints the same as on a file",
    arguments: [lines, invalid, csv, "[\(lines.split(separator: "\n").joined(separator: ","))]"])
  func sameOutput(input: String) throws {
    let pair = try RemotePair()
    for options in [
      ["--commit-every", "1", "-o", "ids"], ["--commit-every", "3", "-o", "json"],
      ["--commit-every", "2", "-o", "csv"], ["--commit-every", "2", "-o", "xml"],
      ["--commit-every", "2", "-o", "diff"], ["--commit-every", "100"],
      ["--commit-every", "2", "--skip-invalid", "--errors", "json"],
      ["--commit-every", "1", "--changed", "-o", "tsv"],
      ["--commit-every", "2", "--rejects", "r.ndjson", "--skip-invalid"],
    ] {
      try pair.compare(["save", "todo"] + options, input: .text(input))
      try pair.compare(["list", "todo", "--fields", "todo_id"])
    }
  }

  @Test("commits each part when it has arrived, and says what is saved when it is interrupted")
  func endlessInput() throws {
    let pair = try RemotePair()
    let save = try pair.remote.program.start(
      ["save", "todo", "--commit-every", "3", "-o", "ids"], input: .open)
    save.send(Self.lines)
    try save.wait(for: "three commits") {
      String(decoding: $0.errorBytes, as: UTF8.self)
        == "saved up to line 3\nsaved up to line 6\nsaved up to line 7\n"
    }
    #expect(
      try pair.remote.prepare("list", "todo", "--where", "title = 'T'", "--count").output
        == "7\n")
    save.send("{")
    save.signal(SIGINT)
    let run = try save.finish().exits(130)
    #expect(run.output == (1...7).map { "\($0)\n" }.joined())
    #expect(
      run.errorLines.last
        == "datactl: interrupted: everything up to line 7 is saved, and nothing after it")
  }

  @Test("executes each part exactly once when the connection is cut")
  func cuts() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let path = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
    var program = folder.datactl
    program.timeLimit = .seconds(600)
    let server = try program.start(["serve", "--listen", "unix:\(path)", "--log", "none"])
    defer {
      server.signal(SIGKILL)
      try? FileManager.default.removeItem(atPath: path)
    }
    try server.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let token = try folder.prepare(
      "login", "-u", "root", "--password-stdin", "--print-token", input: .text("canary99\n")
    ).lines[0]
    let record = #"{"note_id":"pub","count":{"$add":1}}"#
    var expected = try Self.count(folder)
    for step in [150, 650, 900] {
      for direction in [ByteCuttingProxy.Direction.requests, .responses] {
        let proxy = try ByteCuttingProxy(to: path, cutting: direction, after: step)
        defer { proxy.close() }
        let client = try TestFolder(store: "unix:\(proxy.path)")
        let save = try client.program.with(["DATACTL_TOKEN": token]).run(
          ["save", "note", "--commit-every", "2"],
          input: .text([record, record, record].joined(separator: "\n"))
        ).exits(0)
        expected += 3
        #expect(try Self.count(folder) == expected, "\(step): \(save.report)")
        #expect(save.output.ranges(of: "\n").count == 3, "\(step): \(save.report)")
        #expect(save.errorLines.last == "3 saved: 3 changed", "\(step): \(save.report)")
      }
    }
  }

  private static func count(_ folder: TestFolder) throws -> Int {
    let record = try folder.prepare("get", "note", "pub").output
    return record.firstMatch(of: /"count":([0-9]+)/).flatMap { Int($0.1) } ?? -1
  }
}
