/// The parameters and responses that all collections share.
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

  static let error: JSONValue = [
    "title": "error",
    "description": "An error, with datactl's message.",
    "type": "object",
    "properties": [
      "code": ["type": "string"], "message": ["type": "string"],
      "hint": ["type": ["string", "null"]], "schema": ["type": ["string", "null"]],
      "id": ["type": ["string", "null"]], "field": ["type": ["string", "null"]],
    ],
    "required": ["code", "message"],
  ]

  static let errorResponse: JSONValue = [
    "description": "All errors of the request.",
    "content": [
      "application/json": [
        "schema": ["type": "array", "items": ["$ref": "#/components/schemas/Error"]]
      ]
    ],
  ]
}
