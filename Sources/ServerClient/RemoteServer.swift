internal import DataAPI
package import DataModel
internal import Platform

/// A datactl server, to which requests are sent.
package final class RemoteServer {
  /// Whether a request that has failed may be sent again.
  package enum Repetition: Equatable {
    /// The request only reads, or executing it twice has the same effect as executing it once, for
    /// example logging out. It is sent once more if the connection is cut before any part of
    /// the response is used.
    case reading
    /// The request can be sent again, because the server recognizes its idempotency key and does
    /// not execute it a second time.
    case keyed
    /// The request is never sent again, because the server would execute it a second time.
    case never
  }

  /// The number of times that a request may be sent again, even if more than `restartSeconds` have
  /// passed since the first failure.
  private static let minRetries = 3
  /// For this number of seconds after the first failure, a request is sent again any number of
  /// times. A restart of the server takes less time.
  private static let restartSeconds = 10.0

  private let address: ServerAddress
  /// The address of the server as error messages show it.
  private let shownAddress: String
  private let token: String?
  private let alarm: Int32?
  private let connection: ServerConnection

  /// - Parameters:
  ///   - shownAddress: The address of the server as error messages show it.
  ///   - token: The token of the session, or nil if no user is logged in.
  ///   - alarm: A file descriptor that becomes readable when the program must stop.
  ///   - variable: Returns the value of an environment variable, or nil if it is not set.
  package init(
    at address: ServerAddress, shownAs shownAddress: String, token: String?, alarm: Int32?,
    variable: @escaping @Sendable (String) -> String?
  ) throws(DataError) {
    self.address = address
    self.shownAddress = shownAddress
    self.token = token
    self.alarm = alarm
    connection = try ServerConnection(to: address, alarm: alarm, variable: variable)
  }

  /// Sends a request, and returns the response, even if the response reports an error.
  ///
  /// - Parameters:
  ///   - receiver: An object that receives the body of a successful response. If the body has
  ///     another media type than the receiver expects, or if `receiver` is nil, the returned
  ///     response contains the body.
  ///   - wait: The time in seconds after which a failed request is not sent again.
  package func send(
    _ request: ServerRequest, to receiver: (any ResponseReceiver)? = nil,
    repeating repetition: Repetition, wait: Double = 30
  ) throws(DataError) -> ServerResponse {
    var request = request
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    let end = SystemClock.elapsed() + wait
    var mayBeExecuted = false
    var attempt = 0
    var restart: Double?
    /// Returns whether the limits on time and retries permit another attempt after a delay.
    func permits(_ delay: Double) -> Bool {
      let now = SystemClock.elapsed()
      let limit = restart ?? now + Self.restartSeconds
      restart = limit
      return now + delay <= end && (attempt < Self.minRetries || now + delay <= limit)
    }
    while true {
      var delay = Double(1 << min(attempt, 3)) / 4
      do throws(TransferError) {
        let response = try connection.send(
          request, to: receiver, on: repetition == .never ? .never : .possible)
        if [502, 504].contains(response.status), response.mediaType != ProblemDocument.contentType {
          throw .lostByProxy(response.status)
        }
        // If the request calls a method, the method itself can have responded with the status 503.
        guard response.status == 503, repetition != .never else { return response }
        if let text = response["retry-after"], let seconds = Double(text) {
          delay = max(delay, seconds)
        }
        guard permits(delay) else { return response }
      } catch {
        switch error {
        case .interrupted: throw interruption(of: repetition)
        case .unusable(let error) where error.code == .notAStore:
          throw invalidResponse(error.problems[0].message, to: repetition)
        case .unusable(let error): throw error
        case .notConnected(let text, let hint):
          guard mayBeExecuted, permits(delay) else {
            throw failure("cannot connect to \(shownAddress): \(text)", mayBeExecuted, hint)
          }
        case .lostByProxy(let status):
          mayBeExecuted = repetition != .reading
          guard repetition != .never, permits(delay) else {
            throw failure(
              "a proxy at \(shownAddress) cannot reach the server: the status is \(status)",
              mayBeExecuted)
          }
        case .cut(let text, let hasBegun):
          mayBeExecuted = repetition != .reading
          let isRepeatable =
            switch repetition {
            case .reading: (!hasBegun || receiver?.canRestart == true) && attempt == 0
            case .keyed: permits(delay)
            case .never: false
            }
          guard isRepeatable else {
            throw failure("the connection to \(shownAddress) was cut: \(text)", mayBeExecuted)
          }
        }
      }
      guard pause(delay) else { throw interruption(of: repetition) }
      attempt += 1
    }
  }

  /// Returns the error for a response that does not conform to the API.
  package func invalidResponse(_ reason: String, to repetition: Repetition) -> DataError {
    failure(
      "the response of \(shownAddress) is invalid: \(reason)", repetition != .reading,
      "use the same version of datactl as the server")
  }

  /// Waits for the given number of seconds. Returns false as soon as the program must stop.
  private func pause(_ seconds: Double) -> Bool {
    let end = SystemClock.elapsed() + seconds
    while !Alarm.isRaised(alarm) {
      let rest = end - SystemClock.elapsed()
      guard rest > 0 else { return true }
      _ = try? Descriptor.wait(for: .input, of: -1, alarm: alarm, seconds: rest)
    }
    return false
  }

  private func failure(
    _ message: String, _ mayBeExecuted: Bool, _ hint: String? = nil
  ) -> DataError {
    DataError(
      mayBeExecuted ? .outcomeUnknown : .storeUnreachable, message,
      hint: mayBeExecuted
        ? "the server may have completed the command: check before you run it again" : hint)
  }

  private func interruption(of repetition: Repetition) -> DataError {
    repetition == .reading
      ? .interrupted
      : DataError(.interrupted, "interrupted: the server may have completed the command")
  }
}

