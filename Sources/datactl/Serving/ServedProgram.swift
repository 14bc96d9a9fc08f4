import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import DataOutput
import DataServer
import DataStore
import Synchronization

/// The commands that a server runs for its requests.
final class ServedProgram: CommandProgram {
  /// The console of the server, whose clocks the commands use.
  private let console: Console
  /// The commands that requests have used.
  private let prepared = Mutex<[[String]: PreparedCommand<any Command>]>([:])
  private let optionsOfCommands = Mutex<[[String]: [CommandOption]]>([:])

  init(console: Console) {
    self.console = console
  }

  private func command(_ path: [String]) -> PreparedCommand<any Command>? {
    prepared.withLock { prepared in
      if let command = prepared[path] { return command }
      let command = Program.declaration.command(path)
      prepared[path] = command
      return command
    }
  }

  func options(of path: [String]) -> [CommandOption] {
    if let options = optionsOfCommands.withLock({ $0[path] }) { return options }
    let options = declaredOptions(of: path)
    optionsOfCommands.withLock { $0[path] = options }
    return options
  }

  private func declaredOptions(of path: [String]) -> [CommandOption] {
    (command(path)?.description.options ?? []).map { option in
      var choices: [String]?
      if case .choice(let words)? = option.value?.kind { choices = words }
      return CommandOption(
        name: Self.parameter(for: option.name), choices: choices, isFlag: option.value == nil,
        isRepeated: option.value?.presence == .repeated,
        isPath: option.value?.kind == .file && option.name != "--map"
          || option.value?.kind == .folder,
        summary: option.summary)
    }
  }

  /// Returns the name of the parameter for an option: `any_revision` for `--any-revision`.
  private static func parameter(for option: String) -> String {
    String(option.dropFirst(2)).replacing("-", with: "_")
  }

  func run(
    _ call: CommandCall, on client: Client, input: ByteStore, output: any CommandOutput,
    isCanceled: @escaping @Sendable () -> Bool
  ) async -> (report: CommandReport, error: DataError?) {
    let session = ServedSession(client, call)
    let output = RequestChannel(input: input, output: output)
    let requestConsole = Console(
      arguments: [], variable: { _ in nil }, folder: "", userID: console.userID,
      clock: console.clock, stopwatch: console.stopwatch, input: output, output: output,
      errors: output, signal: { isCanceled() ? .terminate : nil })
    let context = CommandContext(
      console: requestConsole,
      settings: Settings(store: nil, errors: nil, verbosity: .normal), served: session)
    do {
      try await action(for: call).run(with: context)
      try requestConsole.output.flush()
      return (session.report, nil)
    } catch {
      let error = error as? DataError ?? DataError(.failed, "\(error)")
      // Records that were skipped because the request permits it are no error.
      if session.report.skipped != nil, session.report.saved != nil {
        do throws(DataError) {
          try requestConsole.output.flush()
          return (session.report, nil)
        } catch {
          return (session.report, error)
        }
      }
      try? requestConsole.output.flush()
      return (session.report, error)
    }
  }

  private func action(for call: CommandCall) throws(DataError) -> any Command {
    guard let command = command(call.command) else {
      throw DataError(.failed, "there is no command \(call.command)")
    }
    var inputs = CommandInputs()
    for option in call.options {
      inputs.add("--\(option.name.replacing("_", with: "-"))", option.value)
    }
    for operand in call.operands { inputs.add(operand.name, operand.value) }
    do throws(UsageError) {
      return try command.action(for: inputs) { nearest($0, among: $1) }
    } catch {
      throw DataError(error)
    }
  }
}

/// The state of a command that runs for a request.
final class ServedSession: Sendable {
  /// The client, whose requests are restricted by the access rules.
  let client: Client
  /// The number of records that the caller has agreed to delete, or nil if it has agreed to any.
  let agreed: Int?
  /// The name of the file that the body contains, or nil if it has none.
  let fileName: String?
  private let state = Mutex(CommandReport())

  init(_ client: Client, _ call: CommandCall) {
    self.client = client
    agreed = call.agreed
    fileName = call.fileName
  }

  var report: CommandReport { state.withLock { $0 } }

  /// Adds a line that the command would print on stderr.
  func add(message: String) { state.withLock { $0.messages.append(message) } }

  func note(revision: Int64?) { state.withLock { $0.revision = revision } }

  func note(saved: SaveSummary) { state.withLock { $0.saved = saved } }

  func note(deleted: DeleteSummary) {
    let counts = DeleteCounts(
      count: deleted.deleted,
      cascaded: deleted.cascaded.map { DeleteCounts.Cascade(schema: $0.schema, count: $0.count) },
      nullified: deleted.nullified)
    state.withLock { $0.deleted = counts }
  }

  /// Stores the problems of the records that were skipped.
  func note(skipped: DataError) { state.withLock { $0.skipped = skipped } }
}

/// The standard streams of a command that runs for a request.
private final class RequestChannel: Channel {
  private let input: ByteStore
  private let output: any CommandOutput
  private let position = Mutex(0)

  init(input: ByteStore, output: any CommandOutput) {
    self.input = input
    self.output = output
  }

  var columns: Int? { nil }
  var isTerminal: Bool { false }
  var remaining: Int? { input.count - position.withLock { $0 } }
  var identity: FileIdentity? { nil }
  var offset: Int? { position.withLock { $0 } }

  func seek(to offset: Int) throws(ChannelError) { position.withLock { $0 = offset } }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int {
    let piece = position.withLock { position in
      let piece = input.read(at: position, into: &buffer, atMost: count)
      if case .bytes(let size) = piece { position += size }
      return piece
    }
    switch piece {
    case .bytes(let size): return size
    case .end, .pending: return 0
    case .failure: throw .failed("the body cannot be read")
    }
  }

  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool { true }

  func write(_ bytes: Span<UInt8>) throws(ChannelError) {
    do throws(DataError) {
      try output.write(bytes)
    } catch {
      throw error.code == .interrupted ? .interrupted : .failed(error.problems[0].message)
    }
  }

  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result {
    body()
  }
}
