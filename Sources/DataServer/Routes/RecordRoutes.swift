internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataOutput
internal import DataStore
internal import JSONText
internal import SchemaText

extension Route {
  fileprivate static let listing = CommandRoute(
    command: ["list"], access: .reading, sending: .atOnce)
  fileprivate static let getting = CommandRoute(
    command: ["get"], access: .reading, excluded: ["content", "into"],
    contentType: ResponseFormat.json.contentType)
  private static let saving = CommandRoute(
    command: ["save"], access: .writing,
    excluded: ["create", "update", "replace", "prune", "field", "files"])
  fileprivate static let deleting = CommandRoute(
    command: ["delete"], access: .writing, contentType: ResponseFormat.json.contentType)

  private static let idParameter = CommandOption(
    name: "id", isFlag: false, isRepeated: true, isPath: false, summary: "The ids of records.")
  private static let listParameters = [
    idParameter, .flag("schema", "Send the schema in the first line; requires NDJSON."),
  ]
  private static let deleteParameters = [
    idParameter, .parameter("agreed", "The number of records that may be deleted."),
  ]
  /// The maximum number of records on a page if the request contains no limit.
  fileprivate static let pageSize = 1_000
  fileprivate static let modes = ["create", "update", "replace"]

  static let records: [Route] = [
    Route(
      "GET", "records/SCHEMA", .reads, "Find records.", running: listing, parameters: listParameters
    ) { request in try await request.list() },
    Route(
      "POST", "records/SCHEMA/query", .reads,
      "Find records, with the parameters as a form in the body.", running: listing,
      parameters: listParameters, body: .form
    ) { request in
      var request = request
      try request.addForm()
      return try await request.list()
    },
    Route(
      "POST", "records/SCHEMA", .writes,
      "Save records. With `where`, change the records that match.", running: saving,
      parameters: [
        CommandOption(
          name: "mode", choices: modes, isFlag: false, isRepeated: false, isPath: false,
          summary: "Only create, only change, or replace records.")
      ], body: .records
    ) { request in
      var request = request
      let mode = try request.takeMode()
      try await request.checkAdministration()
      let matches = try request.takeConditionParameters()
      guard request.parameters["where"].isEmpty else {
        let assignments = try request.assignments()
        return try await request.save(
          saving, operands: .schema(request.values.schema) + ("FIELD=VALUE", assignments),
          adding: mode + [.init("yes", "")], matching: matches, input: ByteStore.empty)
      }
      return try await request.save(saving, operands: .schema(request.values.schema), adding: mode)
    },
    Route(
      "DELETE", "records/SCHEMA", .writes, "Delete records.", running: deleting,
      parameters: deleteParameters
    ) { request in try await request.deleteSelected() },
    Route(
      "POST", "records/SCHEMA/delete", .writes,
      "Delete records, with the parameters as a form in the body.", running: deleting,
      parameters: deleteParameters, body: .form
    ) { request in
      var request = request
      try request.addForm()
      return try await request.deleteSelected()
    },
    Route("GET", "records/SCHEMA/ID", .reads, "Get a record.", running: getting) { request in
      return try await request.get(getting)
    },
    Route(
      "PATCH", "records/SCHEMA/ID", .writes, "Change a record.", running: saving, body: .change,
      conditions: Route.Condition.allCases
    ) { request in
      try await request.saveOne(saving, mode: "update")
    },
    Route(
      "PUT", "records/SCHEMA/ID", .writes, "Create or replace a record.", running: saving,
      body: .record, conditions: Route.Condition.allCases
    ) { request in
      let mode = request.requiresAbsence ? "create" : "replace"
      return try await request.saveOne(saving, mode: mode)
    },
    Route(
      "DELETE", "records/SCHEMA/ID", .writes, "Delete a record.", running: deleting,
      conditions: Route.Condition.allCases
    ) { request in
      var request = request
      try await request.checkNoneMatch(getting)
      if let revision = try await request.requiredRevision(getting) {
        request.parameters.append("revision", "\(revision)")
      }
      return try await request.delete(
        deleting, operands: .schema(request.values.schema) + ("ID", [request.values.id]))
    },
  ]
}

