internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataStore

extension APIRequest {
  /// Returns the receipt by which the store recognizes that the request was already executed, or
  /// nil if the request has no header `Idempotency-Key`. Different users can use the same key.
  func receipt(of client: Client) async throws -> Receipt? {
    guard let key = head["idempotency-key"] else { return nil }
    guard (1...64).contains(key.utf8.count) else {
      throw HTTPError(400, .usage, "Idempotency-Key: expected 1 to 64 characters")
    }
    try await noteUser(of: client)
    var owner = SHA256()
    for part in [exchange.user ?? "", token == nil ? address : "", key] {
      owner.update(part.utf8.span)
      owner.update([0].span)
    }
    var request = SHA256()
    request.update(head.method.utf8.span)
    request.update([0].span)
    request.update(head.target.utf8.span)
    request.update([0].span)
    try body.forEachPiece { request.update($0) }
    return Receipt(key: owner.finish(), request: request.hexadecimal())
  }

  /// Returns the response to a request that was already executed. It contains the numbers of
  /// records that the first execution saved or deleted. Throws an error if the caller no longer has
  /// the right to send the request.
  func repetition(of counts: Receipt.Counts, _ contentType: String) async throws -> CommandResult {
    try await checkPermission()
    var response = HTTPResponse(200, headers: [("Content-Type", contentType)])
    response.set("Datactl-Repeated", "true")
    var report = CommandReport()
    if head.method == "DELETE" || deletes {
      report.deleted = DeleteSummary(deleted: counts.deleted, nullified: counts.nullified)
    } else {
      report.saved = counts.saved
      if let output = counts.output { response.body = .bytes(Array(output.utf8)) }
      // An empty body is a valid list of records in other formats.
      if counts.output == nil, contentType == ResponseFormat.json.contentType {
        response.body = .bytes(counts.saved.json)
      }
    }
    return CommandResult(response: response, report: report)
  }
}
