internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataStore

extension Route {
  /// The page for people who open the address of the server in a browser. Its path is `/`.
  static let home = Route("GET", "", .none, "Say what the server is.") { request in
    HTTPResponse(
      200, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(
        Array(
          """
          This is a datactl server. It serves a store of records to programs, over HTTP.

          /v1/openapi.json describes the requests. `datactl help api` explains them, and
          `datactl help stores` says how datactl itself uses the store.

          """.utf8)))
  }

  static let overview: [Route] = [
    Route("GET", "", .reads, "Describe the server.") { request in
      try request.checkParameters([])
      let version = try await request.catalogVersion()
      return HTTPResponse(
        200,
        json: Array(
          """
          {"program":"datactl","version":"\(Client.version)","catalog_version":\(version)}

          """.utf8))
    },
    Route("GET", "health", .reads, "Check that the store answers.") { request in
      try request.checkParameters([])
      do {
        _ = try await request.catalogVersion()
      } catch let error as DataError {
        throw HTTPError(503, error)
      }
      return HTTPResponse(200, json: Array("{\"status\":\"ok\"}\n".utf8))
    },
    Route(
      "GET", "metrics", .reads, "Read the metrics for Prometheus; for administrators.",
      forAdministrators: "read the metrics"
    ) { request in
      try request.checkParameters([])
      return HTTPResponse(
        200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
        body: .bytes(Array(request.service.metrics.text.utf8)))
    },
    Route("GET", "openapi.json", .reads, "Describe the API and the schemas of the caller.") {
      request in
      try request.checkParameters([])
      let schemas = try await request.withClient(for: .reading) { try await $0.schemas() }
      let document = ByteStore(.kept)
      try OpenAPIDocument(
        schemas, request.service.program, hasMethods: request.service.options.methods != nil
      ).write { (text) throws(DataError) in try document.append(text.utf8.span) }
      document.finish()
      return HTTPResponse(
        200, headers: [("Content-Type", ResponseFormat.json.contentType)],
        body: .store(document, count: document.count))
    },
  ]
}

extension APIRequest {
  fileprivate func catalogVersion() async throws -> Int64 {
    try await service.clients.withClient(for: .reading, exchange) { client in
      try await client.store.catalog().version
    }
  }
}
