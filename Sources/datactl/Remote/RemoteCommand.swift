import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import DataText
import Platform
import RemoteStore

/// A command line whose store is on a server. The server executes the same command, and what it
/// prints is printed here.
struct RemoteCommand {
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
    try files.attach(given)
    let server = try client.connect()
    let output = RemoteOutput(of: command, given, rejects: files.rejects, with: context)
    var document = document(of: given, files)
    while true {
      files.body.end = Frame(.command, document.json).encoded
      switch try send(files.body, as: command, given, to: server, output) {
      case .done(let committed): return try output.finish(committed: committed)
      case .failed(let error, .ordinary): throw error
      case .failed(let error, .incompleteCheck): throw CheckFailure(error: error)
      case .repeated(let counts): return try output.finish(counts, of: given)
      case .question(let question):
        document.answers.append(.init(to: question, try context.console.ask(question)))
      }
    }
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

  /// Sends the command, and returns how it ended.
  private func send(
    _ body: RequestBody, as command: ServedCommand, _ given: GivenInputs, to server: RemoteServer,
    _ output: RemoteOutput
  ) throws(DataError) -> CommandEnd {
    var headers = [(name: "Content-Type", value: Frame.requestType)]
    let repetition: RemoteServer.Repetition
    switch command.effect {
    case .reads: repetition = .reading
    case .changesSchemas: repetition = .never
    case .changesRecords:
      // With several transactions, a repetition would find the receipt of the first one.
      repetition = given["--commit-every"].isEmpty ? .keyed : .never
    }
    if repetition == .keyed { headers.append(("Idempotency-Key", Self.newKey())) }
    let schema = given["SCHEMA"].first.map { "?schema=\(PercentEncoding.encode($0))" } ?? ""
    let request = ServerRequest("POST", "/\(command.path)\(schema)", headers: headers, body: body)
    let wait = given["--wait"].first.flatMap { Double($0) } ?? 30
    let response = try server.send(request, to: output, repeating: repetition, wait: wait)
    guard response.status == 200, response.mediaType == output.mediaType else {
      throw client.error(server.error(of: response))
    }
    guard let end = output.end else {
      throw DataError(.storeUnreachable, "the response of \(client.address) ends early")
    }
    return end
  }

  private static func newKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
  }
}

extension OutputStream {
  /// What a server can know about the stream.
  fileprivate var sentStream: CommandDocument.Stream {
    .init(isTerminal: isTerminal, columns: columns)
  }
}

extension GivenInputs {
  /// Whether the command reads the schema folder of the project, because it names no other files.
  fileprivate var readsSchemaFolder: Bool {
    command.operands.contains { $0.name == "PATH" && $0.kind == .schemaFiles }
      && self["PATH"].isEmpty && self["--plan"].isEmpty
  }

  /// Whether the command reads stdin although the command line does not name it.
  fileprivate var readsStandardInput: Bool {
    switch command.path {
    case ["save"]: ["FIELD=VALUE", "--file", "--files"].allSatisfy { self[$0].isEmpty }
    case ["batch"]: self["FILE"].isEmpty
    default: false
    }
  }
}

/// The files that a command line names, as a part of a request.
struct AttachedFiles {
  private static let pieceSize = 256 << 10
  /// The depth of subfolders in which `CommandContext` looks for schema files.
  private static let folderDepth = 4

  private let context: CommandContext
  let body = RequestBody()
  private(set) var expansions: [CommandDocument.Expansion] = []
  /// The output for rejected records (`--rejects`), which is opened before the request is sent.
  private(set) var rejects: PublishedOutput?
  private var paths: Set<[UInt8]> = []
  private var identities: [FileIdentity?] = []

  init(with context: CommandContext) {
    self.context = context
  }

