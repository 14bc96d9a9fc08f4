internal import ClientCore
internal import Conditions
internal import DataAPI
internal import DataModel
internal import DataStore
internal import Synchronization

/// The command that a route runs, such as `list`, and how its output becomes the response.
struct CommandRoute: Sendable {
  /// When the output is sent.
  enum Sending: Sendable {
    /// The output is sent after the command has ended, so that an error determines the status of
    /// the response.
    case atEnd
    /// The output is sent piece by piece while the command runs. If an error occurs after the first
    /// piece, the response is cut off, because its status has already been sent.
    case atOnce
  }

  var command: [String]
  var access: StoreAccess
  /// The options of the command that are not parameters of the route.
  var excluded: [String] = []
  /// The content type if neither `output` nor `Accept` determines the format.
  var contentType = ResponseFormat.ndjson.contentType
  var sending = Sending.atEnd

  /// The options that no request can set: they concern the terminal, confirmation, or files.
  private static let interactive = ["yes", "system", "commit_every", "rejects", "changed"]
  /// The options of commands that only administrators can set in a request.
  static let restricted = ["keep_system_fields", "infer"]

  /// Returns the options of the command that are parameters of the route.
  func options(of program: any CommandProgram) -> [CommandOption] {
    program.options(of: command).filter { option in
      !option.isPath && !Self.interactive.contains(option.name) && !excluded.contains(option.name)
    }
  }
}

/// The response to a request that ran a command, and what the command has reported.
struct CommandResult: Sendable {
  var response: HTTPResponse
  var report: CommandReport
}

extension [Parameters.Parameter] {
  /// Returns a list that contains only the operand `SCHEMA`, with the given name as its value.
  static func schema(_ name: String) -> Self { [.init("SCHEMA", name)] }

  static func + (left: Self, right: (name: String, values: [String])) -> Self {
    left + right.values.map { .init(right.name, $0) }
  }
}

extension APIRequest {
  /// Runs a command whose options are the parameters of the request.
  ///
  /// - Parameters:
  ///   - operands: The operands of the command.
  ///   - added: Options that the route sets, in addition to those in the request.
  ///   - input: The standard input of the command; by default, the body of the request.
  ///   - prepare: Changes the call before it is executed.
  ///   - heading: A line of NDJSON to send before the output, or an empty array.
  /// - Returns: The result, or nil if the response has already been sent.
  func run(
    _ route: CommandRoute, operands: [Parameters.Parameter],
    adding added: [Parameters.Parameter] = [],
    input: ByteStore? = nil, prepare: (inout CommandCall) -> Void = { _ in },
    heading: [UInt8] = []
  ) async throws -> CommandResult? {
    let declared = route.options(of: service.program)
    guard parameters.list.count <= ConditionParameters.maxCount else {
      throw DataError(
        .usage,
        "a request can have at most \(ConditionParameters.maxCount.grouped) parameters besides id, "
          + "found \(parameters.list.count.grouped)")
    }
    try checkParameters(declared.map(\.name))
    var call = CommandCall(route.command, operands: operands)
    call.maxDecompressedSize = service.maxBodySize(of: head)
    for parameter in parameters.list where parameter.name != "output" {
      guard let option = declared.first(where: { $0.name == parameter.name }) else { continue }
      if option.isFlag {
        var request = self
        if try request.takeFlag(option.name),
          !call.options.contains(where: { $0.name == option.name })
        {
          call.options.append(.init(option.name, ""))
        }
      } else {
        call.options.append(parameter)
      }
    }
    call.options += added
    let formats = declared.first { $0.name == "output" }?.choices
    let format = try format(among: formats ?? [])
    if let format { call.options.append(.init("output", format)) }
    if !heading.isEmpty, let format, format != ResponseFormat.ndjson.rawValue {
      throw DataError(.usage, "schema=true requires the format ndjson, found \(format)")
    }
    prepare(&call)
    let map = route.access == .reading ? parameters["map"].last : nil
    let contentType =
      try format.map(ResponseFormat.contentType) ?? ResponseFormat.contentType(ofMap: map)
      ?? route.contentType
    let output = ResponseOutput(
      exchange, sending: route.sending,
      within: route.access == .reading ? service.spool(for: token) : nil
    ) { [service, head] body in
      var response = HTTPResponse(200, headers: [("Content-Type", contentType)], body: body)
      service.complete(&response, head)
      return response
    }
    let (exchange, finalCall) = (exchange, call)
    typealias Outcome = (receipt: Receipt?, report: CommandReport, error: DataError?)
    let (receipt, report, error) = try await withClient(for: route.access) { client -> Outcome in
      let receipt = route.access == .writing ? try await self.receipt(of: client) : nil
      if !heading.isEmpty { try output.write(heading.span) }
      let result = await service.program.run(
        finalCall, on: receipt.map(client.recording) ?? client, input: input ?? body,
        output: output,
        isCanceled: { exchange.cancellation != nil })
      return (receipt, result.report, result.error)
    }
    try output.checkRefusal()
    if case .repeated(let counts)? = receipt?.result {
      return try await repetition(of: counts, contentType)
    }
    if let error {
      if output.hasBegun {
        output.store.fail()
        return nil
      }
      throw error
    }
    output.store.finish()
    if output.hasBegun { return nil }
    let count = output.store.count
    var response = HTTPResponse(200, headers: [("Content-Type", contentType)])
    response.body = .store(output.store, count: count)
    return CommandResult(response: response, report: report)
  }

