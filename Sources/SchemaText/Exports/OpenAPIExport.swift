package import DataModel
package import JSONText

/// Exports schemas as an OpenAPI 3.1 document that describes each schema as a REST collection.
package enum OpenAPIExport {
  /// Returns an OpenAPI document, as JSON, that describes the schemas.
  package static func text(_ schemas: [Schema]) -> String {
    let document: JSONValue = [
      "openapi": "3.1.0",
      "info": [
        "title": "Records",
        "version": "1",
        "description": """
        Describes the records of a store as plain REST paths: a schema is a collection, and an id \
        identifies a record in it.
        """,
      ],
      "servers": [["url": "/"]],
      "tags": .array(schemas.map(tag)),
      "paths": .object(schemas.flatMap(paths)),
      "components": [
        "schemas": .object(RecordJSONSchema.definitions(schemas) + [.init("Error", error)]),
        "responses": ["Error": errorResponse],
        "parameters": .object(
          queryParameters.map { parameter in
            .init(
              parameter.name,
              [
                "name": .text(parameter.name), "in": "query", "description": .text(parameter.doc),
                "schema": parameter.type,
              ])
          }),
      ],
    ]
    return document.layout
  }

  private static func tag(_ schema: Schema) -> JSONValue {
    let doc = schema.doc.map { [JSONValue.Member("description", .text($0))] } ?? []
    return .object([.init("name", .text(schema.name))] + doc)
  }

  private static func paths(of schema: Schema) -> [JSONValue.Member] {
    let name = schema.name
    let id: JSONValue = [
      "name": .text(schema.key.name), "in": "path", "required": true,
      "description": .text("The id of the record."), "schema": ["type": "string"],
    ]
    return [
      .init(
        "/\(name)",
        [
          "get": operation(
            "list", schema, "Find records.",
            [
              "parameters": .array(
                queryParameters.map { .object([reference("parameters", $0.name)]) })
            ],
            success: ("200", "The records.", list(of: name))),
          "post": operation(
            "save", schema, "Save records: all or none.",
            [
              "requestBody": body([
                "oneOf": [
                  .object([reference("schemas", RecordJSONSchema.Form.new.name(of: name))]),
                  [
                    "type": "array",
                    "items": .object([
                      reference("schemas", RecordJSONSchema.Form.new.name(of: name))
                    ]),
                  ],
                ]
              ])
            ], success: ("200", "The saved records.", list(of: name))),
        ]),
      .init(
        "/\(name)/{\(schema.key.name)}",
        [
          "parameters": [id],
          "get": operation(
            "get", schema, "Get a record by its id.",
            success: ("200", "The record.", .object([reference("schemas", name)]))),
          "patch": operation(
            "change", schema, "Change the given fields.",
            [
              "requestBody": body(
                .object([reference("schemas", RecordJSONSchema.Form.change.name(of: name))]))
            ],
            success: ("200", "The changed record.", .object([reference("schemas", name)]))),
          "delete": operation(
            "delete", schema, "Delete a record.", success: ("204", "The record is deleted.", nil)),
        ]),
    ]
  }

  private static func operation(
    _ verb: String, _ schema: Schema, _ summary: String, _ input: JSONValue = [:],
    success: (status: String, doc: String, content: JSONValue?)
  ) -> JSONValue {
    var response: [JSONValue.Member] = [.init("description", .text(success.doc))]
    if let content = success.content {
      response.append(.init("content", ["application/json": ["schema": content]]))
    }
    var members: [JSONValue.Member] = [
      .init("operationId", .text("\(verb).\(schema.name)")), .init("summary", .text(summary)),
      .init("tags", [.text(schema.name)]),
    ]
    if case .object(let more) = input { members += more }
    members.append(
      .init(
        "responses",
        .object([
          .init(success.status, .object(response)),
          .init("default", .object([reference("responses", "Error")])),
        ])))
    return .object(members)
  }

  private static func reference(_ kind: String, _ name: String) -> JSONValue.Member {
    .init("$ref", .text("#/components/\(kind)/\(name)"))
  }

  private static func list(of name: String) -> JSONValue {
    ["type": "array", "items": .object([reference("schemas", name)])]
  }

  private static func body(_ schema: JSONValue) -> JSONValue {
    ["required": true, "content": ["application/json": ["schema": schema]]]
  }
}

/// The query parameters, the error schema and the error response, which all collections share.
extension OpenAPIExport {
  static let queryParameters: [(name: String, doc: String, type: JSONValue)] = [
    ("where", "A condition, such as done = false.", ["type": "string"]),
    ("order", "Fields to order by, comma-separated; - means descending.", ["type": "string"]),
    ("limit", "The maximum number of records.", ["type": "integer", "minimum": 0]),
    ("after", "The token of the previous page.", ["type": "string"]),
    ("before", "The token of the next page.", ["type": "string"]),
    ("fields", "Fields to return, comma-separated.", ["type": "string"]),
    ("expand", "Relations to expand, comma-separated.", ["type": "string"]),
  ]

  static let error = JSONValue.object(
    [
      .init("title", "error"), .init("description", "An error, with datactl's message."),
    ] + ErrorJSONSchema.problem)

  static let errorResponse: JSONValue = [
    "description": "All errors of the request.",
    "content": [
      "application/json": [
        "schema": ["type": "array", "items": ["$ref": "#/components/schemas/Error"]]
      ]
    ],
  ]
}

/// The JSON Schema of the problems that the response to a failed request contains.
package enum ErrorJSONSchema {
  /// The members of the JSON Schema of one problem.
  package static let problem: [JSONValue.Member] = [
    .init("type", "object"),
    .init(
      "properties",
      [
        "code": ["type": "string"], "message": ["type": "string"],
        "hint": ["type": ["string", "null"]], "schema": ["type": ["string", "null"]],
        "id": ["type": ["string", "null"]], "field": ["type": ["string", "null"]],
      ]), .init("required", ["code", "message"]),
  ]
}