extension ByteStore {
  /// No bytes: the standard input of a command that reads none.
  static var empty: ByteStore {
    let store = ByteStore(.kept)
    store.finish()
    return store
  }
}

extension APIRequest {
  /// Responds with the records that meet the condition of the request or, if the request contains
  /// ids, with the records that have these ids.
  fileprivate func list() async throws -> HTTPResponse? {
    var request = self
    let matches = try request.takeConditionParameters()
    let ids = request.parameters.remove("id")
    let isGet = !ids.isEmpty
    var route = isGet ? Route.getting : Route.listing
    if isGet { route.contentType = ResponseFormat.ndjson.contentType }
    if !request.parameters["explain"].isEmpty {
      route.contentType = "text/plain; charset=utf-8"
    }
    // A page without a limit would contain all records.
    if request.parameters["output"].last == "page", request.parameters["limit"].isEmpty {
      request.parameters.append("limit", "\(Route.pageSize)")
    }
    let hasFunction = !request.parameters["function"].isEmpty
    let heading = try request.takeFlag("schema") ? try await schemaLine() : []
    return try await request.run(
      route, operands: hasFunction ? [] : .schema(values.schema) + ("ID", ids), input: .empty,
      prepare: { $0.matches = matches }, heading: heading)?
      .response
  }

  /// Returns the schema that the path names, as a line of NDJSON.
  private func schemaLine() async throws -> [UInt8] {
    let schema = try await withClient(for: .reading) { try await $0.schema(values.schema) }
    let text = SchemaFile.text(schema)
    return Array("\(try JSONValue(parsing: text))\n".utf8)
  }

  /// Adds the parameters in the body of the request (`application/x-www-form-urlencoded`).
  fileprivate mutating func addForm() throws {
    guard head.mediaType == ContentType.form else {
      throw HTTPError(415, .usage, "expected a body of the type \(ContentType.form)")
    }
    let form = try body(atMost: 16 << 20)
    guard let added = try? Parameters(parsing: form) else {
      throw DataError(.usage, "the body is not a valid form in UTF-8")
    }
    for parameter in added.list { parameters.append(parameter.name, parameter.value) }
  }

  /// Responds with the record that the path names, and with its entity tag.
  fileprivate func get(_ route: CommandRoute) async throws -> HTTPResponse? {
    let result = try await run(
      route, operands: .schema(values.schema) + ("ID", [values.id]), input: .empty)
    guard let result else { return nil }
    return try conditional(result.response) {
      EntityTag(of: $0, revision: result.report.revision)
    }
  }

  /// Replaces parameters of the form `param.NAME=VALUE` and `json.NAME=JSON` with the forms that
  /// the command accepts, `param=NAME=VALUE` and `param=NAME:=JSON`. Removes parameters of the form
  /// `match.FIELD=JSON`, and returns them.
  fileprivate mutating func takeConditionParameters() throws(DataError) -> [QueryInput.Match] {
    var matches: [QueryInput.Match] = []
    var kept = Parameters()
    for parameter in parameters.list {
      let (name, value) = (parameter.name, parameter.value)
      if name.hasPrefix("param.") {
        kept.append("param", "\(name.dropFirst(6))=\(value)")
      } else if name.hasPrefix("json.") {
        kept.append("param", "\(name.dropFirst(5)):=\(value)")
      } else if name.hasPrefix("match.") {
        do throws(DataError) {
          matches.append(
            .init(name: String(name.dropFirst(6)), value: try JSONValue(parsing: value)))
        } catch {
          throw DataError(
            .usage, "\(Excerpt.truncated(name)): expected JSON: \(error.problems[0].message)",
            hint: "write text in double quotes")
        }
      } else {
        kept.append(name, value)
      }
    }
    parameters = kept
    // A deletion without ids requires a condition.
    if deletes, !matches.isEmpty, parameters["where"].isEmpty {
      parameters.append("where", "true")
    }
    return matches
  }

  /// Throws an error if the request has a parameter that only administrators can use, and the
  /// caller is not an administrator.
  fileprivate func checkAdministration() async throws {
    for name in CommandRoute.restricted where !parameters[name].isEmpty {
      try await withClient(for: .reading) { client in
        try await client.checkIsAdministrator("use the parameter \(name)")
      }
    }
  }