extension ServerResponse {
  /// Returns the error that an unsuccessful response describes.
  ///
  /// - Parameter shownAddress: The address of the server as error messages show it.
  package func error(of shownAddress: String) -> DataError {
    if (300..<400).contains(status) {
      let location = self["location"].map { ": \(Excerpt.truncated($0))" } ?? ""
      return DataError(
        .storeUnreachable, "\(shownAddress) redirects requests to another address\(location)",
        hint: "pass the address of the server itself")
    }
    guard mediaType == ProblemDocument.contentType,
      let document = ProblemDocument(parsing: body.span),
      let error = DataError(document.problems, omitting: document.omitted)
    else {
      if status == 413 {
        return DataError(
          .invalid, "a proxy at \(shownAddress) refuses the size of the request: the status is 413",
          hint: "raise the limit of the proxy, such as client_max_body_size of nginx")
      }
      return DataError(
        .notAStore, "no datactl server answers at \(shownAddress): the status is \(status)"
      )
    }
    switch status {
    // A record that does not exist has a schema; a path that the API does not have has none.
    case 404 where error.code == .notFound && error.problems[0].schema == nil, 405, 415:
      return DataError(
        .notAStore, "the server at \(shownAddress) has another version of the API",
        hint: "use the same version of datactl as the server")
    default:
      // The hint of the server names a route of its API in place of a command.
      guard error.code == .notLoggedIn else { return error }
      return error.modifyingProblems { $0.hint = Problem.logInHint }
    }
  }
}

extension RemoteServer {
  /// Returns the error that an unsuccessful response describes.
  package func error(of response: ServerResponse) -> DataError {
    response.error(of: shownAddress)
  }

  /// Sends a small request, and returns the body of the response. Throws an error if the status is
  /// not 200.
  package func send(
    _ method: String, _ path: String, json: [UInt8]? = nil, repeating repetition: Repetition
  ) throws(DataError) -> [UInt8] {
    var request = ServerRequest(method, path)
    if let json {
      let body = RequestBody()
      try body.append(json.span)
      request.body = body
      request.headers.append(("Content-Type", ResponseFormat.json.contentType))
    }
    let response = try send(request, repeating: repetition)
    guard response.status == 200, response.mediaType == ResponseFormat.json.mediaType else {
      throw error(of: response)
    }
    return response.body
  }
}
