internal import ClientCore
internal import DataAPI
internal import DataModel
internal import SchemaText

extension Route {
  private static let text = "text/plain; charset=utf-8"
  private static let listing = CommandRoute(command: ["schema", "list"], access: .reading)
  private static let showing = CommandRoute(
    command: ["schema", "show"], access: .reading, contentType: ResponseFormat.json.contentType)
  private static let logging = CommandRoute(
    command: ["schema", "log"], access: .reading, contentType: text)
  private static let planning = CommandRoute(
    command: ["schema", "plan"], access: .reading, excluded: ["new"], contentType: text)
  private static let applying = CommandRoute(
    command: ["schema", "apply"], access: .writing, contentType: text)
  private static let renaming = CommandRoute(
    command: ["schema", "rename"], access: .writing, contentType: text)
  private static let dropping = CommandRoute(
    command: ["schema", "drop"], access: .writing, contentType: text)

  static let schemas: [Route] = [
    Route(
      "GET", "schemas", .reads, "List the schemas.", running: listing,
      parameters: [.flag("complete", "Send the schemas with their fields, as a JSON array.")]
    ) { request in
      var request = request
      guard try request.takeFlag("complete") else {
        return try await request.tagged(listing, operands: [])
      }
      return try await request.completeSchemas()
    },
    Route(
      "GET", "schemas/log", .reads, "List the applied plans; for administrators.",
      forAdministrators: "read the log", running: logging
    ) { request in
      try await request.run(logging, operands: [])?.response
    },
    Route(
      "POST", "schemas/plan", .reads, "Show how schemas would change; for administrators.",
      running: planning, body: .schemas
    ) { request in
      try await request.run(planning, operands: [.init("PATH", "-")])?.response
    },
    Route(
      "POST", "schemas/apply", .writes, "Create and change schemas; for administrators.",
      running: applying, body: .schemas, conditions: []
    ) { request in
      try await request.runForMessages(applying, operands: [.init("PATH", "-")])
    },
    Route(
      "POST", "schemas/rename", .writes, "Rename a schema or a field; for administrators.",
      running: renaming,
      parameters: [
        .parameter("from", "The schema, or the field as `SCHEMA.FIELD`."),
        .parameter("to", "The new name."),
      ], conditions: []
    ) { request in
      var request = request
      guard let old = try request.take("from"), let new = try request.take("to") else {
        throw DataError(.usage, "the parameters \"from\" and \"to\" are required")
      }
      return try await request.runForMessages(
        renaming, operands: [.init("SCHEMA[.FIELD]", old), .init("NEW", new)])
    },
    Route("GET", "schemas/SCHEMA", .reads, "Show a schema.", running: showing) { request in
      try await request.tagged(showing, operands: .schema(request.values.schema))
    },
    Route(
      "DELETE", "schemas/SCHEMA", .writes, "Delete a schema; for administrators.",
      running: dropping, conditions: []
    ) { request in
      try await request.runForMessages(dropping, operands: .schema(request.values.schema))
    },
  ]
}

extension APIRequest {
  /// Returns the schemas that the caller may see, as the texts of their schema files.
  fileprivate func completeSchemas() async throws -> HTTPResponse {
    try checkParameters([])
    let schemas = try await withClient(for: .reading) { try await $0.schemas() }
    let body = ByteStore(.kept)
    try body.append("[\n\(schemas.map { SchemaFile.text($0) }.joined(separator: ","))]\n".utf8.span)
    body.finish()
    let response = HTTPResponse(
      200, headers: [("Content-Type", ResponseFormat.json.contentType)],
      body: .store(body, count: body.count))
    return try conditional(response) { EntityTag(of: $0) }
  }

  /// Runs a command, and returns its output with an entity tag. If the client already has the same
  /// output (`If-None-Match`), returns the status 304.
  func tagged(_ route: CommandRoute, operands: [Parameters.Parameter]) async throws -> HTTPResponse?
  {
    guard let result = try await run(route, operands: operands) else { return nil }
    return try conditional(result.response) { EntityTag(of: $0) }
  }

  /// Returns the response with an entity tag. If the client already has the same response
  /// (`If-None-Match`), returns the status 304.
  func conditional(
    _ response: HTTPResponse, tag: ([UInt8]) -> EntityTag
  ) throws(DataError) -> HTTPResponse {
    guard case .store(let store, _) = response.body else { return response }
    let bytes = try store.bytes()
    var tag = tag(bytes)
    tag.isCompressed = head.compresses(bytes.count)
    if let header = head["if-none-match"] {
      let condition = EntityCondition(header, comparison: .weak)
      // Responses of the same revision can differ, for example in their format, in the fields that
      // the caller may read, and in the related records that `expand` adds.
      if condition.withoutRevisions.matches(tag) {
        return HTTPResponse(304, headers: [("ETag", tag.text)])
      }
    }
    var response = response
    response.body = .bytes(bytes)
    response.set("ETag", tag.text)
    return response
  }

  /// Runs a command that reports its result on stderr. If the command prints nothing on stdout, the
  /// response contains what it has printed on stderr.
  func runForMessages(_ route: CommandRoute, operands: [Parameters.Parameter]) async throws
    -> HTTPResponse?
  {
    guard let result = try await run(route, operands: operands) else { return nil }
    guard case .store(let store, _) = result.response.body, store.count == 0 else {
      return result.response
    }
    var response = result.response
    response.body = .bytes(result.report.messages)
    return response
  }
}
