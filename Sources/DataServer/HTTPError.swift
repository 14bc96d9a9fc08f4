internal import DataModel

/// An error, with the status and the additional headers of the response that reports it.
struct HTTPError: Error {
  var status: Int
  var error: DataError
  var headers: [(name: String, value: String)] = []

  init(
    _ status: Int, _ code: ErrorCode, _ message: String, hint: String? = nil,
    headers: [(name: String, value: String)] = []
  ) {
    self.init(status, DataError(code, message, hint: hint), headers: headers)
  }

  init(_ status: Int, _ error: DataError, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.error = error
    self.headers = headers
  }

  /// Converts an error that a route has thrown. For a temporary error, adds a header that tells the
  /// client when to send the request again.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPError: self = error
    case let error as DataError: self.init(error.code.httpStatus, error)
    default: self.init(500, .failed, "\(error)")
    }
    // A method that has taken too long (504) will probably do so again.
    if self.error.code.isTemporary, status != 504,
      !headers.contains(where: { $0.name == "Retry-After" })
    {
      let seconds = self.error.problems.lazy.compactMap(\.retrySeconds).max() ?? 1
      headers.append(("Retry-After", "\(seconds)"))
    }
  }

  static func notAcceptable(_ formats: [String]) -> HTTPError {
    HTTPError(
      406, .usage, "none of the accepted media types is available",
      hint: "the formats are \(formats.joined(separator: ", "))")
  }

  static var unknownRoute: HTTPError {
    HTTPError(404, .notFound, "there is no such path", hint: "all paths begin with /v1")
  }

  static func wrongMethod(_ allowed: [String]) -> HTTPError {
    let list = allowed.joined(separator: ", ")
    return HTTPError(
      405, .usage, "the path does not support this method", hint: "the methods are \(list)",
      headers: [("Allow", list)])
  }

  /// The error for a long response if the responses to slow clients use up their space.
  static var spoolUsedUp: HTTPError {
    HTTPError(
      503, .storeBusy, "too much output waits for slow clients",
      hint: "send the request again later")
  }

  static func bodyTooLarge(_ limit: Int) -> HTTPError {
    HTTPError(
      413, .invalid, "the body is longer than \(limit) bytes",
      hint: "send it in several requests")
  }
}
