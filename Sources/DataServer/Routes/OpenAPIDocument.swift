internal import DataAPI
internal import DataModel
internal import DataText

/// A description of the API in the format OpenAPI 3.1. It contains the schemas and fields that the
/// caller may read.
struct OpenAPIDocument {
  private let schemas: [Schema]
  private let service: APIService

  init(_ schemas: [Schema], _ service: APIService) {
    self.schemas = schemas
    self.service = service
  }

  var value: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "datactl", "version": "1",
        "description": """
        The records of a store. A parameter is an option of a command of datactl, and a body is \
        what the command reads or prints.
        """,
      ],
      "servers": [["url": "/"]],
      "security": [[:], ["token": []]],
      "tags": .array(schemas.map { ["name": .text($0.name)] }),
      "paths": .object(paths),
      "components": [
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "schemas": .object(
          RecordJSONSchema.definitions(schemas) + [.init("Problem", Self.problem)]),
        "responses": [
          "Problem": [
            "description": "The request failed.",
            "content": ["application/problem+json": ["schema": Self.reference("Problem")]],
          ]
        ],
      ],
    ]
  }

  /// A path with values for some of its variables.
  private struct Place: Hashable {
    var route: [Route.Segment]
    var schema: String?
    var field: String?

    /// The path, in which the other variables are in braces.
    var text: String {
      "/v1"
        + route.map { segment in
          switch segment {
          case .word(let word): "/\(word)"
          case .schema: schema.map { "/\($0)" } ?? "/{schema}"
          case .id: "/{id}"
          case .field: field.map { "/\($0)" } ?? "/{field}"
          case .method: "/{method}"
          }
        }.joined()
    }
  }

  private var paths: [JSONValue.Member] {
    var operations: [(place: Place, members: [JSONValue.Member])] = []
    for route in Route.all where route.path.first != .word("commands") {
      for place in places(of: route) {
        let member = JSONValue.Member(route.method.lowercased(), operation(route, at: place))
        if let index = operations.firstIndex(where: { $0.place == place }) {
          operations[index].members.append(member)
        } else {
          let variables = variables(of: place)
          operations.append(
            (place, (variables.isEmpty ? [] : [.init("parameters", .array(variables))]) + [member]))
        }
      }
    }
    return operations.map { .init($0.place.text, .object($0.members)) }
  }

  /// Returns the paths of a route: one for each schema with records, and for each field with files.
  private func places(of route: Route) -> [Place] {
    // Only datactl itself sends command lines.
    if route.path.first == .word("commands") { return [] }
    guard route.path.first == .word("records") else {
      let hasMethods = service.options.methods != nil
      return route.path.contains(.method) && !hasMethods ? [] : [Place(route: route.path)]
    }
    return schemas.flatMap { schema in
      guard route.path.contains(.field) else {
        return [Place(route: route.path, schema: schema.name)]
      }
      return schema.fields.filter { $0.type == .file }.map { field in
        Place(route: route.path, schema: schema.name, field: field.name)
      }
    }
  }

  private func operation(_ route: Route, at place: Place) -> JSONValue {
    let words = place.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .dropFirst().map(String.init)
    var members: [JSONValue.Member] = [
      .init(
        "operationId", .text(([route.method.lowercased()] + words).joined(separator: "."))),
      .init("summary", .text(route.summary)),
    ]
    if let schema = place.schema { members.append(.init("tags", [.text(schema)])) }
    let parameters = parameters(of: route) + headers(of: route)
    if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
    if let body = route.body { members.append(.init("requestBody", request(body, at: place))) }
    members.append(
      .init(
        "responses",
        [
          "200": [
            "description": "The request succeeded.",
            "content": .object(responses(of: route, at: place)),
          ],
          "default": ["$ref": "#/components/responses/Problem"],
        ]))
    return .object(members)
  }

  private static func reference(_ name: String) -> JSONValue {
    ["$ref": .text("#/components/schemas/\(name)")]
  }
}

/// The parameters.
extension OpenAPIDocument {
  private func variables(of place: Place) -> [JSONValue] {
    place.route.compactMap { segment in
      let name: String
      var type: JSONValue = ["type": "string"]
      switch segment {
      case .word: return nil
      case .schema:
        guard place.schema == nil else { return nil }
        name = "schema"
        type = ["type": "string", "enum": .array(schemas.map { .text($0.name) })]
      case .id: name = "id"
      case .field:
        guard place.field == nil else { return nil }
        name = "field"
      case .method:
        name = "method"
        type = ["type": "string", "pattern": "^[a-z][a-z0-9_]*$"]
      }
      return ["name": .text(name), "in": "path", "required": true, "schema": type]
    }
  }