  /// Removes the parameter `mode`, and returns the corresponding option of the command `save`, such
  /// as `create` for `mode=create`. Returns an empty array if the parameter is not given.
  fileprivate mutating func takeMode() throws(DataError) -> [Parameters.Parameter] {
    guard let mode = try take("mode") else { return [] }
    guard Route.modes.contains(mode) else {
      let expected = Route.modes.joined(separator: ", ")
      throw DataError(.usage, "mode: expected \(expected), found \(Excerpt.quoted(mode))")
    }
    return [.init(mode, "")]
  }

  /// Converts the JSON object in the body to assignments of JSON values for the command `save`, such
  /// as `stock:={"$add":1}`. The type of the field determines whether such an object is an operation.
  fileprivate func assignments() throws(DataError) -> [String] {
    let text = try body(atMost: Schema.maxRecordSize)
    let value = try JSONValue(parsing: text.span)
    guard case .object(let members) = value, !members.isEmpty else {
      throw DataError(.invalid, "expected a JSON object with the values to set")
    }
    for member in members where !Schema.isFieldName(member.name) {
      throw DataError(.unknownField, "\(Excerpt.quoted(member.name)) is not the name of a field")
    }
    return members.map { "\($0.name):=\($0.value)" }
  }

  /// Saves the records in the body. The response contains the output of `datactl save`, and its
  /// header `Datactl-Saved` contains the numbers of saved records.
  fileprivate func save(
    _ route: CommandRoute, operands: [Parameters.Parameter], adding added: [Parameters.Parameter],
    matching matches: [QueryInput.Match] = [], input: ByteStore? = nil
  ) async throws -> HTTPResponse? {
    let result = try await run(route, operands: operands, adding: added, input: input) {
      $0.matches = matches
    }
    guard let result else { return nil }
    var response = result.response
    if let saved = result.report.saved {
      response.set(SaveSummary.headerName, saved.header)
      let hasOnlyCreated = saved == SaveSummary(created: max(1, saved.created))
      if head.method == "POST", hasOnlyCreated, !isDryRun, parameters["infer"].isEmpty {
        response.status = 201
      }
    }
    if let skipped = result.report.skipped, case .store(let store, _) = response.body {
      var bytes = try store.bytes()
      bytes += ProblemDocument(skipped, status: 200, request: head.id).json
      response.body = .bytes(bytes)
    }
    return response
  }

  private var isDryRun: Bool { parameters["dry_run"].last.map { $0 != "false" } ?? false }

  /// Whether the request may only create the record, not replace it (`If-None-Match: *`).
  fileprivate var requiresAbsence: Bool {
    head.method == "PUT"
      && head["if-none-match"].map { EntityCondition($0, comparison: .weak) } == .exists
  }

  /// Saves one record, whose id is in the path.
  fileprivate func saveOne(_ route: CommandRoute, mode: String) async throws -> HTTPResponse? {
    try await checkAdministration()
    if mode == "update" { try checkID() }
    // With `skip_invalid`, the response would be a success although the condition is not met.
    if head["if-match"] != nil || requiresAbsence, !parameters["skip_invalid"].isEmpty {
      throw DataError(.usage, "skip_invalid cannot be combined with If-Match and If-None-Match")
    }
    try await checkNoneMatch(Route.getting)
    let revision = try await requiredRevision(Route.getting)
    let input = try revision.map { try body(withRevision: $0) }
    var route = route
    route.contentType = ResponseFormat.json.contentType
    return try await save(
      route, operands: .schema(values.schema) + ("ID", [values.id]), adding: [.init(mode, "")],
      input: input)
  }

  /// Returns a copy of the record in the body, with the given value of `revision`. When the copy is
  /// saved, the save fails if the stored record has another revision.
  private func body(withRevision revision: Int64) throws(DataError) -> ByteStore {
    let text = try body(atMost: Schema.maxRecordSize)
    let record = try JSONValue(parsing: text.span)
    guard case .object(let members) = record else {
      throw DataError(.invalid, "expected a JSON object, because If-Match is given")
    }
    let changed =
      members.filter { $0.name != "revision" }
      + [.init("revision", .number(JSONNumber(revision)))]
    let store = ByteStore(.kept)
    try store.append(Array("\(JSONValue.object(changed))".utf8).span)
    store.finish()
    return store
  }

