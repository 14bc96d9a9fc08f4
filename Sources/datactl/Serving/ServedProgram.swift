import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import DataOutput
import DataServer
import DataStore
import JSONText
import Synchronization

/// The commands that a server runs for its requests.
final class ServedProgram: CommandProgram {
  /// The console of the server, whose clocks the commands use.
  private let console: Console
  /// The commands that requests have used, which are kept because creating them takes time.
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
        isRepeated: option.isRepeated,
        isPath: option.value?.kind.isPath == true && option.name != "--map",
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
    let session = ServedSession(client, call, output)
    let input = RequestBytes(of: input)
    let requestConsole = console(
      input: RequestChannel(reading: input),
      output: RequestChannel { bytes throws(DataError) in
        try output.write(bytes)
      }, errors: RequestChannel { bytes in session.add(messages: bytes) }, isCanceled: isCanceled)
    let context = CommandContext(console: requestConsole, settings: Settings(), served: session)
    do {
      try await action(for: call).run(with: context)
      try requestConsole.output.flush()
      return (session.report, nil)
    } catch {
      let error = error as? DataError ?? DataError(.failed, "\(error)")
      // The request permits that invalid records are skipped, so this is not an error.
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

  func run(
    _ command: SentCommand, _ path: [String], on client: Client, output: any CommandOutput,
    isCanceled: @escaping @Sendable () -> Bool
  ) async -> CommandEnd {
    let document = command.document
    let frames = FrameOutput(output)
    let session = ServedSession(
      client, SentFiles(command, frames), output,
      maxDecompressedSize: command.maxDecompressedSize, part: document.part)
    let requestConsole = console(
      arguments: document.inputs.map(\.value),
      variable: { document.variable($0) },
      input: RequestChannel(reading: command["-"], as: document.input),
      output: RequestChannel(as: document.output) { bytes throws(DataError) in
        try frames.write(.output, bytes)
      },
      errors: RequestChannel(as: document.errors) { bytes throws(DataError) in
        try frames.write(.message, bytes)
        output.flush()
      }, isCanceled: isCanceled,
      answer: { question throws(DataError) in
        guard let answer = document.answers.first(where: { $0.question == question }) else {
          session.note(question: question)
          throw DataError(.declined, "the request does not answer: \(Excerpt.truncated(question))")
        }
        return answer.text
      })
    var settings = Settings()
    settings.errors = ErrorFormat(rawValue: document.errorFormat)
    settings.verbosity = Settings.Verbosity(rawValue: document.verbosity) ?? .normal
    let context = CommandContext(console: requestConsole, settings: settings, served: session)
    do {
      let inputs = document.inputs.map { ($0.name, $0.value) }
      try await action(of: path, for: inputs).run(with: context)
      try requestConsole.output.flush()
      return session.savedParts.map { .part($0) } ?? .done(committed: session.committed)
    } catch {
      if let question = session.question { return .question(question) }
      try? requestConsole.output.flush()
      let failure = error as? CheckFailure
      let error = failure?.error ?? error as? DataError ?? DataError(.failed, "\(error)")
      if failure == nil, let skipped = session.report.skipped {
        return .skipped(error, .init(committed: session.committed, errors: skipped))
      }
      return .failed(error, failure == nil ? .ordinary : .incompleteCheck)
    }
  }

  /// Returns a console whose streams and variables are those of a request.
  private func console(
    arguments: [String] = [], variable: @escaping @Sendable (String) -> String? = { _ in nil },
    input: RequestChannel, output: RequestChannel, errors: RequestChannel,
    isCanceled: @escaping @Sendable () -> Bool,
    answer: (@Sendable (String) throws(DataError) -> String)? = nil
  ) -> Console {
    Console(
      arguments: arguments, variable: variable, folder: "", userID: console.userID,
      clock: console.clock, stopwatch: console.stopwatch, input: input, output: output,
      errors: errors, signal: { isCanceled() ? .terminate : nil }, answer: answer)
  }

  private func action(for call: CommandCall) throws(DataError) -> any Command {
    var inputs: [(String, String)] = []
    for option in call.options {
      inputs.append(("--\(option.name.replacing("_", with: "-"))", option.value))
    }
    for operand in call.operands { inputs.append((operand.name, operand.value)) }
    return try action(of: call.command, for: inputs)
  }

  private func action(
    of path: [String], for given: [(name: String, value: String)]
  ) throws(DataError) -> any Command {
    if path == ServedCommand.completion.words { return try SentCompletion(given) }
    guard let command = command(path) else {
      throw DataError(.failed, "there is no command \(path)")
    }
    var inputs = CommandInputs()
    for input in given { inputs.add(input.name, input.value) }
    do throws(UsageError) {
      return try command.action(for: inputs) { nearest($0, among: $1) }
    } catch {
      throw DataError(error)
    }
  }
}

/// The state of a command that runs for a request.
final class ServedSession: Sendable {
  /// The kind of request for which the command runs.
  enum Purpose: Sendable {
    /// A request to a route of the API. The server creates the response from the result of the
    /// command.
    case route
    /// A command line of a client. The client prints what the command prints.
    case commandLine
  }

