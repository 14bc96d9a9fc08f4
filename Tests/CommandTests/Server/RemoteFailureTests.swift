import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("A connection to a server that fails", .tags(.process), .from(.test))
struct RemoteFailureTests {
  /// Returns a served folder whose server listens on a Unix socket, its path, and a token.
  private func serve() throws -> (server: Child, path: String, folder: TestFolder, token: String) {
    let folder = try TestFolder()
    try folder.saveShop()
    let path = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
    var program = folder.datactl
    program.timeLimit = .seconds(600)
    let child = try program.start(["serve", "--listen", "unix:\(path)", "--log", "none"])
    try child.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let token = try folder.prepare(
      "login", "-u", "root", "--password-stdin", "--print-token", input: .text("canary99\n")
    ).lines[0]
    return (child, path, folder, token)
  }

  private func count(_ folder: TestFolder, _ id: String) throws -> Int {
    let record = try folder.prepare("get", "note", id).output
    return record.firstMatch(of: /"count":([0-9]+)/).flatMap { Int($0.1) } ?? -1
  }

  @Test(
    "executes a change exactly once, and never exits with 0 without the whole output",
    arguments: [ByteCuttingProxy.Direction.requests, .responses])
  func cuts(direction: ByteCuttingProxy.Direction) throws {
    let (server, path, folder, token) = try serve()
    defer { server.signal(SIGKILL) }
    let client = try TestFolder(store: "unix:\(path)")
    let steps =
      TestTier.current == .all ? Array(stride(from: 1, to: 900, by: 7)) : [1, 150, 400, 650]
    var expected = try count(folder, "pub")
    for step in steps {
      let proxy = try ByteCuttingProxy(to: path, cutting: direction, after: step)
      defer { proxy.close() }
      let program = client.program.with([
        "DATACTL_TOKEN": token, "DATACTL_STORE": "unix:\(proxy.path)",
      ])
      let save = try program.run(["save", "note", "pub", "count+=1"])
      expected += 1
      #expect(try count(folder, "pub") == expected, "\(direction) \(step): \(save.report)")
      if save.status == 0 {
        #expect(save.output.contains("\"count\":\(expected)"), "\(step): \(save.report)")
      } else {
        #expect(save.status == 1 && save.errors.contains("is saved"), "\(step): \(save.report)")
      }
      let second = try ByteCuttingProxy(to: path, cutting: direction, after: step)
      defer { second.close() }
      let list = try program.with(["DATACTL_STORE": "unix:\(second.path)"]).run(["list", "note"])
      let all = try folder.prepare("list", "note").output
      #expect(
        list.status == 0 && list.output == all || list.status == 7 && all.hasPrefix(list.output),
        "\(step): \(list.report)")
    }
  }

  @Test("reports a server that cannot be reached or is none")
  func noServer() throws {
    let folder = try TestFolder(store: "http://127.0.0.1:1")
    try folder.run("list", "note").exits(7)
      .reports("cannot connect to http://127.0.0.1:1", "127.0.0.1 port 1")
    try folder.run("save", "note", "a=b").exits(7).reports("cannot connect")
    try folder.run("list", "note", "--store", "unix:none.sock").exits(7).reports("cannot connect")
    try folder.run("list", "note", "--store", "http://shop.example").exits(2)
      .reports("without encryption")
    try folder.run("list", "note", "--store", "https://ann:canary@shop.example").exits(2)
      .reports("log in: datactl login")
    try folder.run("serve").exits(2).reports("the store is already on a server")
    let shop = try TestFolder()
    try shop.saveShop()
    let server = try TestServer(shop)
    try folder.run("list", "note", "--store", "\(server.address)/other").exits(7)
      .reports("has another version of the API")
  }

  @Test("stops within a moment when a signal arrives while it waits")
  func signals() throws {
    let silent = try SilentSocket()
    defer { silent.close() }
    let client = try TestFolder(store: "unix:\(silent.path)")
    for (arguments, signal, status, text) in [
      (["list", "note"], SIGINT, Int32(130), "interrupted"),
      (["save", "note", "n", "a=b"], SIGTERM, 143, "the server may have completed the command"),
    ] {
      let before = silent.count
      let child = try client.program.start(arguments)
      while silent.count == before { usleep(1_000) }
      child.signal(signal)
      let run = try child.finish()
      #expect(run.status == status, "\(run.report)")
      #expect(run.errors.contains(text), "\(run.report)")
    }
  }
}