  /// Returns the revision that the record must have according to `If-Match`, or nil if the request
  /// has no such header. Throws an error if the stored record is known to have another revision.
  fileprivate func requiredRevision(_ route: CommandRoute) async throws -> Int64? {
    guard let header = head["if-match"] else { return nil }
    // If the request was already executed, the stored record has a newer revision. So the revision
    // is only checked in the transaction, which first recognizes repetitions.
    if head["idempotency-key"] != nil,
      case .tags(let tags) = EntityCondition(header, comparison: .strong), tags.count == 1,
      let revision = tags[0].revision
    {
      return revision
    }
    let tag = try await currentTag(route)
    guard let tag, EntityCondition(header, comparison: .strong).matches(tag) else {
      try await checkPermission(id: values.id)
      throw HTTPError(412, .changed, "the record does not have the revision that If-Match requires")
    }
    return tag.revision
  }

  /// Throws an error if the header `If-None-Match` forbids the change: if it contains the current
  /// entity tag of the record, or is `*`.
  fileprivate func checkNoneMatch(_ route: CommandRoute) async throws {
    guard let header = head["if-none-match"], !requiresAbsence else { return }
    let condition = EntityCondition(header, comparison: .weak)
    do {
      guard let tag = try await currentTag(route), condition.matches(tag) else { return }
    } catch let error as DataError where error.code == .notFound && condition != .exists {
      return
    }
    try await checkPermission(id: values.id)
    throw HTTPError(412, .changed, "the record has a revision that If-None-Match excludes")
  }

  /// Returns the current entity tag of the record that the path names.
  private func currentTag(_ route: CommandRoute) async throws -> EntityTag? {
    let others = ["accept", "accept-encoding", "if-none-match"]
    var request = self
    request.parameters = Parameters()
    request.head.headers.removeAll { others.contains($0.name) }
    let current = try await request.get(route)
    return current?.headers.first { $0.name == "ETag" }.flatMap { EntityTag($0.value) }
  }

  /// Deletes the records that the parameters select.
  fileprivate func deleteSelected() async throws -> HTTPResponse? {
    var request = self
    let matches = try request.takeConditionParameters()
    let ids = request.parameters.remove("id")
    let isForAll = !request.parameters["where"].isEmpty || !request.parameters["all"].isEmpty
    guard !ids.isEmpty || isForAll else {
      throw DataError(
        .usage, "the request selects no records", hint: "pass id, where or all=true")
    }
    var agreed: Int?
    if let text = try request.take("agreed") {
      guard isForAll, let count = Int(text), count >= 0 else {
        throw DataError(
          .usage,
          isForAll
            ? "the parameter \"agreed\": expected the number of records to delete"
            : "the parameter \"agreed\" requires \"where\" or all=true")
      }
      agreed = count
    }
    let confirmation: [Parameters.Parameter] =
      isForAll && agreed == nil ? [.init("yes", "")] : []
    return try await request.delete(
      Route.deleting, operands: .schema(values.schema) + ("ID", ids), adding: confirmation,
      agreed: agreed, matching: matches)
  }

  /// Deletes records, and responds with the numbers of deleted and changed records.
  fileprivate func delete(
    _ route: CommandRoute, operands: [Parameters.Parameter],
    adding added: [Parameters.Parameter] = [], agreed: Int? = nil,
    matching matches: [QueryInput.Match] = []
  ) async throws -> HTTPResponse? {
    let result = try await run(route, operands: operands, adding: added, input: .empty) {
      $0.agreed = agreed
      $0.matches = matches
    }
    guard var response = result?.response else { return nil }
    if let deleted = result?.report.deleted {
      // The keys are those that `datactl batch` prints.
      response.body = .bytes(
        Array("{\"did\":\"delete\",\"count\":\(deleted.deleted)\(deleted.effectsJSON)}\n".utf8))
    }
    response.set("Content-Type", ResponseFormat.json.contentType)
    return response
  }
}

extension Schema {
  /// Returns whether a text has the form of a field name. Other texts are rejected, because an
  /// operator in them would change the meaning of an assignment.
  static func isFieldName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
