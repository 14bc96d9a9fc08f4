internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataStore

extension Route {
  /// The routes to which datactl itself sends commands if its store is on a server. The body
  /// contains the command line and the files that it names. The response contains what the command
  /// prints, the files that it writes, and how it ends.
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
  /// Runs a command line. Returns the response, or nil if the response is already being sent.
  fileprivate func runCommandLine(
    _ path: [String], for access: StoreAccess
  ) async throws -> HTTPResponse? {
    guard head.mediaType == Frame.requestType else {
      throw HTTPError(415, .usage, "expected a body of the type \(Frame.requestType)")
    }
    let command = try SentCommand(
      parsing: body, maxDecompressedSize: service.maxBodySize(of: head))
    let address = try StoreAddress(command.document.store, in: "/")
    let output = ResponseOutput(
      exchange, sending: .atOnce, within: access == .reading ? service.spool(for: token) : nil
    ) { [service, head] body in
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
        // The error is sent as the end of the command, because a problem document would contain the
        // names of parameters in place of options.
        return .failed(error, .ordinary)
      }
      let receipt = access == .writing ? try await self.receipt(of: client) : nil
      let shown = client.shown(as: address)
      let end = await service.program.run(
        command, path, on: receipt.map(shown.recording) ?? shown, output: output,
        isCanceled: {
          // The command calls this closure after each chunk of records.
          exchange.noteProgress()
          return exchange.cancellation != nil
        })
      guard case .repeated(let counts)? = receipt?.result else { return end }
      return .repeated(
        .init(
          saved: counts.saved, deleted: counts.deleted, nullified: counts.nullified,
          output: counts.output))
    }
    try output.checkRefusal()
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

  /// Returns how a command ended, without details of the server that clients must not see. These
  /// details are written to the log.
  private func shown(_ end: CommandEnd, as address: StoreAddress) -> CommandEnd {
    switch end {
    case .done, .question, .part, .repeated: return end
    case .failed(let error, let failure): return .failed(shown(error, as: address), failure)
    case .skipped(let error, var skipping):
      skipping.errors = shown(skipping.errors, as: address)
      return .skipped(shown(error, as: address), skipping)
    }
  }

  private func shown(_ error: DataError, as address: StoreAddress) -> DataError {
    if error.code.describesServer {
      service.note(error, of: head)
      return DataError(
        error.code, "the server cannot execute the command",
        hint: "the log of the server has the details of request \(head.id)")
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
    return changed
  }
}

extension CommandEnd {
  /// The exit status with which the client's program ends, or nil if the program sends another
  /// request: the next part of the input, or the answer of the user to a question.
  fileprivate var exitStatus: Int32? {
    switch self {
    case .done, .repeated: 0
    case .question, .part: nil
    case .failed(_, .incompleteCheck): 7
    case .failed(let error, .ordinary), .skipped(let error, _): error.code.exitStatus
    }
  }
}

extension ErrorCode {
  /// Whether the message of an error may contain details of the server. The messages of other
  /// errors are about what the client has sent.
  fileprivate var describesServer: Bool {
    let described: [ErrorCode] = [
      .findings, .stopped, .declined, .outputFailed, .fileFailed, .storeDamaged,
    ]
    return isInternal && !described.contains(self)
  }
}
