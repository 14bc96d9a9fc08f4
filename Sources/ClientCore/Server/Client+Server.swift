internal import DataAPI
package import DataModel
internal import DataOutput
package import DataStore
internal import JSONText
package import Maps
internal import Platform
internal import SchemaText
internal import ServerClient
internal import Synchronization

/// The requests that a client sends if its store is on a server.
extension Client {
  /// The token of the session that the client uses, or nil if no user is logged in.
  func serverToken() throws(DataError) -> Token? {
    if let token = state.withLock({ $0.token }) { return token }
    if let base { return try base.serverToken() }
    return try findToken()
  }

  /// Reads records, and returns the lines of the response.
  ///
  /// - Parameter withSchema: Whether the first line is the schema of the records.
  package func lines(
    of request: ReadRequest, in name: String, withSchema: Bool = false, from server: ServerExecutor
  ) throws(DataError) -> ResponseStream {
    var parameters = request.parameters
    if withSchema { parameters.append("schema", "true") }
    let request = try self.request(
      "POST", "/records/\(PercentEncoding.encode(name))/query", Parameters(),
      Array(parameters.text.utf8), as: ContentType.form, .reading)
    return server.stream(
      request, as: ResponseFormat.ndjson.mediaType, token: try serverToken())
  }

  /// Reads records, and returns their schema and a stream of the records. Fields that the user may
  /// not read are missing in the schema.
  package func records(
    _ request: ReadRequest, in name: String, from server: ServerExecutor
  ) async throws(DataError) -> (schema: Schema, records: any RecordStream) {
    var request = request
    request.format = .ndjson
    let lines = try lines(of: request, in: name, withSchema: true, from: server)
    guard let first = try await lines.nextLines(),
      let end = first.firstIndex(of: UInt8(ascii: "\n"))
    else { throw server.responses.invalidResponse("the schema is missing") }
    let schema = try server.responses.schema(Array(first[..<end]), named: name)
    return (
      schema,
      ServerRecordStream(lines, Array(first[(end + 1)...]), of: schema, from: server.responses)
    )
  }

