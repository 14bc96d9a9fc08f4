internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataOutput
internal import DataStore

extension Route {
  private static let saving = CommandRoute(
    command: ["save"], access: .writing, excluded: ["create", "update", "replace", "prune"],
    contentType: ResponseFormat.json.contentType)
  private static let path = "records/SCHEMA/ID/FIELD/content"

  static let contents: [Route] = [
    Route("GET", path, .reads, "Read the content of a file.") { request in
      try request.checkParameters([])
      return try await request.content()
    },
    Route(
      "PUT", path, .writes, "Save the content of a file.", running: saving,
      parameters: [.parameter("name", "The name of the file.")], body: .content
    ) { request in
      var request = request
      let name = try request.take("name")
      return try await request.saveContent(saving, "@=-", fileName: name)
    },
    Route("DELETE", path, .writes, "Remove a file.", running: saving) { request in
      try await request.saveContent(saving, ":=null")
    },
  ]
}

/// The part of a file's content that a request asks for (`Range`).
private struct ContentRange {
  var bytes: Range<Int>
  /// Whether the request asks for no range, or for one that is ignored. The response then contains
  /// the whole file.
  var isWhole: Bool

  /// Parses the header `Range`. Returns nil if the content contains none of the requested bytes. A
  /// header with several ranges or an unknown unit is ignored, as HTTP permits.
  init?(_ header: String?, size: Int) {
    bytes = 0..<size
    isWhole = true
    guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return }
    let parts = header.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let (first, last) = (Self.number(parts[0]), Self.number(parts[1]))
    switch (first, last) {
    case (let first?, let last?) where first <= last && first >= 0:
      guard first < size else { return nil }
      bytes = first..<min(last, size - 1) + 1
    case (let first?, nil) where parts[1].isEmpty && first >= 0:
      guard first < size else { return nil }
      bytes = first..<size
    case (nil, let last?) where parts[0].isEmpty && last >= 0:
      guard last > 0, size > 0 else { return nil }
      bytes = max(0, size - last)..<size
    default: return
    }
    isWhole = false
  }

  /// Returns the number that digits denote, or nil if the text contains anything else. A number
  /// that is too large for an integer becomes `Int.max`, which is beyond the end of any content.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(text) ?? .max
  }
}

extension APIRequest {
  /// Responds with the content of a file, or with the range of it that the request asks for.
  fileprivate func content() async throws -> HTTPResponse {
    try await withClient(for: .reading) { client in
      let (file, stream) = try await client.content(of: values.field, values.id, in: values.schema)
      return try await response(file, stream)
    }
  }

  private func response(
    _ file: FileReference, _ stream: any ContentStream
  ) async throws -> HTTPResponse {
    let tag = "\"\(file.sha256)\""
    var headers = [
      ("ETag", tag), ("Accept-Ranges", "bytes"),
      ("Content-Disposition", "attachment; filename*=UTF-8''\(PercentEncoding.encode(file.name))"),
      ("Content-Type", file.type),
    ]
    if let condition = head["if-none-match"], condition == "*" || condition.contains(tag) {
      return HTTPResponse(304, headers: headers)
    }
    let size = Int(file.size)
    let header = head["if-range"].map { $0 == tag } ?? true ? head["range"] : nil
    guard let range = ContentRange(header, size: size) else {
      throw HTTPError(
        416, .usage, "the content has \(size) bytes",
        headers: [("Content-Range", "bytes */\(size)")])
    }
    let spool = service.spool(for: token)
    if range.bytes.count >= ResponseOutput.firstSize, spool.isUsedUp {
      throw HTTPError.spoolUsedUp
    }
    let store = ByteStore(.kept, within: spool)
    var offset = 0
    while offset < range.bytes.upperBound, let piece = try await stream.next() {
      guard exchange.cancellation == nil else { throw DataError.interrupted }
      exchange.noteProgress()
      let wanted = range.bytes.clamped(to: offset..<offset + piece.count)
      if !wanted.isEmpty {
        try store.append(
          piece.span.extracting(wanted.lowerBound - offset..<wanted.upperBound - offset))
      }
      offset += piece.count
    }
    store.finish()
    if !range.isWhole {
      let bytes = range.bytes
      headers.append(
        ("Content-Range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)"))
    }
    var response = HTTPResponse(
      range.isWhole ? 200 : 206, headers: headers, body: .store(store, count: store.count))
    response.isCompressible = false
    return response
  }

  /// Saves the body as the content of a file, or removes the content.
  ///
  /// - Parameter assignment: The assignment for the command `save`, without the name of the field:
  ///   `@=-` saves the body, and `:=null` removes the content.
  fileprivate func saveContent(
    _ route: CommandRoute, _ assignment: String, fileName: String? = nil
  ) async throws -> HTTPResponse? {
    guard Schema.isFieldName(values.field) else {
      throw DataError(
        .schemaNotFound, "\(values.schema) has no field \(Excerpt.quoted(values.field))")
    }
    try checkID()
    let result = try await run(
      route,
      operands: .schema(values.schema) + ("ID", [values.id])
        + ("FIELD=VALUE", [values.field + assignment]), adding: [.init("update", "")]
    ) { call in
      call.fileName = fileName
      // Programs that send any body with this type, such as curl, do not describe the file with it.
      if head.mediaType != ContentType.form { call.fileType = head["content-type"] }
    }
    guard var response = result?.response else { return nil }
    if let saved = result?.report.saved { response.set(SaveSummary.headerName, saved.header) }
    return response
  }
}
