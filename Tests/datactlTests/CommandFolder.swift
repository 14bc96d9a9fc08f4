import Foundation
import ProgramHarness
import TestSupport
import datactl

/// A temporary folder in which commands run in the test process, with a store in the file
/// `shop.db`.
///
/// Its methods are those of `TestFolder` in `CommandTests`, which runs each command as a process.
/// Tests of what a command reads, checks and prints run here; tests of processes, signals and
/// streams, and of stores in PostgreSQL, run there.
final class CommandFolder {
  private let root: TemporaryFolder
  private let environment: [String: String]
  /// The current time of the commands, in microseconds since 1970.
  private var clock: Int64 = 1_795_143_900_000_000

  convenience init() throws {
    let root = try TemporaryFolder()
    for name in ["work", "home", "data", "config", "tmp"] { try root.createFolder(name) }
    self.init(
      root,
      [
        "HOME": root.path("home"), "XDG_DATA_HOME": root.path("data"),
        "XDG_CONFIG_HOME": root.path("config"), "TMPDIR": root.path("tmp"), "TERM": "xterm",
        "DATACTL_STORE": "sqlite:shop.db",
      ])
  }

  private init(_ root: TemporaryFolder, _ environment: [String: String]) {
    self.root = root
    self.environment = environment
  }

  /// The address of the store.
  var address: String { "sqlite:shop.db" }

  /// Returns the same folder for commands with other environment variables.
  func with(_ variables: [String: String]) -> CommandFolder {
    CommandFolder(root, environment.merging(variables) { $1 })
  }

  func path(_ name: String) -> String { root.path("work/\(name)") }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The names of all files in the working folder, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: root.path("work")).sorted() }
  }

  /// Runs a command. The clock is a second later than in the previous command.
  @discardableResult
  func run(
    _ arguments: String..., input: Input = .nothing, output: Output = .captured
  ) async throws -> Run {
    try await run(arguments, input: input, output: output)
  }

  @discardableResult
  func run(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured
  ) async throws -> Run {
    clock += 1_000_000
    let console = TestConsole(
      input: try channel(input), output: try channel(output), environment: environment,
      folder: root.path("work"), clock: clock)
    let status = await console.run(arguments)
    return Run(
      line: (["datactl"] + arguments).joined(separator: " "), status: status,
      outputBytes: console.output.bytes, errorBytes: console.errors.bytes)
  }

  /// Runs a command, which must succeed.
  @discardableResult
  func prepare(_ arguments: String..., input: Input = .nothing) async throws -> Run {
    try await run(arguments, input: input).exits(0)
  }

  /// Runs the commands that create a sample store.
  func save(_ sample: SampleCommands) async throws {
    for command in sample.commands {
      try await run(command.arguments, input: command.input).exits(0)
    }
  }

  /// Returns the ids of the records that `list` prints, in order and separated by spaces.
  func ids(_ arguments: String...) async throws -> String {
    try await run(["list"] + arguments + ["-o", "ids"]).exits(0).lines.joined(separator: " ")
  }

  private func channel(_ input: Input) throws -> MemoryChannel {
    switch input {
    case .nothing: MemoryChannel()
    case .bytes(let bytes): MemoryChannel(bytes: bytes)
    case .file(let path): MemoryChannel(bytes: Array(try Data(contentsOf: URL(filePath: path))))
    case .open, .terminal: throw Violation("only a process has such an input")
    }
  }

  private func channel(_ output: Output) throws -> MemoryChannel {
    switch output {
    case .captured: MemoryChannel()
    case .terminal(let columns): MemoryChannel(isTerminal: true, columns: columns)
    case .capturedNonblocking, .file: throw Violation("only a process has such an output")
    }
  }
}
