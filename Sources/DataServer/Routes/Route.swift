internal import DataAPI
internal import DataModel

/// An HTTP method and a path, and the function that answers requests with this method and path.
struct Route: Sendable {
  /// A segment of a path: a fixed word, or a variable.
  enum Segment: Hashable, Sendable {
    case word(String)
    case schema
    case id
    case field
    case method
  }

  /// What the body of a request contains.
  enum Body: Sendable {
    /// One or more records, in any format that `save` reads.
    case records
    /// The fields of one record that are to be changed.
    case change
    /// A whole record, which replaces the stored one.
    case record
    /// The parameters of the request (`application/x-www-form-urlencoded`).
    case form
    /// Bytes of any kind, such as the content of a file.
    case content
    /// Schema files or a migration plan.
    case schemas
    /// The operations of a batch as NDJSON.
    case operations
    /// A JSON object with the given keys, some of which are required.
    case object([String], required: [String])
  }

  /// The effect of a request on the store.
  enum Effect: Sendable {
    case none
    case reads
    case writes
    /// The request begins or ends a session. This is possible even if the server is read-only.
    case session
  }

  /// A header that makes a write conditional, or that prevents it from being executed twice.
  enum Condition: String, CaseIterable, Sendable {
    case match = "If-Match"
    case noneMatch = "If-None-Match"
    case key = "Idempotency-Key"
  }

  let method: String
  let path: [Segment]
  /// The path as the log shows it, such as `/v1/records/SCHEMA/ID`.
  let name: String
  let effect: Effect
  /// The conditional headers that the route supports. A request that writes is refused if it has
  /// another conditional header, because the client relies on the effect of the header.
  let conditions: [Condition]
  /// What a request does, for the description of the API.
  let summary: String
  /// The command whose options are parameters of the route, or nil.
  let command: CommandRoute?
  /// The parameters of the route that are not options of the command.
  let parameters: [CommandOption]
  /// The body of requests, or nil if they have none.
  let body: Body?
  /// What only administrators may do with this route, such as `change schemas`, for the error
  /// message. Nil if all callers may send the request.
  let administratorAction: String?
  let answer: @Sendable (APIRequest) async throws -> HTTPResponse?

  /// - Parameters:
  ///   - path: The path after `/v1`, in which `SCHEMA`, `ID`, `FIELD` and `METHOD` are variables.
  ///   - forAdministrators: The value of `administratorAction`. The routes that change schemas are
  ///     always for administrators.
  ///   - conditions: The conditional headers that the route supports. By default, a route that
  ///     writes supports `Idempotency-Key`.
  ///   - command: The command whose options are parameters of the route.
  ///   - parameters: The parameters that are not options of the command.
  ///   - answer: Returns the response, or nil if the response is already being sent.
  init(
    _ method: String, _ path: String, _ effect: Effect, _ summary: String,
    forAdministrators: String? = nil, running command: CommandRoute? = nil,
    parameters: [CommandOption] = [], body: Body? = nil,
    conditions: [Condition]? = nil,
    answer: @escaping @Sendable (APIRequest) async throws -> HTTPResponse?
  ) {
    self.method = method
    name = path.isEmpty ? "/v1" : "/v1/\(path)"
    self.path = path.split(separator: "/").map { segment in
      switch segment {
      case "SCHEMA": .schema
      case "ID": .id
      case "FIELD": .field
      case "METHOD": .method
      default: .word(String(segment))
      }
    }
    self.effect = effect
    self.summary = summary
    self.command = command
    self.parameters = parameters
    self.body = body
    self.conditions = conditions ?? (effect == .writes ? [.key] : [])
    administratorAction =
      forAdministrators
      ?? (self.path.first == .word("schemas") && method != "GET" ? "change schemas" : nil)
    self.answer = answer
  }

  /// Whether requests read so little that they can be answered on the thread of an event loop,
  /// which cannot serve other connections meanwhile.
  var isShort: Bool {
    method == "GET"
      && [[], [.word("health")], [.word("whoami")], [.word("records"), .schema, .id]].contains(path)
  }

  /// Throws an error if the request has a conditional header that the route would ignore.
  func checkConditions(of head: RequestHead) throws(HTTPError) {
    guard effect == .writes || effect == .session else { return }
    for condition in Condition.allCases
    where head[condition.rawValue.lowercased()] != nil && !conditions.contains(condition) {
      throw HTTPError(
        400, .usage, "this request cannot have the header \(condition.rawValue)",
        hint: "\(method) \(name) does not support it")
    }
  }

  /// A route that a request matches, and the values of the variables in the path.
  struct Match: Sendable {
    let route: Route
    let values: PathValues
    /// The name of the route that the log shows instead of the path, which can contain secrets.
    var name: String
  }

  /// Returns this route with the values of its variables in a path, such as the id of a record.
  /// Returns nil if the path does not match this route.
  func match(_ segments: [String]) -> Match? {
    guard segments.count == path.count else { return nil }
    var values = PathValues()
    for (pattern, segment) in zip(path, segments) {
      switch pattern {
      case .word(let word): guard word == segment else { return nil }
      case .schema: values.schema = segment
      case .id: values.id = segment
      case .field: values.field = segment
      case .method: values.method = segment
      }
    }
    return Match(route: self, values: values, name: name)
  }

  static let all: [Route] =
    overview + schemas + sessions + records + contents + batches + methods
    + commands + [walk]
}

extension CommandOption {
  /// Returns the description of a route parameter that is not an option of a command.
  static func parameter(_ name: String, _ summary: String) -> CommandOption {
    CommandOption(name: name, isFlag: false, isRepeated: false, isPath: false, summary: summary)
  }

  /// Returns the description of a route parameter with the value `true` or `false`.
  static func flag(_ name: String, _ summary: String) -> CommandOption {
    CommandOption(name: name, isFlag: true, isRepeated: false, isPath: false, summary: summary)
  }
}

extension Route {
  /// The routes, grouped by the number of segments in their paths. The path of a request is
  /// compared only with the routes of one group.
  static let byLength = Dictionary(grouping: all) { $0.path.count }
}

/// The values of the variables in a path.
struct PathValues: Sendable {
  var schema = ""
  var id = ""
  var field = ""
  var method = ""
}
