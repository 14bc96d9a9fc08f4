import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import DataStore
import Platform
import ServerClient

/// A command whose store is on a server. The command line is sent to the server, which executes it.
/// The client prints the output and writes the files that the server sends.
struct RemoteCommand {
  /// The maximum number of questions of a command. A second one follows if other commands have
  /// changed the number of records that the first one contains.
  private static let maxQuestions = 2

  private var inputs: GivenInputs
  private let client: RemoteClient
  private let context: CommandContext

  init(_ inputs: GivenInputs, on client: RemoteClient, with context: CommandContext) {
    self.inputs = inputs
    self.client = client
    self.context = context
  }

  func run(_ choice: StoreChoice) async throws {
    guard let command = ServedCommand.all.first(where: { $0.words == inputs.command.path }) else {
      throw DataError(
        .usage, "\(inputs.command.name) cannot be used with a store on a server: \(choice.address)")
    }
    try context.announce(choice)
    var given = inputs
    if given.readsSchemaFolder { given.add("PATH", try context.schemaFolder()) }
    var files = AttachedFiles(with: context)
    var parts = try InputParts(of: given, with: context)
    try files.attach(given, except: parts?.path)
    let server = try client.connect()
    let output = RemoteOutput(of: command, given, files, with: context)
    var document = document(of: given, files)
    var saved = SavedParts()
    var part = try next(&parts, after: saved)
    /// Whether the command contains the format that was detected at the beginning of the input.
    var hasFormat = false
    while true {
      document.part = part?.lineOffset.map { [isLast = part?.isLast ?? true] in
        .init(after: $0, saved, isLast: isLast)
      }
      let body = part?.body ?? files.body
      body.end = Frame(.command, document.json).encoded
      let end: CommandEnd
      do throws(DataError) {
        end = try send(body, as: command, given, document.part, to: server, output)
      } catch {
        throw failure(error, after: saved, mayHaveMore: true)
      }
      switch end {
      case .done(let committed):
        guard document.part?.isLast ?? true else {
          throw server.invalidResponse("it ends after a part of the input", to: .keyed)
        }
        return try output.finish(committed: committed)
      case .failed(let error, .ordinary): throw client.error(error)
      case .skipped(let error, let skipping):
        throw output.failure(with: skipping) ?? client.error(error)
      case .failed(let error, .incompleteCheck): throw CheckFailure(error: client.error(error))
      case .part(let all):
        guard document.part?.isLast == false else {
          throw server.invalidResponse("the input has no further part", to: .keyed)
        }
        saved = all
      case .repeated(var counts):
        if document.part != nil {
          try saved.add(counts.saved, through: part?.lastLine, skipping: nil)
          counts.saved = saved.summary
        }
        guard document.part?.isLast == false else { return try output.finish(counts, of: given) }
        try output.printRepeated(counts, of: given)
      case .question(let question):
        let answer = try answer(to: question, after: document.answers.count, of: command)
        output.prepareForAnswer()
        document.answers.append(.init(to: question, answer))
        continue
      }
      output.prepareForPart()
      if !hasFormat, let parts {
        document.inputs += parts.options.map { .init($0.name, $0.word) }
        hasFormat = true
      }
      part = try next(&parts, after: saved)
    }
  }

  /// Reads the next part of the input, if it is sent in parts.
  private func next(
    _ parts: inout InputParts?, after saved: SavedParts
  ) throws(DataError) -> InputParts.Part? {
    do throws(DataError) {
      return try parts?.next()
    } catch {
      throw failure(error, after: saved)
    }
  }

  /// Returns an error that also says what the parts of the input have saved that were sent before.
  ///
  /// - Parameter mayHaveMore: Whether the server may have saved a further part.
  private func failure(
    _ error: DataError, after saved: SavedParts, mayHaveMore: Bool = false
  ) -> DataError {
    let schema = inputs["SCHEMA"].first ?? ""
    guard let line = saved.line.map({ CommittedLine($0, of: []) }) else {
      return mayHaveMore
        ? error : error.adding(committed: Problem(.stopped, "nothing was saved", schema: schema))
    }
    return error.adding(committed: line.problem(of: schema, mayHaveMore: mayHaveMore))
  }

  /// Returns the answer to a question of the server. Asks the user, unless `--yes` was given.
  ///
  /// - Parameter count: The number of earlier questions of the command.
  private func answer(
    to question: String, after count: Int, of command: ServedCommand
  ) throws(DataError) -> String {
    let shown = Excerpt.truncated(question)
    guard command.effect != .reads, count < Self.maxQuestions else {
      throw DataError(.declined, "the server asks more questions than the command has: \(shown)")
    }
    if !inputs["--yes"].isEmpty { return "yes" }
    guard context.console.canPrompt else {
      throw DataError(
        .declined, "cannot prompt for the answer to a question of the server: \(shown)")
    }
    return try context.console.ask(question)
  }

  private func document(of given: GivenInputs, _ files: AttachedFiles) -> CommandDocument {
    let console = context.console
    var document = CommandDocument(
      given.words.map { .init($0.name, $0.word) }, store: client.address.description)
    document.verbosity = context.settings.verbosity.rawValue
    document.errorFormat = context.errorFormat.rawValue
    document.input = .init(isTerminal: console.input.isTerminal)
    document.output = console.output.sentStream
    document.errors = console.errors.sentStream
    document.variables = CommandDocument.variableNames.compactMap { name in
      console.variable(name).map { .init(name, $0) }
    }
    document.expansions = files.expansions
    return document
  }

  /// Sends the command to the server, and returns its result.
  private func send(
    _ body: RequestBody, as command: ServedCommand, _ given: GivenInputs,
    _ part: CommandDocument.Part?, to server: RemoteServer, _ output: RemoteOutput
  ) throws(DataError) -> CommandEnd {
    var headers = [(name: "Content-Type", value: Frame.requestType)]
    let repetition: RemoteServer.Repetition
    switch command.effect {
    case .reads: repetition = .reading
    case .changesSchemas: repetition = .never
    case .changesRecords:
      // A command with several transactions cannot be repeated: it would find the receipt of the
      // first transaction, even if later ones were not committed. A part is one transaction.
      repetition = given["--commit-every"].isEmpty || part != nil ? .keyed : .never
    }
    if repetition == .keyed { headers.append((IdempotencyKey.headerName, IdempotencyKey.new())) }
    let schema = given["SCHEMA"].first.map { "?schema=\(PercentEncoding.encode($0))" } ?? ""
    let request = ServerRequest("POST", "/\(command.path)\(schema)", headers: headers, body: body)
    let wait = given["--wait"].first.flatMap { Double($0) } ?? WriteWait().seconds
    let response = try server.send(request, to: output, repeating: repetition, wait: wait)
    guard response.status == 200, response.mediaType == output.mediaType else {
      throw client.error(server.error(of: response))
    }
    guard let end = output.end else {
      throw server.invalidResponse("it ends early", to: repetition)
    }
    return end
  }
}

extension OutputStream {
  /// What a server must know about a standard stream of the client, such as the width of the
  /// terminal.
  fileprivate var sentStream: CommandDocument.Stream {
    .init(isTerminal: isTerminal, columns: columns)
  }
}

extension GivenInputs {
  /// Whether the command reads the schema folder of the project. A command that reads schema files
  /// does so if the command line names neither schema files nor a plan.
  fileprivate var readsSchemaFolder: Bool {
    command.operands.contains { $0.name == "PATH" && $0.kind == .schemaFiles }
      && self["PATH"].isEmpty && self["--plan"].isEmpty
  }
}