  /// Returns the number of records that a query selects.
  package func count(_ query: QueryInput, in server: ServerExecutor) async throws(DataError) -> Int
  {
    let text = try await text(of: ReadRequest(.count(query)), in: query.schema, from: server)
    let digits = String(decoding: text.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard let count = Int(digits), count >= 0 else {
      throw server.responses.invalidResponse("expected a count, found \(Excerpt.quoted(digits))")
    }
    return count
  }

  /// Returns the groups of the records that a query selects: for each group, the values of the
  /// given columns.
  package func groups(
    _ request: ReadRequest, _ columns: [(name: String, type: FieldType)], in schema: String,
    from server: ServerExecutor
  ) async throws(DataError) -> [[DataModel.Value]] {
    var request = request
    request.format = .ndjson
    let text = try await text(of: request, in: schema, from: server)
    return try server.responses.parse { () throws(DataError) in
      try JSONNode.documents(text).map { group throws(DataError) in
        try columns.map { column throws(DataError) in
          try group[column.name]?.value(of: column.type, in: text) ?? .null
        }
      }
    }
  }

  /// Returns the records of a page, as a JSON array, and the tokens of the next and of the previous
  /// page.
  package func page(
    _ request: ReadRequest, of schema: Schema, from server: ServerExecutor
  ) async throws(DataError) -> (records: [UInt8], next: String?, previous: String?) {
    var request = request
    request.format = .page
    let text = try await text(
      of: request, in: schema.name, as: ResponseFormat.json.mediaType, from: server)
    let page = try server.responses.parse { () throws(DataError) in try JSONNode.document(text) }
    func token(_ key: String) throws(DataError) -> String? {
      switch page[key]?.content {
      case .text(let token): return token
      case .null, nil: return nil
      case .boolean, .number, .array, .object:
        throw server.responses.invalidResponse("\(key) is not a page token")
      }
    }
    guard let records = page["records"] else {
      throw server.responses.invalidResponse("the records are missing")
    }
    return (Array(text[records.range]), try token("next"), try token("previous"))
  }

  /// Returns the whole response to a request to read records.
  private func text(
    of request: ReadRequest, in schema: String, as mediaType: String? = nil,
    from server: ServerExecutor
  ) async throws(DataError) -> [UInt8] {
    try await text(
      "POST", "/records/\(PercentEncoding.encode(schema))/query", Parameters(),
      Array(request.parameters.text.utf8), as: ContentType.form, expecting: mediaType, to: server,
      repeating: .reading)
  }

  /// Sends a request, and returns the whole response.
  private func text(
    _ method: String, _ path: String, _ parameters: Parameters = Parameters(),
    _ content: [UInt8]? = nil, as type: String, expecting mediaType: String? = nil,
    to server: ServerExecutor, repeating: RemoteServer.Repetition
  ) async throws(DataError) -> [UInt8] {
    let request = try request(method, path, parameters, content, as: type, repeating)
    let receiver = StreamedResponse(
      of: mediaType ?? ResponseFormat.ndjson.mediaType, maxSize: StreamedResponse.maxWholeSize)
    _ = try await server.send(
      request, token: try serverToken(), to: receiver, repeating: repeating)
    return try receiver.text()
  }

  /// Returns a request with the parameters that each request of this client has.
  private func request(
    _ method: String, _ path: String, _ parameters: Parameters, _ content: [UInt8]?,
    as type: String, _ repetition: RemoteServer.Repetition
  ) throws(DataError) -> sending ServerRequest {
    var parameters = parameters
    if repetition != .reading, end == .rollBack { parameters.append("dry_run", "true") }
    let query = parameters.text
    var request = ServerRequest(method, query.isEmpty ? path : "\(path)?\(query)")
    if let content { try request.append(content.span, as: type) }
    return request
  }

  /// Requests all of the store, and passes the response to a receiver.
  ///
  /// - Parameter names: The schemas to read, and with them the schemas that they need; nil for all
  ///   schemas.
  func receiveWalk(
    only names: [String]?, by receiver: some ResponseReceiver & Sendable,
    from server: ServerExecutor
  ) async throws(DataError) {
    var parameters = Parameters()
    for name in names ?? [] { parameters.append("only", name) }
    let request = try request("GET", "/walk", parameters, nil, as: "", .reading)
    _ = try await server.send(
      request, token: try serverToken(), to: receiver, repeating: .reading)
  }

  /// Saves records, and returns them as stored.
  ///
  /// - Parameters:
  ///   - text: The records as NDJSON.
  ///   - isDeep: Whether the records contain others.
  package func save(
    _ text: [UInt8], of schema: Schema, mode: SavePolicy.Mode, isDeep: Bool,
    in server: ServerExecutor
  ) async throws(DataError) -> [Rows] {
    let parameters = Self.parameters(mode: mode, isDeep: isDeep)
    let saved = try await self.text(
      "POST", "/records/\(PercentEncoding.encode(schema.name))", parameters, text,
      as: ResponseFormat.ndjson.contentType, to: server, repeating: .keyed)
    return try server.responses.rows(saved, of: schema)
  }

  /// Saves the records in a document, and returns them as stored.
  package func save(
    document: [UInt8], of schema: Schema, by map: DataMap, mode: SavePolicy.Mode,
    in server: ServerExecutor
  ) async throws(DataError) -> [Rows] {
    var parameters = Self.parameters(mode: mode, isDeep: false)
    parameters.append("map", map.argument)
    parameters.append("output", ResponseFormat.ndjson.rawValue)
    let saved = try await text(
      "POST", "/records/\(PercentEncoding.encode(schema.name))", parameters, document,
      as: ResponseFormat(ofDocumentsOf: map).contentType, to: server, repeating: .keyed)
    return try server.responses.rows(saved, of: schema)
  }

  /// Returns a document with the records that a query selects.
  package func document(
    of query: QueryInput, by map: DataMap, from server: ServerExecutor
  ) async throws(DataError) -> [UInt8] {
    try await text(
      of: ReadRequest(.records(query, RecordOptions()), map: map), in: query.schema,
      as: ResponseFormat(ofDocumentsOf: map).mediaType, from: server)
  }

  /// Returns a document that contains the record with the given id.
  package func document(
    ofOnly id: String, in schema: String, by map: DataMap, from server: ServerExecutor
  ) async throws(DataError) -> [UInt8] {
    let path = "/records/\(PercentEncoding.encode(schema))/\(PercentEncoding.encode(id))"
    return try await text(
      "GET", path, Parameters([.init("map", map.argument)]), as: "",
      expecting: ResponseFormat(ofDocumentsOf: map).mediaType, to: server, repeating: .reading)
  }

  /// Saves records, and returns their numbers.
  ///
  /// - Parameter text: The records as NDJSON.
  package func save(
    _ text: SpooledText, of schema: Schema, mode: SavePolicy.Mode, isDeep: Bool,
    in server: ServerExecutor
  ) async throws(DataError) -> SaveSummary {
    var parameters = Self.parameters(mode: mode, isDeep: isDeep)
    parameters.append("output", "none")
    var request = try request(
      "POST", "/records/\(PercentEncoding.encode(schema.name))", parameters, [],
      as: ResponseFormat.ndjson.contentType, .keyed)
    request.body = RequestBody(text.bytes)
    let response = try await server.send(request, token: try serverToken(), repeating: .keyed)
    guard let summary = response[SaveSummary.headerName.lowercased()].flatMap(SaveSummary.init)
    else { throw server.responses.invalidResponse("it does not say what was saved") }
    return summary
  }

  private static func parameters(mode: SavePolicy.Mode, isDeep: Bool) -> Parameters {
    var parameters = Parameters()
    if let mode = mode.parameter { parameters.append("mode", mode) }
    if isDeep { parameters.append("deep", "true") }
    return parameters
  }

  /// Saves the content of a file in a field of an existing record.
  func setContent(
    _ content: SpooledBytes, _ file: FileReference, at path: String, in server: ServerExecutor
  ) async throws(DataError) {
    var request = try request(
      "PUT", path, Parameters([.init("name", file.name)]), [], as: file.type, .keyed)
    request.body = RequestBody(content)
    _ = try await server.send(request, token: try serverToken(), repeating: .keyed)
  }

  /// Returns the file in a field of a record, and its content.
  func content(
    at path: String, _ range: Range<Int>?, from server: ServerExecutor
  ) async throws(DataError) -> (file: FileReference, pieces: any ContentStream) {
    var request = try request("GET", path, Parameters(), nil, as: "", .reading)
    if let range {
      request.headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    }
    let stream = server.stream(request, as: nil, token: try serverToken())
    let header = try await stream.header()
    guard let file = FileReference(of: header), header.status == (range == nil ? 200 : 206) else {
      throw server.responses.invalidResponse("it does not describe a file")
    }
    return (file, ServerContentStream(stream, of: file, range, from: server))
  }

  /// Deletes the records that a query selects.
  package func delete(
    _ query: QueryInput, in server: ServerExecutor
  ) async throws(DataError) -> DeleteSummary {
    var parameters = Parameters()
    query.append(to: &parameters)
    if query.selectsAll { parameters.append("all", "true") }
    return try await delete(parameters, of: query.schema, in: server)
  }

  /// Deletes the records with the given ids.
  package func delete(
    _ ids: [String], of schema: String, revision: Int64?, in server: ServerExecutor
  ) async throws(DataError) -> DeleteSummary {
    if ids.isEmpty { return DeleteSummary() }
    var parameters = Parameters(ids.map { .init("id", $0) })
    if let revision { parameters.append("revision", "\(revision)") }
    return try await delete(parameters, of: schema, in: server)
  }

  private func delete(
    _ parameters: Parameters, of schema: String, in server: ServerExecutor
  ) async throws(DataError) -> DeleteSummary {
    let text = try await text(
      "POST", "/records/\(PercentEncoding.encode(schema))/delete", Parameters(),
      Array(parameters.text.utf8), as: ContentType.form, expecting: ResponseFormat.json.mediaType,
      to: server, repeating: .keyed)
    return try server.responses.parse { () throws(DataError) in
      try DeleteSummary(JSONNode.document(text), in: text)
    }
  }

  /// Executes the operations of a batch, which are given as NDJSON.
  package func batch(
    _ operations: [UInt8], in server: ServerExecutor
  ) async throws(DataError) -> [SentResult] {
    let text = try await text(
      "POST", "/batch", Parameters(), operations, as: ResponseFormat.ndjson.contentType,
      to: server, repeating: .keyed)
    return try server.responses.parse { () throws(DataError) in
      try JSONNode.documents(text).map { node throws(DataError) in
        try SentResult(node, in: text)
      }
    }
  }

  /// Applies the texts of schema files. The request is never repeated.
  package func apply(
    _ files: [String], consents: Set<String> = [], in server: ServerExecutor
  ) async throws(DataError) {
    if files.isEmpty { return }
    let parameters = Parameters(consents.sorted().map { .init("allow_loss", $0) })
    _ = try await text(
      "POST", "/schemas/apply", parameters, Array(files.joined(separator: "\n").utf8),
      as: ResponseFormat.json.contentType, expecting: "text/plain", to: server, repeating: .never)
    state.withLock { $0.serverCatalog = nil }
  }

  /// Returns the schemas that the user may see.
  ///
  /// - Parameter isCurrent: Whether the schemas must be fetched, although they were fetched before.
  /// - Returns: The schemas, and whether they were fetched by an earlier request.
  package func catalog(
    from server: ServerExecutor, isCurrent: Bool = false
  ) async throws(DataError) -> (stored: StoredCatalog, isCached: Bool) {
    let cached = state.withLock { $0.serverCatalog }
    if let cached, !isCurrent { return (cached, true) }
    let text = try await text(
      "GET", "/schemas?complete=true", as: "", expecting: ResponseFormat.json.mediaType, to: server,
      repeating: .reading)
    let schemas = try server.responses.parse { () throws(DataError) in
      try JSONNode.document(text).elements.map { node throws(DataError) in
        try Schema(checking: SchemaFile.read(Array(text[node.range])))
      }
    }
    let catalog = Catalog(
      known: schemas.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
      hintForMissing: nil)
    if let cached, cached.catalog == catalog { return (cached, false) }
    let stored = StoredCatalog(catalog, version: (cached?.version ?? 0) + 1)
    state.withLock { $0.serverCatalog = stored }
    return (stored, false)
  }
}

/// The result of an operation of a batch, as a server has sent it.
package struct SentResult: Sendable {
  /// What the operation did, such as `create`.
  package let verb: String
  /// The JSON of the record that was saved or read, or nil if it is not a single one.
  package let record: [UInt8]?
  /// The numbers of records that were deleted or changed.
  package let deleted: DeleteSummary

  fileprivate init(_ node: JSONNode, in text: [UInt8]) throws(DataError) {
    guard case .text(let verb)? = node["did"]?.content else {
      throw DataError(.syntax, "expected a result of an operation, found \(node.kind)")
    }
    self.verb = verb
    record = node["record"].map { Array(text[$0.range]) }
    deleted = try DeleteSummary(node, in: text)
  }
}

extension ServerRequest {
  /// Appends bytes to the body of the request, and sets the content type.
  mutating func append(_ bytes: Span<UInt8>, as type: String) throws(DataError) {
    let body = body ?? RequestBody()
    try body.append(bytes)
    self.body = body
    headers.append(("Content-Type", type))
  }
}

extension QueryInput {
  /// Whether the query has no condition.
  fileprivate var selectsAll: Bool { conditions.isEmpty && matches.isEmpty && equalities.isEmpty }
}

extension SavePolicy.Mode {
  /// The value of the parameter `mode`, or nil for the default.
  fileprivate var parameter: String? {
    switch self {
    case .createOrChange: nil
    case .create: "create"
    case .update: "update"
    case .replace: "replace"
    }
  }
}
