/// The parameters and responses that all collections share.
extension OpenAPIExport {
  static let questions: [(name: String, doc: String, type: JSONValue)] = [
    ("where", "A condition, such as done = false.", ["type": "string"]),
    ("order", "Fields to order by; - before one means downwards.", ["type": "string"]),
    ("limit", "The most records to give.", ["type": "integer", "minimum": 0]),
    ("after", "The token of the page before.", ["type": "string"]),
    ("before", "The token of the page behind.", ["type": "string"]),
    ("fields", "The fields to give, with commas between them.", ["type": "string"]),
    ("expand", "Relations to follow, with commas between them.", ["type": "string"]),
  ]

  static let error: JSONValue = [
    "title": "error",
    "description": "Something that is wrong, in the words of datactl.",
    "type": "object",
    "properties": [
      "code": ["type": "string"], "message": ["type": "string"],
      "hint": ["type": ["string", "null"]], "schema": ["type": ["string", "null"]],
      "id": ["type": ["string", "null"]], "field": ["type": ["string", "null"]],
    ],
    "required": ["code", "message"],
  ]

  static let errorResponse: JSONValue = [
    "description": "All that is wrong with the request.",
    "content": [
      "application/json": [
        "schema": ["type": "array", "items": ["$ref": "#/components/schemas/Error"]]
      ]
    ],
  ]
}
