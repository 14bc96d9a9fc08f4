package import DataModel
internal import JSONText

/// The body of a response that reports an error (RFC 9457), with the code and the problems that a
/// command would print.
package struct ProblemDocument: Hashable, Sendable {
  package static let contentType = "application/problem+json"

  package var status: Int
  /// The phrase for the status, such as `Not Found`.
  package var title: String
  /// The id of the request, by which it can be found in the log of the server.
  package var request: String
  /// The problems. The code of the first one is the code of the error.
  package var problems: [Problem]
  /// The number of further problems, which are not in the document.
  package var omitted = 0

  package init(status: Int, request: String, problems: [Problem], omitted: Int = 0) {
    self.status = status
    self.title = HTTPStatus.reason(status)
    self.request = request
    self.problems = problems
    self.omitted = omitted
  }

  /// Creates the document for an error. If the message may contain details of the server
  /// (`isInternal`), the document contains only the code and the id of the request.
  package init(_ error: DataError, status: Int? = nil, request: String) {
    let printed = error.inWordsOfAPI.printed { $0.problems.reduce(0) { $0 + $1.json.utf8.count } }
    if error.code.isInternal {
      let problem = Problem(
        error.code, "the server cannot answer the request",
        hint: "the log of the server has the details of request \(request)")
      self.init(status: status ?? error.code.httpStatus, request: request, problems: [problem])
    } else {
      self.init(
        status: status ?? error.code.httpStatus, request: request, problems: printed.problems,
        omitted: printed.omittedCount)
      if let partialCommit = printed.partialCommit { problems.append(partialCommit) }
    }
  }

  /// The document as JSON, with a newline at the end.
  package var json: [UInt8] {
    let first = problems.first
    var members: [JSONValue.Member] = [
      .init("type", "about:blank"), .init("title", .text(title)),
      .init("status", JSONValue(status)),
      .init("detail", JSONValue(first?.message)), .init("code", JSONValue(first?.code.rawValue)),
      .init("request", .text(request)),
      .init("problems", .array(problems.map(\.jsonValue))),
    ]
    if omitted > 0 { members.append(.init("omitted", JSONValue(omitted))) }
    return JSONValue.object(members).line
  }

  /// Parses a problem document from JSON. Returns nil if the text is not a valid one.
  package init?(parsing text: Span<UInt8>) {
    guard let value = try? JSONValue(parsing: text),
      let status = value.integer("status"), let request = value.text("request"),
      case .array(let list)? = value["problems"]
    else { return nil }
    var problems: [Problem] = []
    for element in list {
      guard let problem = Problem(element) else { return nil }
      problems.append(problem)
    }
    self.init(
      status: status, request: request, problems: problems, omitted: value.count("omitted") ?? 0)
  }
}

extension Problem {
  /// The problem as a JSON object. A missing value is null. The key `operation` is present only for
  /// problems of an operation in a batch, and the key `path` only for problems of a record in a
  /// tree.
  package var json: String { "\(jsonValue)" }

  /// Returns the JSON object that counts several problems, with the key `count`.
  ///
  /// - Parameter first: The line of the first problem for the key `first`, or nil for no such key.
  package func json(count: Int, first: Int? = nil) -> String {
    guard case .object(var members) = jsonValue else { return json }
    members.append(.init("count", JSONValue(count)))
    if let first { members.append(.init("first", JSONValue(first))) }
    return "\(JSONValue.object(members))"
  }

  var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .text(code.rawValue)), .init("message", .text(message)),
      .init("hint", JSONValue(hint)), .init("schema", JSONValue(schema)),
      .init("id", JSONValue(id)), .init("field", JSONValue(field)),
      .init("file", JSONValue(file)), .init("line", JSONValue(line)),
      .init("column", JSONValue(column)),
    ]
    if let operation { members.append(.init("operation", JSONValue(operation))) }
    if let path { members.append(.init("path", .text(path))) }
    return .object(members)
  }

  /// Creates a problem from a JSON object. Returns nil if the object is not a problem.
  init?(_ value: JSONValue) {
    guard let name = value.text("code"), let message = value.text("message") else { return nil }
    // A newer server may send a code that this program does not know.
    self.init(
      ErrorCode(rawValue: name) ?? .failed, message, hint: value.text("hint"),
      schema: value.text("schema"), id: value.text("id"), field: value.text("field"),
      file: value.text("file"), line: value.integer("line"), column: value.integer("column"))
    operation = value.integer("operation")
    path = value.text("path")
  }
}

/// The standard phrases for HTTP statuses, such as `Not Found` for 404.
package enum HTTPStatus {
  package static func reason(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: status < 400 ? "OK" : "Internal Server Error"
    }
  }
}
