import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("A server that lies", .tags(.process), .from(.test))
struct LyingServerTests {
  /// A server that responds to each request with the same frames.
  private struct Server {
    let socket: CannedSocket
    let folder: TestFolder

    init(_ frames: [UInt8], count: Int = 5) throws {
      let head = "200 OK\r\nContent-Type: application/vnd.datactl.output"
      let response = CannedSocket.response(head, frames)
      socket = try CannedSocket(Array(repeating: response, count: count))
      folder = try TestFolder(store: "unix:\(socket.path)")
    }
  }

  /// Returns a frame of a response.
  private static func frame(_ kind: UInt8, _ text: String) -> [UInt8] {
    let size = UInt64(text.utf8.count)
    return [kind] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) } + text.utf8
  }

  private static let done = frame(9, #"{"done":true}"#)
  private static let question = frame(9, #"{"question":"Really?\u001b[8m\u001b]0;x\u0007 [y/N] "}"#)
  /// No color, so that the program itself prints no escape sequences.
  private static let plain = ["NO_COLOR": "1"]
  private static let deletion = ["delete", "note", "--where", "count=1"]

  @Test("gets no answer to a question where the user cannot be asked")
  func questionsWithoutTerminal() throws {
    let server = try Server(Self.question)
    defer { server.socket.close() }
    let inputs: [(Input, Output, [String: String])] = [
      (.nothing, .captured, [:]), (.text("y\n"), .captured, [:]), (.typed("y\n"), .captured, [:]),
      (.text("y\n"), .terminal, [:]), (.typed("y\n"), .terminal, ["CI": "true"]),
    ]
    for (number, (input, errors, variables)) in inputs.enumerated() {
      let run = try server.folder.program.with(variables.merging(Self.plain) { $1 }).run(
        Self.deletion, input: input, errors: errors
      ).exits(1).reports("cannot prompt for the answer to a question of the server: Really?\\u001b")
      #expect(!run.errorBytes.contains(0x1B), "\(run.report)")
      #expect(server.socket.requests.count == number + 1)
    }
  }

  @Test("asks at most two questions, and none with --yes or for a command that only reads")
  func questions() throws {
    let tooMany = "the server asks more questions than the command has: Really?\\u001b"
    let cases = [
      (Self.deletion, 3, true), (Self.deletion + ["--yes"], 3, false),
      (["list", "note"], 1, false),
    ]
    for (arguments, count, isAsked) in cases {
      let server = try Server(Self.question)
      defer { server.socket.close() }
      let run = try server.folder.program.with(Self.plain).run(
        arguments, input: .typed("y\ny\ny\n"), errors: .terminal
      ).exits(1).reports(tooMany)
      #expect(server.socket.requests.count == count, "\(arguments)")
      // The error contains the question too.
      #expect(run.errors.ranges(of: "[y/N]").count == (isAsked ? 3 : 1), "\(run.report)")
      #expect(!run.errorBytes.contains(0x1B), "\(run.report)")
    }
  }

  @Test("cannot print escape sequences on a terminal", arguments: ["text", "json"])
  func escapeSequences(errors: String) throws {
    let text = #"a\u001b[8mb\u009b2Jc\u202ed"#
    let problem = #"{"code":"invalid","message":"\#(text)","hint":"\#(text)"}"#
    let bodies = [
      Self.frame(5, "a\u{1B}[8mb\u{9B}2Jc\u{202E}d\n") + Self.done,
      Self.frame(5, "\r\u{1B}[Ka\u{1B}[8mb\u{9B}2Jc\u{202E}d\n") + Self.done,
      Self.frame(4, "a\u{1B}[8mb\u{9B}2Jc\u{202E}d\n") + Self.done,
      Self.frame(9, #"{"problems":[\#(problem)]}"#),
      Self.frame(9, #"{"problems":[\#(problem)],"partial":\#(problem)}"#),
      Self.frame(
        9,
        #"{"problems":[\#(problem)],"skipped":{"problems":[\#(problem)]},"committed":\#(problem)}"#),
    ]
    for body in bodies {
      let server = try Server(body)
      defer { server.socket.close() }
      let run = try server.folder.program.with(Self.plain).run(
        ["save", "note", "n", "title=x", "--errors", errors], output: .terminal, errors: .terminal)
      let shown = run.output + run.errors.replacing("\r\u{1B}[K", with: "")
      #expect(shown.contains(#"a\u001b[8mb\u009b2Jc\u202ed"#), "\(run.report)")
      let isHidden = shown.unicodeScalars.contains {
        $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}"
      }
      #expect(!isHidden, "\(run.report)")
    }
  }

  @Test("writes only files whose names the command can make")
  func fileNames() throws {
    let names = ["Makefile", "makefile", "N.json", ".json", "n.json~", "a/b.json", "p", "-", ""]
    let export = ["schema", "export", "out"]
    let contents = ["get", "note", "n", "-", "--content", "photo", "--into", "out"]
    let files =
      names.flatMap { name in
        [
          (export, "{\"name\":\"out/\(name)\"}"),
          (contents, "{\"name\":\"\(name)\",\"folder\":\"out\"}"),
          (contents, "{\"name\":\"out/\(name)\"}"),
        ]
      } + [
        (contents, #"{"name":"n.json","folder":"out"}"#),
        (contents, #"{"name":"K","folder":"out"}"#),
        (["schema", "export", "-"], #"{"name":"-/note.json"}"#),
        (["list", "note"], #"{"name":"note.json","folder":"out"}"#),
      ]
    for (arguments, file) in files {
      let folder = arguments.last ?? ""
      let server = try Server(
        (arguments[0] == "list" || folder == "-" ? [] : Self.frame(6, "{\"name\":\"\(folder)\"}"))
          + Self.frame(7, file) + Self.frame(3, "x") + Self.frame(8, "") + Self.done)
      defer { server.socket.close() }
      // U+212A is canonically equivalent to the letter K.
      try server.folder.program.run(arguments, input: .text("m\r\n\n\u{212A}\n")).exits(7)
        .reports("it contains a file that the command line does not name")
      let found = try server.folder.tool("find", ".", "-type", "f").output
      #expect(found.isEmpty, "\(arguments) \(file): \(found)")
    }
  }

  @Test("cannot write through a symbolic link, and replaces files as the command does")
  func links() throws {
    for (arguments, file) in [
      (["schema", "export", "out"], #"{"name":"out/note.json"}"#),
      (
        ["get", "note", "note.json", "--content", "photo", "--into", "out"],
        #"{"name":"note.json","folder":"out"}"#
      ),
      (
        ["get", "note", "-", "--content", "photo", "--into", "out"],
        #"{"name":"note.json","folder":"out"}"#
      ),
    ] {
      let server = try Server(
        Self.frame(6, #"{"name":"out"}"#) + Self.frame(7, file) + Self.frame(3, "new")
          + Self.frame(8, "") + Self.done)
      defer { server.socket.close() }
      try server.folder.tool("mkdir", "out")
      try server.folder.write("private", "old")
      try server.folder.tool("ln", "-s", "../private", "out/note.json")
      for _ in 0..<2 {
        try server.folder.program.run(arguments, input: .text("a\r\nnote.json\r\n")).exits(0)
        #expect(try server.folder.bytes("private") == Array("old".utf8))
        #expect(try server.folder.bytes("out/note.json") == Array("new".utf8))
      }
    }
  }

  @Test("cannot end the program with counts that are too large")
  func counts() throws {
    let most = "9223372036854775807"
    let problems = Array(repeating: #"{"code":"invalid","message":"m","line":\#(most)}"#, count: 21)
      .joined(separator: ",")
    let ends = [
      (#"{"repeated":"new=\#(most), changed=1, same=0","deleted":0,"nullified":0}"#, Int32(7)),
      (#"{"repeated":"new=1, changed=1, same=\#(most)","deleted":0,"nullified":0}"#, 7),
      (#"{"repeated":"new=0, changed=0, same=0","deleted":\#(most),"nullified":\#(most)}"#, 7),
      (#"{"repeated":"new=0, changed=0, same=0","deleted":-1,"nullified":0}"#, 7),
      (#"{"repeated":"new=0, changed=0, same=0","deleted":-\#(most),"nullified":0}"#, 7),
      (#"{"problems":[\#(problems)],"omitted":\#(most)}"#, 6),
      (#"{"problems":[\#(problems)],"omitted":-\#(most)}"#, 6),
    ]
    for (end, status) in ends {
      for arguments in [["save", "note", "n", "title=x", "-o", "none"], ["delete", "note", "n"]] {
        let server = try Server(Self.frame(9, end))
        defer { server.socket.close() }
        let run = try server.folder.program.run(arguments).exits(status)
        #expect(run.errors.hasPrefix("datactl: "), "\(end): \(run.report)")
      }
    }
  }

  @Test("keeps a limited number of messages in memory, and prints each of them once")
  func messages() throws {
    let message = Self.frame(5, String(repeating: "x", count: 19_999) + "\n")
    let many = Array(repeatElement(message, count: 2_000).joined())
    let head = "200 OK\r\nContent-Type: application/vnd.datactl.output"
    let whole = CannedSocket.response(head, many + Self.done)
    let socket = try CannedSocket([Array(whole.dropLast(Self.done.count)), whole])
    defer { socket.close() }
    let folder = try TestFolder(store: "unix:\(socket.path)")
    let log = folder.path("log")
    let child = try folder.program.start(["save", "note", "n", "title=x"], errors: .file(log))
    child.watchesMemory = true
    let run = try child.finish().exits(0)
    #expect(socket.requests.count == 2)
    #expect(try folder.bytes("log").count == 40_000_000)
    #expect(run.peakMemory < 50_000_000, "\(run.peakMemory)")
  }
}
