import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Compressed responses", .tags(.process), .from(.test))
struct ServerCompressionTests {
  private let gzip = ["Accept-Encoding: gzip"]

  @Test("compresses streamed and other responses without changing their contents")
  func sameBytes() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(20_000, title: String(repeating: "long title ", count: 20))
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    for path in [
      "records/todo", "records/todo?output=csv", "records/todo?limit=50&output=json",
      "records/todo?output=page", "schemas/todo?", "openapi.json?",
    ] {
      let url = "\(server.address)/v1/\(path)"
      let plain = try folder.tool("curl", "-sS", url).outputBytes
      let compressed = try folder.tool(
        "curl", "-sS", "--compressed", "-D", "header", "-w", "%{stderr}%{size_download}", url)
      #expect(compressed.outputBytes == plain, "\(path)")
      let header = try String(decoding: folder.bytes("header"), as: UTF8.self)
      #expect(header.contains("Content-Encoding: gzip\r\n") == (plain.count > 1_024), "\(path)")
      if plain.count > 100_000 {
        #expect(try #require(Int(compressed.errors)) < plain.count / 5, "\(path)")
      }
    }
    // A response to HTTP 1.0 has a length, which is not known if it is compressed.
    let old = try folder.tool(
      "curl", "-sS", "-0", "-I", "-X", "GET", "-H", gzip[0],
      "\(server.address)/v1/records/todo?limit=50")
    #expect(!old.output.contains("Content-Encoding") && old.output.contains("Content-Length"))
    #expect(try server.stop().status == 0)
  }

  @Test("curl reports a compressed response as incomplete when the connection is cut")
  func cuts() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(500, title: "title")
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let path = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try folder.datactl.start(["serve", "--listen", "unix:\(path)", "--log", "none"])
    try server.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    func list(_ socket: String, _ output: String) throws -> [UInt8] {
      try folder.tool(
        "curl", "-sS", "--compressed", "-D", "header", "-o", output, "--unix-socket", socket,
        "http://localhost/v1/records/todo")
      #expect(
        try String(decoding: folder.bytes("header"), as: UTF8.self).contains("gzip"))
      return try folder.bytes(output)
    }
    let whole = try list(path, "whole")
    for count in [600, 1_000, 3_000] {
      let proxy = try ByteCuttingProxy(to: path, cutting: .responses, after: count)
      defer { proxy.close() }
      #expect(throws: PreparationError.self) { try list(proxy.path, "part\(count)") }
      #expect(proxy.hasCut)
      let part = (try? folder.bytes("part\(count)")) ?? []
      #expect(part.count < whole.count && whole.starts(with: part))
    }
    server.signal(SIGTERM)
    try server.finish().exits(0)
  }

  @Test("accepts the entity tag of a compressed or plain response in If-Match and If-None-Match")
  func tags() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let long = String(repeating: "t", count: 3_000)
    try folder.prepare("save", "todo", "a", "title=\(long)", "-o", "none")
    let server = try TestServer(folder)
    func tag(_ headers: [String]) throws -> String {
      try #require(try server.request("/records/todo/a", headers: headers).headers["etag"])
    }
    let (plain, compressed) = (try tag([]), try tag(gzip))
    #expect(compressed == plain.dropLast() + "-gzip\"")
    for (tag, headers, shown) in [
      (plain, [], plain), (compressed, [], plain), (plain, gzip, compressed),
      (compressed, gzip, compressed), ("W/\(compressed)", gzip, compressed),
    ] {
      let reply = try server.request(
        "/records/todo/a", headers: headers + ["If-None-Match: \(tag)"])
      #expect(reply.status == 304 && reply.headers["etag"] == shown, "\(tag) \(reply.report)")
      #expect(reply.headers["content-encoding"] == nil && reply.body.isEmpty)
    }
    let change = try server.request(
      "PATCH", "/records/todo/a", body: #"{"price":1}"#, headers: ["If-Match: \(compressed)"])
    #expect(change.status == 200, "\(change.report)")
    let again = try server.request(
      "PATCH", "/records/todo/a", body: #"{"price":2}"#,
      headers: ["If-Match: \(compressed)"] + gzip)
    #expect(again.status == 412, "\(again.report)")
  }

  @Test("compresses neither short responses nor files, and nothing for clients without gzip")
  func exceptions() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let ann = try server.logIn("ann")
    let path = "/records/note/pub/photo/content"
    let text = String(repeating: "text ", count: 1_000)
    #expect(try server.request("PUT", path, token: ann, body: text).status == 200)
    for (path, headers) in [
      ("/health", gzip), (path, gzip), ("/openapi.json", []),
      ("/openapi.json", ["Accept-Encoding: gzip;q=0, *"]),
      ("/openapi.json", ["Accept-Encoding: br"]),
    ] {
      let reply = try server.request(path, headers: headers)
      #expect(reply.status == 200 && reply.headers["content-encoding"] == nil, "\(reply.report)")
      #expect(reply.headers["content-length"] == "\(reply.body.utf8.count)")
    }
  }
}
