import CommandSyntax
import TestSupport
import Testing
import datactl

/// Errors that could repeat a password or a long word of the command line.
@Suite("Secrets and long words in errors")
struct SecretErrorsTests {
  @Test(
    "never prints the password of an address, wherever the address is on the command line",
    arguments: SecretErrorsTests.addresses.prefix(Seeds.count(check: 1, test: 4, all: 99).count))
  func passwords(address: String) async throws {
    let session = try await Self.session()
    for line in lines(with: address) {
      let errors = await session.run(line).errors
      #expect(errors.contains("canary") == false, "\(line.prefix(3)): \(errors.prefix(300))")
    }
  }

  @Test(
    "shortens words of more than 200 characters in errors, and prints at most 4 KB",
    .tags(.slow), .from(.test),
    arguments: SecretErrorsTests.longWords.prefix(TestTier.current == .all ? 99 : 1))
  func words(word: String) async throws {
    let session = try await Self.session()
    for line in lines(with: word) {
      for format in ["text", "json"] {
        let outcome = await session.run(line + ["--errors=" + format])
        guard outcome.status != 0 else { continue }
        let errors = outcome.errors
        let isRepeated = errors.contains(word)
        let size = errors.utf8.count
        #expect(!isRepeated && size <= 4_096, "\(line.map { $0.prefix(40) }): \(errors.prefix(80))")
      }
    }
  }

  @Test(
    "lists only the first values of one_of in an error when a field allows 20,000 values",
    .tags(.slow), .from(.test))
  func choices() async throws {
    let session = try await Self.session()
    let values = (0..<20_000).map { "\"choice\($0)\"" }.joined(separator: ",")
    try session.write(
      "schemas/pick.json",
      TestSession.schema("pick", #", "a": {"type": "text", "one_of": [\#(values)]}"#))
    #expect(await session.run("schema apply schemas/pick.json").status == 0)
    let save = await session.run("save pick p1 a=none")
    #expect(save.status == 6)
    #expect(save.errors.contains("\"choice19\" and 19,980 more, found \"none\""))
    #expect(save.errors.utf8.count < 1_000)
    let list = await session.run("list pick a=none")
    #expect(list.status == 6)
    #expect(list.errors.contains("\"choice19\" and 19,980 more, found \"none\""))
    #expect(list.errors.utf8.count < 1_000)
  }

  /// Addresses with the password "canary". Only slow runs test all of them.
  private static let addresses = [
    "postgres//u:canary@h/db", "'postgres://u:a@canary \"b@h/db'", "u:canary@h/db",
    "postgres://u:" + String(repeating: "canary", count: 30) + "@h/db",
    "postgres://u:canary@127.0.0.1:1/db", "postgres:/u:canary@h", "postgres:u:canary@h/db",
    "http://u:canary@h", "postgres:///u:canary@h", "x postgres://u:12 canary@h/db",
    "postgres://127.0.0.1:1/db?password=canary", "host=h password=canary",
    "postgres//u:" + String(repeating: "canary", count: 100) + "@h/db",
  ]

  private static let longWords = [
    String(repeating: "long words ", count: 800), String(repeating: "\u{85}\"", count: 1_000),
    String(repeating: "long_", count: 2_000), String(repeating: "l", count: 201),
    String(repeating: "a = 1 and ", count: 50) + "b",
    String(repeating: "tytle,", count: 60) + "tytle",
  ]

  /// Every command, with the word as each of its operands and as the value of each of its options.
  private func lines(with word: String) -> [[String]] {
    let description = Program.declaration.description
    var lines = [[word], ["help", word], ["--" + word], ["-" + word], ["schema", word]]
    for command in description.commands {
      let operands = command.operands.map { operand in
        switch operand.kind {
        case .schema: "todo"
        case .assignment: "title=a"
        default: "x"
        }
      }
      for count in 0...operands.count + 1 {
        lines.append(command.path + operands.prefix(count) + [word])
        lines.append(command.path + operands.prefix(count) + ["title=" + word])
      }
      for option in command.options + description.options {
        lines.append(command.path + operands + [option.name, word])
        lines.append(command.path + operands.prefix(1) + ["\(option.name)=\(word)"])
      }
      lines.append(command.path + operands + ["--unknown=\(word)"])
    }
    return lines
  }

  private static func session() async throws -> TestSession {
    let session = try TestSession()
    _ = await session.run("schema create todo title:text! done:boolean")
    return session
  }
}