  private func options(of route: Route) -> [CommandOption] {
    // Values for the parameters of a condition have names that only the request knows.
    let options = route.command?.options(of: service.program) ?? []
    return route.parameters
      + options.filter { option in
        option.name != "param" && !route.parameters.contains { $0.name == option.name }
      }
  }

  private func parameters(of route: Route) -> [JSONValue] {
    if case .form? = route.body { return [] }
    return options(of: route).map { option in
      [
        "name": .text(option.name), "in": "query", "description": .text(option.summary),
        "schema": Self.type(of: option),
      ]
    }
  }

  private static func type(of option: CommandOption) -> JSONValue {
    if option.isFlag { return ["type": "boolean"] }
    var type: JSONValue = ["type": "string"]
    if let choices = option.choices {
      type = ["type": "string", "enum": .array(choices.map { .text($0) })]
    }
    return option.isRepeated ? ["type": "array", "items": type] : type
  }

  private func headers(of route: Route) -> [JSONValue] {
    route.conditions.map { condition in
      ["name": .text(condition.rawValue), "in": "header", "schema": ["type": "string"]]
    }
  }
}

/// The bodies.
extension OpenAPIDocument {
  private func request(_ body: Route.Body, at place: Place) -> JSONValue {
    let text: JSONValue = ["schema": ["type": "string"]]
    func form(_ form: RecordJSONSchema.Form) -> JSONValue {
      Self.reference(form.name(of: place.schema ?? ""))
    }
    let content: JSONValue
    switch body {
    case .records:
      content = [
        "application/json": [
          "schema": [
            "anyOf": [form(.new), form(.change), ["type": "array", "items": form(.new)]]
          ]
        ],
        "application/x-ndjson": text, "text/csv": text, "application/xml": text,
      ]
    case .change: content = ["application/json": ["schema": form(.change)]]
    case .record: content = ["application/json": ["schema": form(.new)]]
    case .form:
      let options = Route.all.first { $0.command?.command == ["list"] }.map(options) ?? []
      let properties = options.map { JSONValue.Member($0.name, Self.type(of: $0)) }
      content = [
        "application/x-www-form-urlencoded": [
          "schema": ["type": "object", "properties": .object(properties)]
        ]
      ]
    case .content: content = ["application/octet-stream": [:]]
    case .schemas: content = ["application/json": ["schema": ["type": "object"]]]
    case .operations: content = ["application/x-ndjson": text]
    case .object(let keys, let required):
      let properties = keys.map { key in
        JSONValue.Member(key, ["type": key == "days" ? "integer" : "string"])
      }
      content = [
        "application/json": [
          "schema": [
            "type": "object", "properties": .object(properties),
            "required": .array(required.map { .text($0) }), "additionalProperties": false,
          ]
        ]
      ]
    }
    return ["content": content]
  }

  /// Returns the media types of the response to a successful request.
  private func responses(of route: Route, at place: Place) -> [JSONValue.Member] {
    if route.path.contains(.method) || route.path.contains(.field) && route.method == "GET" {
      return [.init("*/*", [:])]
    }
    guard let command = route.command else {
      return [.init(route.path == [.word("metrics")] ? "text/plain" : "application/json", [:])]
    }
    let formats = command.options(of: service.program).first { $0.name == "output" }?.choices ?? []
    let types = formats.map(ResponseFormat.contentType(ofOutput:)) + [command.contentType]
    var members: [JSONValue.Member] = []
    for type in types.map({ String($0.prefix { $0 != ";" }) })
    where !members.contains(where: { $0.name == type }) {
      let isRecord = type == "application/json" && place.schema != nil
      members.append(.init(type, isRecord ? ["schema": records(at: place)] : [:]))
    }
    return members
  }

  /// Parameters such as `fields` and `expand` determine what a record contains, so a record can be
  /// any object.
  private func records(at place: Place) -> JSONValue {
    let record: JSONValue = [
      "anyOf": [Self.reference(place.schema ?? ""), ["type": "object"]]
    ]
    return ["anyOf": [record, ["type": "array", "items": record], ["type": "integer"]]]
  }

  private static let problem: JSONValue = [
    "type": "object",
    "description": "An error (RFC 9457). The first problem determines its code.",
    "properties": [
      "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
      "detail": ["type": ["string", "null"]], "code": ["type": ["string", "null"]],
      "request": ["type": "string"], "omitted": ["type": "integer"],
      "problems": [
        "type": "array",
        "items": [
          "type": "object",
          "properties": [
            "code": ["type": "string"], "message": ["type": "string"],
            "hint": ["type": ["string", "null"]], "schema": ["type": ["string", "null"]],
            "id": ["type": ["string", "null"]], "field": ["type": ["string", "null"]],
          ],
          "required": ["code", "message"],
        ],
      ],
    ],
    "required": ["title", "status", "request", "problems"],
  ]
}