  /// Returns the output format that the client requests, or nil for the default of the command.
  private func format(among choices: [String]) throws -> String? {
    var request = self
    if let name = try request.take("output") {
      if choices.contains(name) { return name }
      throw DataError(
        .usage,
        "output: expected \(choices.joined(separator: ", ")), found \(Excerpt.quoted(name))",
        hint: nearest(name, among: choices).map { "did you mean \($0)?" })
    }
    guard let header = head["accept"] else { return nil }
    let accepted = AcceptedTypes(header)
    guard accepted.ranges.contains(where: { $0.type != "*/*" && $0.weight > 0 }) else { return nil }
    let offered = [ResponseFormat.ndjson] + ResponseFormat.allCases.filter { $0 != .ndjson }
    if let format = accepted.preferred(among: offered.filter { choices.contains($0.rawValue) }) {
      return format.rawValue
    }
    if choices.isEmpty || accepted.ranges.contains(where: { $0.type == "*/*" }) { return nil }
    throw HTTPError.notAcceptable(choices)
  }
}

/// The output of a command, which becomes the body of a response.
final class ResponseOutput: CommandOutput {
  let store: ByteStore
  private let exchange: Exchange
  private let sending: CommandRoute.Sending
  private let response: @Sendable (HTTPResponse.Body) -> HTTPResponse
  private let begun = Mutex(false)
  /// The budget for the output of a command that reads. What other commands print is not limited,
  /// because their changes are committed.
  private let budget: SpoolBudget?
  private let isRefused = Atomic(false)

  /// The number of bytes after which the response begins. Shorter responses are never refused.
  static let firstSize = 64 << 10
  /// How often a waiting output looks whether its reader has caught up, in milliseconds.
  private static let interval = 20

  init(
    _ exchange: Exchange, sending: CommandRoute.Sending, within budget: SpoolBudget?,
    response: @escaping @Sendable (HTTPResponse.Body) -> HTTPResponse
  ) {
    self.exchange = exchange
    self.budget = budget
    // A client that speaks HTTP 1.0 cannot detect that a response without a length was cut.
    self.sending = exchange.head.isHTTP10 ? .atEnd : sending
    self.response = response
    store = ByteStore(self.sending == .atOnce ? .discarded : .kept, within: budget)
  }

  /// Throws an error if the response was refused, because the responses to slow clients use up the
  /// budget.
  func checkRefusal() throws(HTTPError) {
    if isRefused.load(ordering: .relaxed) { throw .spoolUsedUp }
  }

  /// Whether the response is being sent.
  var hasBegun: Bool { begun.withLock { $0 } }

  func write(_ bytes: Span<UInt8>) throws(DataError) {
    guard exchange.cancellation == nil else { throw .interrupted }
    exchange.noteProgress()
    let isLong = store.count + bytes.count >= Self.firstSize
    if isLong, !hasBegun, budget?.isUsedUp == true {
      isRefused.store(true, ordering: .relaxed)
      throw HTTPError.spoolUsedUp.error
    }
    try store.append(bytes)
    if isLong { flush() }
  }

  func waitForReader() async {
    while hasBegun, store.mustWaitForReader, exchange.cancellation == nil {
      try? await Task.sleep(for: .milliseconds(Self.interval))
    }
  }

  func flush() {
    guard sending == .atOnce else { return }
    let isFirst = begun.withLock { begun in
      defer { begun = true }
      return !begun
    }
    guard isFirst else { return }
    exchange.reply(response(.store(store, count: nil)))
  }
}
