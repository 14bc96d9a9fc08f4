internal import DataAPI
package import DataModel
internal import JSONText
internal import SchemaText

/// A description of the API in the format OpenAPI 3.1. A server describes the schemas and fields
/// that the caller may read.
package struct OpenAPIDocument {
  /// The parts of the description of a route that are the same for all schemas.
  private struct RouteDescription {
    let route: Route
    /// The parameters that the route accepts in the query of the URL.
    let parameters: [CommandOption]
    /// The media types that a successful response can have.
    let mediaTypes: [String]
    /// The name of the route, such as `get.records.SCHEMA`. The names of its parameters in
    /// `components` begin with this name.
    let name: String
    /// References (`$ref`) to the parameters of the route, which are defined in `components`.
    let references: JSONValue

    init(_ route: Route, of program: any CommandProgram) {
      self.route = route
      parameters = OpenAPIDocument.parameters(of: route, program)
      mediaTypes = OpenAPIDocument.mediaTypes(of: route, program)
      let words = route.name.split(separator: "/").dropFirst().map(String.init)
      let name = ([route.method.lowercased()] + words).joined(separator: ".")
      let names = parameters.map { "\(name).\($0.name)" } + route.conditions.map(\.rawValue)
      self.name = name
      references = .array(names.map { ["$ref": .text("#/components/parameters/\($0)")] })
    }
  }

  private let schemas: [Schema]
  private let hasMethods: Bool
  /// The routes that the document describes. Routes for command lines are omitted, because only
  /// datactl itself uses them.
  private let routes: [RouteDescription]

  /// - Parameter hasMethods: Whether the server has methods, which programs of its administrator
  ///   execute.
  package init(_ schemas: [Schema], _ program: any CommandProgram, hasMethods: Bool) {
    self.schemas = schemas
    self.hasMethods = hasMethods
    routes = Route.all.filter { $0.path.first != .word("commands") }
      .map { RouteDescription($0, of: program) }
  }

  /// Writes the document as JSON, piece by piece, because it is large if there are many schemas.
  package func write(_ write: (String) throws(DataError) -> Void) throws(DataError) {
    func writeMembers(_ members: [JSONValue.Member], after separator: String) throws(DataError) {
      let texts = members.map { "\(JSONValue.text($0.name)):\($0.value)" }
      try write(separator + texts.joined(separator: ","))
    }
    try writeMembers(head, after: "{")
    var separator = ",\"paths\":{"
    for (item, routes) in operations {
      try writeMembers([.init(item.text, .object(pathItem(item, routes)))], after: separator)
      separator = ","
    }
    try writeMembers(components, after: "},\"components\":{")
    try writeMembers(
      [
        .init("Problem", Self.problem), .init("Query", form(of: "list")),
        .init("Deletion", form(of: "delete")),
      ],
      after: ",\"schemas\":{")
    for schema in schemas { try writeMembers(RecordJSONSchema.definitions([schema]), after: ",") }
    try write("}}}\n")
  }

  private var head: [JSONValue.Member] {
    [
      .init("openapi", "3.1.0"),
      .init(
        "info",
        [
          "title": "datactl", "version": "1",
          "description": """
          The records of a store. A parameter is an option of a command of datactl, and a body is \
          what the command reads or prints.
          """,
        ]), .init("servers", [["url": "/"]]), .init("security", [[:], ["token": []]]),
      .init("tags", .array(schemas.map { ["name": .text($0.name)] })),
    ]
  }

  /// The shared definitions to which several paths of the document refer, apart from the schemas.
  private var components: [JSONValue.Member] {
    var parameters: [JSONValue.Member] = Route.Condition.allCases.map { condition in
      .init(
        condition.rawValue,
        ["name": .text(condition.rawValue), "in": "header", "schema": ["type": "string"]])
    }
    for route in routes {
      parameters += route.parameters.map { option in
        .init(
          "\(route.name).\(option.name)",
          [
            "name": .text(option.name), "in": "query", "description": .text(option.summary),
            "schema": Self.type(of: option),
          ])
      }
    }
    return [
      .init("securitySchemes", ["token": ["type": "http", "scheme": "bearer"]]),
      .init("parameters", .object(parameters)),
      .init(
        "responses",
        [
          "Problem": [
            "description": "The request failed.",
            "content": ["application/problem+json": ["schema": Self.reference("Problem")]],
          ]
        ]),
    ]
  }

  /// The JSON schema of a form that contains the parameters of a command, such as that of `POST
  /// /v1/records/SCHEMA/query`.
  private func form(of command: String) -> JSONValue {
    let options = routes.first { $0.route.command?.command == [command] }?.parameters ?? []
    let properties = options.map { JSONValue.Member($0.name, Self.type(of: $0)) }
    return ["type": "object", "properties": .object(properties)]
  }

  /// A path of the document, such as `/v1/records/owner/{id}`: a path of the API in which the
  /// variables `SCHEMA` and `FIELD` are replaced with names of schemas and fields.
  private struct PathItem: Hashable {
    var route: [Route.Segment]
    var schema: String?
    var field: String?

    /// The path as text. Variables without a value are written in braces.
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

  /// The paths of the document, each with the routes that have this path. These routes differ in
  /// their methods, such as GET and PUT.
  private var operations: [(item: PathItem, routes: [RouteDescription])] {
    var operations: [(item: PathItem, routes: [RouteDescription])] = []
    var indexes: [PathItem: Int] = [:]
    for route in routes {
      for item in pathItems(of: route.route) {
        if let index = indexes[item] {
          operations[index].routes.append(route)
        } else {
          indexes[item] = operations.count
          operations.append((item, [route]))
        }
      }
    }
    return operations
  }

  private func pathItem(
    _ item: PathItem, _ routes: [RouteDescription]
  ) -> [JSONValue.Member] {
    let variables = variables(of: item)
    return (variables.isEmpty ? [] : [.init("parameters", .array(variables))])
      + routes.map { .init($0.route.method.lowercased(), operation($0, at: item)) }
  }

  /// Returns the paths that the document lists for a route. A route for records has one path for
  /// each schema, and a route for the contents of files has one for each field of the type `file`.
  private func pathItems(of route: Route) -> [PathItem] {
    guard route.path.first == .word("records") else {
      return route.path.contains(.method) && !hasMethods ? [] : [PathItem(route: route.path)]
    }
    return schemas.flatMap { schema in
      guard route.path.contains(.field) else {
        return [PathItem(route: route.path, schema: schema.name)]
      }
      return schema.fields.filter { $0.type == .file }.map { field in
        PathItem(route: route.path, schema: schema.name, field: field.name)
      }
    }
  }

  private func operation(_ description: RouteDescription, at item: PathItem) -> JSONValue {
    let route = description.route
    let words = item.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .dropFirst().map(String.init)
    var members: [JSONValue.Member] = [
      .init(
        "operationId", .text(([route.method.lowercased()] + words).joined(separator: "."))),
      .init("summary", .text(route.summary)),
    ]
    if let schema = item.schema { members.append(.init("tags", [.text(schema)])) }
    if !description.parameters.isEmpty || !route.conditions.isEmpty {
      members.append(.init("parameters", description.references))
    }
    if let body = route.body { members.append(.init("requestBody", request(body, at: item))) }
    let content = JSONValue.object(responses(of: description, at: item))
    var responses: [JSONValue.Member] = [
      .init("200", ["description": "The request succeeded.", "content": content])
    ]
    if case .records? = route.body {
      responses.append(
        .init("201", ["description": "All records were created.", "content": content]))
    }
    responses.append(.init("default", ["$ref": "#/components/responses/Problem"]))
    members.append(.init("responses", .object(responses)))
    return .object(members)
  }

  private static func reference(_ name: String) -> JSONValue {
    ["$ref": .text("#/components/schemas/\(name)")]
  }
}

/// The parameters of requests, in the path and in the query.
extension OpenAPIDocument {
  private func variables(of item: PathItem) -> [JSONValue] {
    item.route.compactMap { segment in
      let name: String
      var type: JSONValue = ["type": "string"]
      switch segment {
      case .word: return nil
      case .schema:
        guard item.schema == nil else { return nil }
        name = "schema"
        type = ["type": "string", "enum": .array(schemas.map { .text($0.name) })]
      case .id: name = "id"
      case .field:
        guard item.field == nil else { return nil }
        name = "field"
      case .method:
        name = "method"
        type = ["type": "string", "pattern": .text(MethodName.pattern)]
      }
      return ["name": .text(name), "in": "path", "required": true, "schema": type]
    }
  }

  /// Returns the parameters that a route accepts in the query of the URL.
  private static func parameters(
    of route: Route, _ program: any CommandProgram
  ) -> [CommandOption] {
    if case .form? = route.body { return [] }
    // The names of the parameters `param.NAME` are not known in advance.
    let options = route.command?.options(of: program) ?? []
    return route.parameters
      + options.filter { option in
        option.name != "param" && !route.parameters.contains { $0.name == option.name }
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
}

/// The bodies of requests and responses.
extension OpenAPIDocument {
  private func request(_ body: Route.Body, at item: PathItem) -> JSONValue {
    let text: JSONValue = ["schema": ["type": "string"]]
    func form(_ form: RecordJSONSchema.Form) -> JSONValue {
      Self.reference(form.name(of: item.schema ?? ""))
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
      let name = item.route.last == .word("delete") ? "Deletion" : "Query"
      content = .object([.init(ContentType.form, ["schema": Self.reference(name)])])
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

  /// Returns the media types of a successful response, and what a body of each type contains.
  private func responses(
    of description: RouteDescription, at item: PathItem
  ) -> [JSONValue.Member] {
    description.mediaTypes.map { type in
      let isRecord =
        description.route.command != nil && type == "application/json" && item.schema != nil
      return .init(type, isRecord ? ["schema": records(at: item)] : [:])
    }
  }

  private static func mediaTypes(of route: Route, _ program: any CommandProgram) -> [String] {
    if route.path.contains(.method) || route.path.contains(.field) && route.method == "GET" {
      return ["*/*"]
    }
    guard let command = route.command else {
      switch route.path {
      case [.word("metrics")]: return ["text/plain"]
      case [.word("walk")]: return [ContentType.walk]
      default: return ["application/json"]
      }
    }
    let formats = command.options(of: program).first { $0.name == "output" }?.choices ?? []
    var types: [String] = []
    for type in formats.map(ResponseFormat.contentType(ofOutput:)) + [command.contentType] {
      let mediaType = ContentType.mediaType(of: type)
      if !types.contains(mediaType) { types.append(mediaType) }
    }
    return types
  }

  /// The JSON schema of a response with records. Parameters such as `fields` and `expand` determine
  /// what a record contains, so a record can be any object.
  private func records(at item: PathItem) -> JSONValue {
    let record: JSONValue = [
      "anyOf": [Self.reference(item.schema ?? ""), ["type": "object"]]
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
