import ClientCore
import CommandSyntax
import Conditions
import DataAPI
import DataModel
import JSONText
import ServerClient

/// `datactl call`: calls a method of a server, and prints its response.
struct CallCommand: DeclaredCommand {
  /// The HTTP methods with which a method of a server can be called.
  enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  var name = ""
  var operands: [String] = []
  var method: Method?
  var file: String?
  private var fields: [(name: String, value: JSONValue)] = []

  static let declaration = CommandDeclaration(
    CallCommand.self, "call", "Call a method, which is a program that a server offers.",
    discussion: [
      """
      Calls a method of a server, and prints the response. A method is a program that the server \
      runs for its clients. `datactl help server` explains how to add methods to a server.
      """,
      "The HTTP status of the response determines the exit status.",
      .heading("Fields"),
      """
      `FIELD=TEXT` sets a field to a string. `FIELD:=JSON` sets a field to any JSON value. The \
      fields are sent as a JSON object or, with `--method GET`, as parameters in the URL.
      """,
    ],
    inputs: [
      .operand("NAME", \.name, "The name of the method."),
      .operands(
        "FIELD=VALUE", \.operands, kind: .assignment, "The fields to send, and their values."),
      .choice(
        "--method", \.method, value: "METHOD",
        "The HTTP method. By default, it is POST if there are fields or a file, and GET if not."),
      .option(
        "--file", letter: "f", \.file, value: "FILE", kind: .file,
        "Send the content of FILE, or of standard input if FILE is `-`."),
    ],
    rules: [.atMostOne(["FIELD=VALUE", "--file"])],
    examples: [
      Example(
        "datactl call hello name=Ann --store https://shop.example",
        "Call a method with a field."),
      Example(
        "datactl call sum --file numbers.json --store https://shop.example",
        "Call a method with the content of a file."),
    ],
    exitStatuses: [
      .done,
      ExitStatus(
        1,
        "an HTTP status of 300 or more that is not in this list, or output could not be written"),
      ExitStatus(2, "usage error, or HTTP status 400, 405, 406 or 415"),
      ExitStatus(3, "no such method or file, or HTTP status 404 or 410"),
      ExitStatus(4, "not logged in, or HTTP status 401 or 403"),
      ExitStatus(5, "HTTP status 409 or 412: a conflict"),
      ExitStatus(6, "HTTP status 413 or 422: invalid data"),
      ExitStatus(
        7,
        "the server cannot be reached, a file cannot be read, or HTTP status 502, 503 or 504"),
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["serve", "server", "login"])

  private static func field(
    _ operand: String
  ) throws(UsageError) -> (name: String, value: JSONValue) {
    let assignment = Assignment(operand)
    switch assignment?.operation {
    case .text: return (assignment?.name ?? "", .text(assignment?.text ?? ""))
    case .json:
      do throws(DataError) {
        return (assignment?.name ?? "", try JSONValue(parsing: assignment?.text ?? ""))
      } catch {
        let name = assignment?.name ?? ""
        throw UsageError(
          "\(name): not JSON: \(error.problems[0].message)",
          hint: "to send a string, write \(name)=TEXT")
      }
    case .file, .add, .subtract, nil:
      throw UsageError("expected FIELD=TEXT or FIELD:=JSON, found \(Excerpt.quoted(operand))")
    }
  }
}

extension CallCommand {
  private var httpMethod: Method {
    method ?? (operands.isEmpty && file == nil ? .get : .post)
  }

  var storeUse: StoreUse { .none }

  mutating func validate() throws(UsageError) {
    guard MethodName.isValid(name) else {
      throw UsageError("NAME: expected the name of a method, found \(Excerpt.quoted(name))")
    }
    fields = try operands.map { operand throws(UsageError) in try Self.field(operand) }
  }

  func run(with context: CommandContext) async throws {
    let choice = try StoreChoice.find(option: context.settings.store, in: context.environment)
    guard let client = context.remoteClient(of: choice) else {
      throw DataError(
        .usage,
        "cannot call a method, because the store is not on a server: \(choice.address)",
        hint: "pass the address of a server: --store https://HOST")
    }
    try context.announce(choice)
    let server = try client.connect()
    let response = try server.send(
      try request(with: context), repeating: httpMethod == .get ? .reading : .never)
    if let error = error(for: response, from: server, of: client) {
      if response.mediaType == ProblemDocument.contentType { throw client.error(error) }
      try context.console.output.write(response.body.span)
      throw error
    }
    try context.console.output.write(response.body.span)
  }

  private func request(with context: CommandContext) throws(DataError) -> ServerRequest {
    var request = ServerRequest(httpMethod.rawValue, "/methods/\(name)")
    if let file {
      let body = RequestBody()
      let input = try context.input(file, for: "the body of the request")
      var bytes: [UInt8] = []
      while try input.read(into: &bytes, atMost: 64 << 10) > 0 {
        try context.console.checkInterruption()
        try body.append(bytes.span)
        bytes.removeAll(keepingCapacity: true)
      }
      request.body = body
      request.headers.append(("Content-Type", MediaType.of(fileName: file) ?? MediaType.unknown))
    } else if httpMethod == .get {
      let parameters = Parameters(fields.map { .init($0.name, $0.value.parameter) })
      if !fields.isEmpty { request.path += "?\(parameters.text)" }
    } else {
      let body = RequestBody()
      let object = JSONValue.object(fields.map { .init($0.name, $0.value) })
      try body.append("\(object)\n".utf8.span)
      request.body = body
      request.headers.append(("Content-Type", ResponseFormat.json.contentType))
    }
    return request
  }

  /// Returns the error that corresponds to the status of the response. Returns nil if the called
  /// method of the server has succeeded.
  private func error(
    for response: ServerResponse, from server: RemoteServer, of client: RemoteClient
  ) -> DataError? {
    guard let code = ErrorCode(httpStatus: response.status) else { return nil }
    if response.mediaType == ProblemDocument.contentType {
      // A server reports an unknown method like a path that the API does not have.
      let error = server.error(of: response)
      if error.code == .notAStore {
        return DataError(.notFound, "the server has no method \(name)")
      }
      // Use the code of the status: a code such as `interrupted` concerns the method, and not this
      // command.
      return code == .storeUnreachable ? error.modifyingProblems { $0.code = code } : error
    }
    return DataError(
      code, "the method \(name) has responded with the status \(response.status)",
      hint: code == .notLoggedIn ? client.ignoredTokenNote : nil)
  }
}

extension JSONValue {
  /// The value as a query parameter in a URL. A string is written without quotation marks.
  fileprivate var parameter: String { if case .text(let text) = self { text } else { "\(self)" } }
}
