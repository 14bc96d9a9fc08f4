internal import DataAPI
internal import DataModel

/// A path with its methods, and the function that answers requests for it.
struct Route: Sendable {
  /// A segment of a path: a fixed word, or a variable.
  enum Segment: Hashable, Sendable {
    case word(String)
    case schema
    case id
    case field
  }

  /// The effect of a request on the store.
  enum Effect: Sendable {
    case none
    case reads
    case writes
    /// The request begins or ends a session, which is possible although the server is read-only.
    case session
  }

  let method: String
  let path: [Segment]
  let effect: Effect
  /// What the route does, if all requests for it are for administrators only.
  let administration: String?
  let answer: @Sendable (APIRequest) async throws -> HTTPResponse?

  /// - Parameters:
  ///   - path: The path after `/v1`, in which `SCHEMA`, `ID` and `FIELD` are variables.
  ///   - forAdministrators: What the route does, if only administrators may use it. The routes that
  ///     change schemas are always for administrators.
  ///   - answer: Returns the response, or nil if it has already replied.
  init(
    _ method: String, _ path: String, _ effect: Effect, forAdministrators: String? = nil,
    answer: @escaping @Sendable (APIRequest) async throws -> HTTPResponse?
  ) {
    self.method = method
    self.path = path.split(separator: "/").map { segment in
      switch segment {
      case "SCHEMA": .schema
      case "ID": .id
      case "FIELD": .field
      default: .word(String(segment))
      }
    }
    self.effect = effect
    administration =
      forAdministrators
      ?? (self.path.first == .word("schemas") && method != "GET" ? "change schemas" : nil)
    self.answer = answer
  }

  /// The path as the log shows it.
  var name: String {
    "/v1"
      + path.map { segment in
        switch segment {
        case .word(let word): "/\(word)"
        case .schema: "/SCHEMA"
        case .id: "/ID"
        case .field: "/FIELD"
        }
      }.joined()
  }

  /// Returns the values of the variables in a path, or nil if the path is not one of this route.
  func match(_ segments: [String]) -> PathValues? {
    guard segments.count == path.count else { return nil }
    var values = PathValues()
    for (pattern, segment) in zip(path, segments) {
      switch pattern {
      case .word(let word): guard word == segment else { return nil }
      case .schema: values.schema = segment
      case .id: values.id = segment
      case .field: values.field = segment
      }
    }
    return values
  }

  /// All routes.
  static let all: [Route] =
    overview + schemas + sessions + records + contents + batches + commands
}

/// The values of the variables in a path.
struct PathValues: Sendable {
  var schema = ""
  var id = ""
  var field = ""
}
