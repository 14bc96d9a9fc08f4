import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Files of a command that a server executes", .tags(.process), .from(.test))
struct RemoteFileTests {
  private static let secret = "canary-of-the-server"

  /// Sends a command as a client would that does not attach files.
  private func send(
    _ command: String, _ inputs: [(String, String)], to server: TestServer, token: String,
    input: String? = nil
  ) throws -> Reply {
    let list = inputs.map { "[\(Self.json($0.0)),\(Self.json($0.1))]" }.joined(separator: ",")
    let document = """
      {"version":1,"inputs":[\(list)],"store":"http://127.0.0.1","verbosity":"normal",\
      "errors":"text","streams":[null,null,null],"variables":[],"answers":[],"expansions":[]}
      """
    func frame(_ kind: UInt8, _ text: String) -> [UInt8] {
      let size = text.utf8.count
      return [kind, 0, 0, 0, 0, 0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(text.utf8)
    }
    var bytes = frame(1, document)
    if let input { bytes += frame(2, #"{"path":"-"}"#) + frame(3, input) }
    let file = server.folder.path("request.bin")
    try Data(bytes).write(to: URL(filePath: file))
    let run = try server.folder.tool(
      "curl", "-sS", "-i", "--max-time", "60", "-X", "POST",
      "-H", "Authorization: Bearer \(token)",
      "-H", "Content-Type: application/vnd.datactl.command", "--data-binary", "@\(file)",
      "\(server.address)/v1/commands/\(command)")
    return try Reply(run.outputBytes)
  }

  private static func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  @Test("sends file contents only to callers that may read the record and the field")
  func readableContents() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.write("photo.png", "pixels")
    for id in ["pub", "anns"] {
      try folder.prepare("save", "note", id, "photo@=photo.png", "-o", "none")
    }
    let server = try TestServer(folder)
    let client = try TestFolder(store: server.address)
    try client.run("get", "note", "pub", "--content", "photo").exits(0).prints("pixels")
    try client.run("get", "note", "anns", "--content", "photo").exits(3)
    try client.run("get", "note", "pub", "--content", "photo", "--into", "out").exits(0)
    #expect(try client.bytes("out/pub") == Array("pixels".utf8))
  }

  @Test("no option or operand of a client's command reads or writes a file on the server")
  func serverFiles() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let token = try server.logIn("root")
    let path = folder.path("secret.json")
    try folder.write("secret.json", #"{"note_id":"\#(Self.secret)","title":"\#(Self.secret)"}"#)
    try folder.tool("mkdir", "secrets")
    try folder.write("secrets/a.json", #"{"schema":"\#(Self.secret)","fields":{}}"#)
    let secrets = folder.path("secrets")
    let before = try folder.files
    let commands: [(String, [(String, String)])] = [
      ("save", [("SCHEMA", "note"), ("--file", path)]),
      ("save", [("SCHEMA", "note"), ("--file", folder.path("sec*"))]),
      ("save", [("SCHEMA", "note"), ("--files", path), ("--field", "photo")]),
      ("save", [("SCHEMA", "note"), ("--map", path)]),
      ("save", [("SCHEMA", "note"), ("ID", "pub"), ("FIELD=VALUE", "title@=\(path)")]),
      ("save", [("SCHEMA", "note"), ("ID", "pub"), ("FIELD=VALUE", "photo@=\(path)")]),
      ("batch", [("FILE", path)]), ("get", [("SCHEMA", "note"), ("ID", "pub"), ("--map", path)]),
      ("list", [("SCHEMA", "note"), ("--map", path)]),
      ("schema/apply", [("PATH", path)]), ("schema/apply", [("PATH", secrets)]),
      ("schema/apply", [("--plan", path)]), ("schema/plan", [("PATH", secrets)]),
      ("schema/diff", [("PATH", secrets)]), ("schema/lint", [("PATH", secrets)]),
      ("schema/lint", [("PATH", "-"), ("--against", secrets)]),
      ("schema/lint", [("PATH", "-"), ("--map", path)]),
      ("schema/export", [("--from", secrets)]), ("schema/export", [("--check", secrets)]),
      ("schema/export", [("--check", path)]),
    ]
    for (command, inputs) in commands {
      let reply = try send(command, inputs, to: server, token: token)
      #expect(reply.status == 200, "\(command) \(inputs): \(reply.report)")
      #expect(!reply.body.contains(Self.secret), "\(command) \(inputs): \(reply.report)")
      #expect(!reply.body.contains("\"done\":true"), "\(command) \(inputs): \(reply.report)")
    }
    // What a command writes is sent to the client, and not written here.
    let target = folder.path("target")
    try folder.prepare("save", "note", "pub", "photo@=secret.json", "-o", "none")
    for (command, inputs) in [
      ("schema/export", [("FOLDER", target)]),
      ("get", [("SCHEMA", "note"), ("ID", "pub"), ("--content", "photo"), ("--into", target)]),
      ("save", [("SCHEMA", "note"), ("--skip-invalid", ""), ("--rejects", target)]),
    ] {
      let reply = try send(
        command, inputs, to: server, token: token, input: #"{"note_id":"n","count":"x"}"#)
      #expect(reply.body.contains("\u{7}") && reply.body.contains(target), "\(reply.report)")
    }
    #expect(try folder.files.filter { $0 != "request.bin" } == before)
    _ = try server.stop()
  }

  @Test("the server continues to accept commands after malformed commands")
  func malformed() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let token = try server.logIn("root")
    let bodies: [[UInt8]] = [
      [], [1], [1, 0, 0, 0, 0, 0, 0, 0, 9], [1, 0xFF, 0, 0, 0, 0, 0, 0, 0], Array("{}".utf8),
      [3, 0, 0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0, 0, 0, 0, 0, 2, 0x7B, 0x7D],
      [1, 0, 0, 0, 0, 0, 0, 0, 2, 0x7B, 0x7D], [2, 0, 0, 0, 0, 0, 0, 0, 2, 0x7B, 0x7D],
    ]
    let path = #"{"path":"a"}"#
    let content: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0]
    let many =
      [2, 0, 0, 0, 0, 0, 0, 0, UInt8(path.utf8.count)] + Array(path.utf8)
      + Array(repeatElement(content, count: 1_000_001).joined())
    for bytes in bodies + [many] {
      try Data(bytes).write(to: URL(filePath: folder.path("body.bin")))
      let run = try folder.tool(
        "curl", "-sS", "-i", "-H", "Authorization: Bearer \(token)",
        "-H", "Content-Type: application/vnd.datactl.command", "--data-binary", "@body.bin",
        "\(server.address)/v1/commands/list")
      let reply = try Reply(run.outputBytes)
      #expect(reply.status == 422, "\(bytes.prefix(30)): \(reply.report)")
    }
    let reply = try send("list", [("SCHEMA", "note"), ("--nope", "x")], to: server, token: token)
    #expect(reply.body.contains("has no option --nope"))
    #expect(try server.request("POST", "/commands/login", token: token).status == 404)
    #expect(try server.request("POST", "/commands/list", token: token, body: "x").status == 415)
  }

  @Test("applies the access rules to remote commands, and lets only administrators change schemas")
  func rights() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let (ann, remote) = (try server.logIn("ann"), try TestFolder(store: server.address))
    let program = remote.program.with(["DATACTL_TOKEN": ann])
    try program.run(["list", "note", "--order", "note_id", "-o", "ids"]).exits(0)
      .prints("anns\npub\n")
    try program.run(["list", "note", "--where", "price > 1"]).exits(2)
      .reports("note has no field price")
    for arguments in [
      ["schema", "drop", "note", "--allow-loss", "note"], ["schema", "log"],
      ["schema", "plan", "x"],
      ["access", "bob", "read", "note"], ["list", "note", "--explain"],
      ["save", "note", "--infer", "--file", "new.ndjson"],
      ["save", "note", "--keep-system-fields", "--file", "new.ndjson"],
    ] {
      try remote.write("new.ndjson", #"{"note_id":"n","new":1,"owner":"ann"}"#)
      try program.run(arguments).exits(4).reports("administrators")
    }
    try program.run(["delete", "note", "bobs"]).exits(3)
    try remote.program.run(["list", "note", "-o", "ids"]).exits(0).prints("pub\n")
    try remote.program.with(["DATACTL_TOKEN": String(repeating: "a", count: 64)])
      .run(["list", "note"]).exits(4).reports("the session has ended or is unknown")
  }
}
