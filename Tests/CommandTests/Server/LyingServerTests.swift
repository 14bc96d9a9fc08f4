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
      let run = try server.folder.program.with(variables).run(
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
      let run = try server.folder.program.run(
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
      let run = try server.folder.program.run(
        ["save", "note", "n", "title=x", "--errors", errors], output: .terminal, errors: .terminal)
      let shown = run.output + run.errors.replacing("\r\u{1B}[K", with: "")
      #expect(shown.contains(#"a\u001b[8mb\u009b2Jc\u202ed"#), "\(run.report)")
      let isHidden = shown.unicodeScalars.contains {
        $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}"
      }
      #expect(!isHidden, "\(run.report)")
    }
  }
}