  private struct State {
    var report = CommandReport()
    var question: String?
    var committed: Problem?
    var savedParts: SavedParts?
  }

  let purpose: Purpose
  /// A client of the store, restricted by the access rules of the caller.
  let client: Client
  let files: any CommandFiles
  /// The database engine of the store, or nil if the store has no database tables.
  let engine: TableEngine?
  /// The number of records that the caller has agreed to delete, or nil if it has agreed to delete
  /// any number.
  let agreed: Int?
  /// The values that fields of the selected records must have.
  let matches: [QueryInput.Match]
  /// The name of the file that the body of the request contains, or nil if it has none.
  let fileName: String?
  /// The media type of the file in the body of the request, or nil if it is not known. It is used
  /// if the file name has no known extension.
  let fileType: String?
  /// The maximum number of bytes of an input after decompression.
  let maxDecompressedSize: Int
  /// The part of the input that the request contains, or nil if it contains the whole input.
  let part: CommandDocument.Part?
  private let output: any CommandOutput
  private let state = Mutex(State())

  init(_ client: Client, _ call: CommandCall, _ output: any CommandOutput) {
    self.output = output
    purpose = .route
    self.client = client
    files = NoFiles()
    engine = client.engine
    agreed = call.agreed
    matches = call.matches
    fileName = call.fileName
    fileType = call.fileType
    maxDecompressedSize = call.maxDecompressedSize
    part = nil
  }

  init(
    _ client: Client, _ files: SentFiles, _ output: any CommandOutput, maxDecompressedSize: Int,
    part: CommandDocument.Part?
  ) {
    self.output = output
    purpose = .commandLine
    self.client = client
    self.files = files
    engine = client.engine
    agreed = nil
    matches = []
    fileName = nil
    fileType = nil
    self.maxDecompressedSize = maxDecompressedSize
    self.part = part
  }

  /// Waits until the client has read enough of the output, if the output needs too much space.
  func waitForReader() async { await output.waitForReader() }

  var report: CommandReport { state.withLock { $0.report } }

  /// The question that the command must ask the user, or nil if there is none.
  var question: String? { state.withLock { $0.question } }

  /// The problem that says what the command has committed, or nil if it has changed nothing. It is
  /// sent to the client, which reports it if the output cannot be written.
  var committed: Problem? { state.withLock { $0.committed } }

  /// What the save has committed whose input the client sends in parts. Nil unless a further part
  /// follows.
  var savedParts: SavedParts? { state.withLock { $0.savedParts } }

  /// Adds text to the messages in the report: text that the command would print on stderr if a user
  /// had started it.
  func add(messages: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.append(copying: messages)
    state.withLock { [bytes] state in state.report.messages += bytes }
  }

