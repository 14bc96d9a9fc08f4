internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataStore
internal import DataText

extension Route {
  /// The routes for commands that another instance of the program sends. The body contains the
  /// command line and the files that it names, and the response is what the command prints.
  static let commands: [Route] = ServedCommand.all.map { command in
    let (effect, access): (Effect, StoreAccess) =
      switch command.effect {
      case .reads: (.reads, .reading)
      case .changesRecords, .changesSchemas: (.writes, .writing)
      }
    return Route(
      "POST", command.path, effect,
      "Execute `\(command.words.joined(separator: " "))` for another instance of the program.",
      forAdministrators: command.administratorAction,
      conditions: command.effect == .changesRecords ? [.key] : []
    ) { request in
      try await request.runCommandLine(command.words, for: access)
    }
  }
}

extension APIRequest {
  /// Runs a command line, and returns the frames that describe what it prints and how it ends.
  fileprivate func runCommandLine(
    _ path: [String], for access: StoreAccess
  ) async throws -> HTTPResponse? {
    let type = head["content-type"]?.prefix { $0 != ";" } ?? ""
    guard type.lowercased() == Frame.requestType else {
      throw HTTPError(415, .usage, "expected a body of the type \(Frame.requestType)")
    }
    let command = try SentCommand(
      parsing: body, maxDecompressedSize: service.maxBodySize(of: head))
    let address = try StoreAddress(command.document.store, in: "/")
    let output = ResponseOutput(exchange, sending: .atOnce) { [service, head] body in
      var response = HTTPResponse(
        200, headers: [("Content-Type", Frame.responseType)], body: body)
      service.complete(&response, head)
      return response
    }
    let exchange = exchange
    let end = try await withClient(for: access) { client -> CommandEnd in
      do throws(DataError) {
        for option in CommandRoute.restricted.map({ "--\($0.replacing("_", with: "-"))" })
        where command.document.inputs.contains(where: { $0.name == option }) {
          try await client.checkIsAdministrator("use \(option)")
        }
      } catch {
        // A problem document would name the parameters of the API.
        return .failed(error, .ordinary)
      }
      let receipt = access == .writing ? try self.receipt() : nil
      let shown = client.shown(as: address)
      let end = await service.program.run(
        command, path, on: receipt.map(shown.recording) ?? shown, output: output,
        isCanceled: {
          // The command asks this after each chunk of records.
          exchange.noteProgress()
          return exchange.cancellation != nil
        })
      guard case .repeated(let counts)? = receipt?.result else { return end }
      return .repeated(
        .init(saved: counts.saved, deleted: counts.deleted, nullified: counts.nullified))
    }
    if case .repeated = end { try await checkPermission() }
    let shown = shown(end, as: address)
    exchange.command = shown.exitStatus.map {
      EndedCommand(name: path.joined(separator: " "), exitStatus: $0)
    }
    try output.store.append(Frame(.end, shown.json).encoded.span)
    output.store.finish()
    if output.hasBegun { return nil }
    return HTTPResponse(
      200, headers: [("Content-Type", Frame.responseType)],
      body: .store(output.store, count: output.store.count))
  }

  /// Returns an end without what describes the inside of the server.
  private func shown(_ end: CommandEnd, as address: StoreAddress) -> CommandEnd {
    guard case .failed(let error, let failure) = end else { return end }
    if error.code.describesServer {
      service.note(error, of: head)
      let hidden = DataError(
        error.code, "the server cannot execute the command",
        hint: "the log of the server has the details of request \(head.id)")
      return .failed(hidden, failure)
    }
    func shown(_ problem: inout Problem) {
      problem.message.replace(service.store, with: address.description)
      problem.hint?.replace(service.store, with: address.description)
      if problem.code == .interrupted {
        problem.code = .storeUnreachable
        problem.message =
          "the server stopped the command, because "
          + (exchange.cancellation == .timeout
            ? "it took longer than the server permits" : "the server is stopping")
      }
    }
    var changed = service.hidingStore(error, of: head).modifyingProblems(shown)
    if var partial = changed.partialCommit {
      shown(&partial)
      changed.partialCommit = partial
    }
    return .failed(changed, failure)
  }
}

extension CommandEnd {
  /// The exit status of the client's program, or nil if the command continues with an answer.
  fileprivate var exitStatus: Int32? {
    switch self {
    case .done, .repeated: 0
    case .question: nil
    case .failed(_, .incompleteCheck): 7
    case .failed(let error, .ordinary): error.code.exitStatus
    }
  }
}

extension ErrorCode {
  /// Whether an error of a command may describe the inside of the server, as opposed to what the
  /// client has sent.
  fileprivate var describesServer: Bool {
    let described: [ErrorCode] = [
      .findings, .stopped, .declined, .outputFailed, .fileFailed, .storeDamaged,
    ]
    return isInternal && !described.contains(self)
  }
}
