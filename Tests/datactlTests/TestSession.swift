import Foundation
import TestSupport
import datactl

/// A temporary folder in which each command line runs with a new console.
final class TestSession {
  private let temporaryFolder: TemporaryFolder

  init() throws {
    temporaryFolder = try TemporaryFolder()
    try temporaryFolder.createFolder("schemas")
  }

  var folder: String { temporaryFolder.path }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  func run(
    _ line: String, input: String = "", variables: [String: String] = [:],
    clock: Int64 = 1_795_143_900_000_000
  ) async -> Outcome {
    await run(
      line.split(separator: " ").map { $0 == "''" ? "" : String($0) }, input: input,
      variables: variables, clock: clock)
  }

  func run(
    _ words: [String], input: String = "", variables: [String: String] = [:],
    clock: Int64 = 1_795_143_900_000_000, terminal: Bool = false
  ) async -> Outcome {
    let testConsole = TestConsole(
      input: MemoryChannel(input.isEmpty ? [] : [input]),
      output: terminal ? MemoryChannel(isTerminal: true, columns: 200) : MemoryChannel(),
      environment: ["DATACTL_STORE": "shop.db", "XDG_CONFIG_HOME": folder + "/config"]
        .merging(variables) { $1 }, folder: folder,
      // A server stops at once, because a signal has already arrived.
      signal: words.contains("serve") ? .terminate : nil, clock: clock)
    let status = await Program.run(on: testConsole.console(words))
    return Outcome(status: status, output: testConsole.output.text, errors: testConsole.errors.text)
  }
}

struct Outcome: Equatable {
  var status: Int32
  var output: String
  var errors: String
}

extension TestSession {
  /// Returns a schema file with a primary key and the given fields.
  static func schema(_ name: String, _ fields: String = "") -> String {
    #"{"schema": "\#(name)", "fields": {"\#(name)_id": {"type": "id"}\#(fields)}}"# + "\n"
  }
}
