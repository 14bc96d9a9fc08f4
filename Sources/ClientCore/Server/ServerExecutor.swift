internal import DataAPI
package import DataModel
internal import DataStore
internal import ServerClient
internal import Synchronization

/// A server that executes the requests of a client, and the user for whom it executes them.
package struct ServerExecutor: Sendable {
  let connections: ServerConnections
  /// The address of the server as error messages show it.
  let shownAddress: String
  /// The user for whom an administrator sends requests, or an empty text for a caller who is not
  /// logged in. Nil if the user of the session sends them.
  private(set) var actingUser: String?

  init(to address: ServerAddress, shownAs shownAddress: String, in environment: Environment) {
    self.shownAddress = shownAddress
    connections = ServerConnections(to: address, shownAs: shownAddress, in: environment)
  }

  /// Returns the executor whose requests the server executes for a caller.
  func acting(as caller: Caller) -> ServerExecutor {
    var executor = self
    switch caller {
    case .user(let user): executor.actingUser = user
    case .anonymous: executor.actingUser = ""
    case .session, .administrator: executor.actingUser = nil
    }
    return executor
  }

  /// Sends a request, and returns the response. Throws an error if the response reports one.
  ///
  /// - Parameters:
  ///   - token: The token of the session, or nil if no user is logged in.
  ///   - receiver: An object that receives the body of a successful response, or nil.
  func send(
    _ request: sending ServerRequest, token: Token?,
    to receiver: (any ResponseReceiver & Sendable)? = nil,
    repeating repetition: RemoteServer.Repetition
  ) async throws(DataError) -> ServerResponse {
    if let token { request.headers.append(("Authorization", "Bearer \(token.text)")) }
    if let actingUser {
      request.headers.append((ActingUser.headerName, ActingUser.encode(actingUser)))
    }
    if repetition == .keyed {
      request.headers.append((IdempotencyKey.headerName, IdempotencyKey.new()))
    }
    let response = try await connections.send(request, to: receiver, repeating: repetition)
    guard response.isSuccess else { throw response.error(of: shownAddress) }
    // A server of an earlier version would execute the request for the administrator.
    if let actingUser,
      response[ActingUser.headerName.lowercased()]
        != ActingUser.confirmation(of: ActingUser.encode(actingUser))
    {
      throw responses.invalidResponse("the server does not support acting for another user")
    }
    if let expected = receiver?.mediaType, response.mediaType != expected {
      throw responses.invalidResponse("its media type is \(Excerpt.quoted(response.mediaType))")
    }
    return response
  }

  /// Sends a request that reads, and returns its response while it arrives.
  func stream(
    _ request: sending ServerRequest, as mediaType: String?, token: Token?
  ) -> ResponseStream {
    let response = StreamedResponse(of: mediaType)
    let transfer = PassedRequest(request)
    let task = Task { [self] in
      do throws(DataError) {
        guard let request = transfer.take() else { return }
        let header = try await send(request, token: token, to: response, repeating: .reading)
        response.receive(header: header)
        response.end(.success(()))
      } catch {
        response.end(.failure(error))
      }
    }
    return ResponseStream(response, task, from: responses) {
      [connections] () throws(DataError) in try connections.check()
    }
  }

  /// The source of the responses.
  package var responses: ResponseSource { ResponseSource(address: shownAddress) }
}

/// A request that is passed to a task, which is the only one to use it.
final class PassedRequest: Sendable {
  private let request: Mutex<ServerRequest?>

  init(_ request: sending ServerRequest) {
    self.request = Mutex(request)
  }

  func take() -> sending ServerRequest? { request.withLock { $0.take() } }
}

/// A response that is read while it arrives. The request is canceled when the rest of it is not
/// needed any more.
package final class ResponseStream: Sendable {
  private let response: StreamedResponse
  private let task: Task<Void, Never>
  private let source: ResponseSource
  /// Throws an error if the client has been closed, or if the reading task is canceled.
  private let check: @Sendable () throws(DataError) -> Void

  init(
    _ response: StreamedResponse, _ task: Task<Void, Never>, from source: ResponseSource,
    checking check: @escaping @Sendable () throws(DataError) -> Void
  ) {
    self.response = response
    self.task = task
    self.source = source
    self.check = check
  }

  deinit { task.cancel() }

  /// Returns the next lines, or nil at the end.
  package func nextLines() async throws(DataError) -> [UInt8]? {
    do throws(DataError) {
      try check()
      return try await response.nextLines()
    } catch {
      throw source.error(error)
    }
  }

  /// Returns the next bytes, or nil at the end.
  func nextBytes() async throws(DataError) -> [UInt8]? {
    do throws(DataError) {
      try check()
      return try await response.nextBytes()
    } catch {
      throw source.error(error)
    }
  }

  /// Returns the status and the headers.
  func header() async throws(DataError) -> ServerResponse {
    do throws(DataError) {
      try check()
      return try await response.header()
    } catch {
      throw source.error(error)
    }
  }
}