  /// Attaches the files that a command line names, and no others.
  mutating func attach(_ given: GivenInputs) throws(DataError) {
    for (name, word) in given.words {
      switch given.kind(of: name) {
      case .file where name == "--map" && DataMap.builtIn(named: word) != nil: break
      case .file where name == "--file" || name == "--files": try attach(pattern: word)
      case .file: try attach(word)
      case .schemaFiles: try attach(schemaFiles: word)
      case .folder where given.command.path.first == "schema" && word != "-":
        try attach(schemaFiles: word)
      case .assignment:
        if let assignment = Assignment(word), assignment.operation == .file {
          try attach(assignment.text)
        }
      case .id where word == "-" && name == "ID" && given.readsIDs: try attach(word)
      case .folder, .outputFile, .id, .text, .integer, .choice, .schema, .schemaOrField, .field,
        .fields, .fieldFor, .fieldsFor, .order, .relations, .condition, .groupCondition,
        .timeZone,
        .equality, .declaration, .function, .store, .topic, .command, nil:
        break
      }
    }
    if given.readsStandardInput { try attach("-") }
    if let path = given["--rejects"].first, path != "-" { try openRejects(path) }
  }

  private mutating func attach(pattern: String) throws(DataError) {
    guard FilePattern(pattern).hasWildcards else { return try attach(pattern) }
    do throws(DataError) {
      guard let matches = try context.files.matches(of: pattern) else { return try attach(pattern) }
      expansions.append(.init(of: pattern, matches))
      for path in matches { try attach(path) }
    } catch {
      try attach(pattern, unreadable: error)
    }
  }

  /// Attaches the content of a file, or the reason why it cannot be read.
  private mutating func attach(_ path: String) throws(DataError) {
    guard !path.isEmpty, paths.insert(Array(path.utf8)).inserted else { return }
    // If stdin is a terminal, the server is told so, and reports the error.
    if path == "-", context.console.input.isTerminal { return }
    do throws(DataError) {
      let input = try context.input(path, for: "the input")
      identities.append(input.identity)
      try append(AttachedPath(path, .file))
      var bytes: [UInt8] = []
      var isAtEnd = false
      while !isAtEnd {
        isAtEnd = try input.read(into: &bytes, atMost: Self.pieceSize - bytes.count) == 0
        try context.console.checkInterruption()
        guard isAtEnd || bytes.count == Self.pieceSize else { continue }
        try body.append(Frame.header(.content, size: bytes.count).span)
        try body.append(bytes.span)
        bytes.removeAll(keepingCapacity: true)
      }
    } catch {
      try attach(path, unreadable: error)
    }
  }

  private mutating func attach(_ path: String, unreadable error: DataError) throws(DataError) {
    if error.code == .interrupted || error.problems[0].file == nil { throw error }
    try append(AttachedPath(path, .unreadable(error.problems[0])))
  }

  /// Attaches a file, or the schema files of a folder. Of its subfolders, only the names of the files
  /// are attached.
  private mutating func attach(schemaFiles path: String) throws(DataError) {
    guard try attach(namesIn: path, depth: Self.folderDepth) else { return try attach(path) }
    for file in try context.schemaPaths(path) { try attach(file) }
  }

  /// Attaches the names of the schema files and subfolders of a folder. Returns false if the path is
  /// not that of a folder that can be read.
  private mutating func attach(namesIn path: String, depth: Int) throws(DataError) -> Bool {
    do throws(DataError) {
      guard depth >= 0, try context.isFolder(path) else { return false }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      var names: [String] = []
      for name in try context.files.names(in: path) where !name.hasPrefix(".") {
        if try attach(namesIn: prefix + name, depth: depth - 1) || name.hasSuffix(".json") {
          names.append(name)
        }
      }
      try append(AttachedPath(path, .folder(names)))
      return true
    } catch {
      try attach(path, unreadable: error)
      return true
    }
  }

  /// Opens the file for rejected records. If that fails, attaches the reason.
  private mutating func openRejects(_ path: String) throws(DataError) {
    try Rejects.check(path, distinctFrom: identities, [], with: context)
    do throws(DataError) {
      rejects = try context.files.output(path)
    } catch {
      if error.code == .interrupted { throw error }
      try append(AttachedPath(path, .unwritable(error.problems[0])))
    }
  }

  private func append(_ path: AttachedPath) throws(DataError) {
    try body.append(Frame(.path, path.json).encoded.span)
  }
}

extension GivenInputs {
  /// Whether the operands `ID` are ids of any number of records, so that `-` means stdin.
  fileprivate var readsIDs: Bool {
    command.operands.contains { operand in
      if case .many = operand.count { operand.name == "ID" } else { false }
    }
  }
}