  func note(revision: Int64?) { state.withLock { $0.report.revision = revision } }

  func note(saved: SaveSummary) { state.withLock { $0.report.saved = saved } }

  func note(deleted: DeleteSummary) { state.withLock { $0.report.deleted = deleted } }

  /// Stores the problems of the records that were skipped.
  func note(skipped: DataError) { state.withLock { $0.report.skipped = skipped } }

  func note(question: String) { state.withLock { $0.question = question } }

  func note(committed: Problem) { state.withLock { $0.committed = committed } }

  func note(savedParts: SavedParts) { state.withLock { $0.savedParts = savedParts } }
}

/// A standard stream of a command that runs for a request.
private final class RequestChannel: Channel {
  private let input: RequestBytes?
  /// The reason why the client could not read the input, or nil if it could.
  private let failure: String?
  private let output: (@Sendable (Span<UInt8>) throws(DataError) -> Void)?
  private let stream: CommandDocument.Stream
  private let position = Mutex(0)

  init(reading input: RequestBytes) {
    self.input = input
    failure = nil
    stream = .init()
    output = nil
  }

  /// Creates the stdin of a command that a server runs for a client.
  ///
  /// - Parameter attachment: What the client has read from its own stdin, or nil if it has read
  ///   nothing.
  init(reading attachment: SentCommand.Attachment?, as stream: CommandDocument.Stream) {
    self.stream = stream
    output = nil
    switch attachment {
    case .file(let bytes): (input, failure) = (bytes, nil)
    case .unreadable(let problem): (input, failure) = (nil, problem.message)
    case .folder, nil: (input, failure) = (nil, nil)
    }
  }

  init(
    as stream: CommandDocument.Stream = .init(),
    writing output: @escaping @Sendable (Span<UInt8>) throws(DataError) -> Void
  ) {
    input = nil
    failure = nil
    self.stream = stream
    self.output = output
  }

  var columns: Int? { stream.columns }
  var isTerminal: Bool { stream.isTerminal }
  var remaining: Int? { input.map { $0.count - position.withLock { $0 } } }
  var identity: FileIdentity? { nil }
  var offset: Int? { position.withLock { $0 } }

  func seek(to offset: Int) throws(ChannelError) { position.withLock { $0 = offset } }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int {
    if let failure { throw .failed(failure) }
    guard let input else { return 0 }
    let size = position.withLock { position -> Int? in
      let size = input.read(at: position, into: &buffer, atMost: count)
      position += size ?? 0
      return size
    }
    guard let size else { throw .failed("the body cannot be read") }
    return size
  }

  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool { true }

  func write(_ bytes: Span<UInt8>) throws(ChannelError) {
    do throws(DataError) {
      try output?(bytes)
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

extension InputStream {
  /// Creates a stream that reads a file in the body of a request.
  ///
  /// - Parameter file: The name of the file in error messages.
  init(_ file: String, reading bytes: RequestBytes) {
    self.init(file, from: RequestChannel(reading: bytes))
  }
}

extension OutputStream {
  /// Creates an output stream. The bytes written to the stream are passed to a closure, for example
  /// to send them to the client.
  convenience init(
    _ name: String, writing output: @escaping @Sendable (Span<UInt8>) throws(DataError) -> Void
  ) {
    self.init(name, to: RequestChannel(writing: output), buffering: .full)
  }
}

extension CommandDocument {
  /// Returns the value that an environment variable has on the client. Returns nil if the variable
  /// does not affect how results are shown.
  fileprivate func variable(_ name: String) -> String? {
    guard Self.variableNames.contains(name),
      let value = variables.first(where: { $0.name == name })?.value
    else { return nil }
    // The width of a terminal has fewer digits.
    return name == "COLUMNS" && value.utf8.count > 4 ? nil : value
  }
}
