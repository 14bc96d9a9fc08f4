internal import ClientCore
internal import DataStore
internal import RecordText

/// The requests for records in a store on a server.
extension Records {
  /// Returns the schemas of the records, as the server shows them to the user.
  func model(from server: ServerExecutor) async throws(DataError) -> CheckedModel {
    try await read(from: server) { model, _ in model }
  }

  /// Throws an error if the model type of the records does not match its schema.
  func checkModel(from server: ServerExecutor) async throws(DataError) {
    if type != nil { _ = try await model(from: server) }
  }

  /// Calls a closure that reads records with the schemas of the server. If it fails with schemas
  /// that were fetched earlier, and another client has changed them since, calls it again.
  private func read<Result>(
    from server: ServerExecutor,
    _ body: (CheckedModel, Catalog) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let (stored, isCached) = try await client.catalog(from: server)
    do throws(DataError) {
      return try await body(try model(in: stored), stored.catalog)
    } catch {
      guard isCached, [.usage, .storeUnreachable].contains(error.code) else { throw error }
      let current = try await client.catalog(from: server, isCurrent: true).stored
      guard current.version != stored.version else { throw error }
      return try await body(try model(in: current), current.catalog)
    }
  }

  func trees(
    _ input: QueryInput, _ relations: String, from server: ServerExecutor
  ) async throws(DataError) -> TreeIterator {
    try await trees(relations, from: server) { .records(input, RecordOptions(expansion: $0)) }
  }

  /// - Parameter content: Returns the request for the records with the given expansion.
  private func trees(
    _ relations: String, from server: ServerExecutor,
    _ content: (_ expansion: String?) -> ReadRequest.Content
  ) async throws(DataError) -> TreeIterator {
    let name = try schemaName()
    if type == nil, relations.isEmpty {
      let (schema, records) = try await client.records(
        ReadRequest(content(nil)), in: name, from: server)
      return TreeIterator(schema, records)
    }
    return try await read(from: server) { model, catalog throws(DataError) in
      let paths = model.paths(with: relations)
      let expansion = try Expansion(expanding: paths, of: model.schema, in: catalog)
      let lines = try client.lines(
        of: ReadRequest(content(paths.isEmpty ? nil : paths)), in: name, from: server)
      var trees = TreeIterator(
        NestedRecords(lines, of: model.schema, expansion, from: server.responses))
      if model.isTree { trees.related = related(of: model, from: server) }
      try await trees.prefetch()
      return trees
    }
  }

  /// Returns a function that fetches the records that other records contain, unless the response
  /// contains them. Each further level of a tree is a request, so that these levels are not read
  /// from the same snapshot of the store.
  private func related(of model: CheckedModel, from server: ServerExecutor) -> TreeIterator.Related
  {
    TreeIterator.Related(model: model) { [client] roots throws(DataError) in
      try await RelatedRecords(of: roots, model) { ids, schema throws(DataError) in
        var found: [Record] = []
        for start in stride(from: 0, to: ids.count, by: Self.lookupSize) {
          let chunk = ids[start..<min(start + Self.lookupSize, ids.count)]
          let list = chunk.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
          let query = QueryInput(schema.name, conditions: ["\(schema.key.name) in (\(list))"])
          let (current, records) = try await client.records(
            ReadRequest(.records(query, RecordOptions())), in: schema.name, from: server)
          var trees = TreeIterator(current, records)
          while let tree = try await trees.next() { found.append(tree.record) }
        }
        return found
      }
    }
  }

  /// The number of ids in the condition of a request.
  private static var lookupSize: Int { 500 }

  /// Returns the records that have the given ids, and the error for those that do not exist.
  func found(
    _ ids: [String], _ relations: String, in server: ServerExecutor
  ) async throws(DataError) -> (trees: [RecordTree], missing: DataError?) {
    if ids.isEmpty { return ([], nil) }
    let lookup = IdentifiedRecords(.several(IDList(ids)), in: try schemaName())
    var found: [RecordTree] = []
    do throws(DataError) {
      var trees = try await trees(relations, from: server) {
        .found(lookup, RecordOptions(expansion: $0))
      }
      while let tree = try await trees.next() { found.append(tree) }
      return (found, nil)
    } catch {
      guard error.isOfMissingRecords else { throw error }
      return ([], error)
    }
  }

  func page(
    _ input: QueryInput, at bound: RecordOptions.Bound?, _ relations: String,
    from server: ServerExecutor
  ) async throws(DataError) -> RecordPage<RecordTree> {
    try await read(from: server) { model, catalog throws(DataError) in
      let paths = model.paths(with: relations)
      let expansion = try Expansion(expanding: paths, of: model.schema, in: catalog)
      let options = RecordOptions(bound: bound, expansion: paths.isEmpty ? nil : paths)
      let page = try await client.page(
        ReadRequest(.records(input, options)), of: model.schema, from: server)
      let records = try NestedRecords.records(
        inArray: page.records, of: model.schema, expansion,
        from: server.responses)
      var fetched: RelatedRecords?
      if model.isTree { fetched = try await related(of: model, from: server).fetch(records) }
      return RecordPage(
        records: records.map { RecordTree($0, with: fetched) }, next: page.next,
        previous: page.previous)
    }
  }

  func groups(
    _ input: QueryInput, _ options: GroupingOptions, from server: ServerExecutor
  ) async throws(DataError) -> [RecordGroup] {
    try await checkModel(from: server)
    let stored = try await client.catalog(from: server).stored
    let query = try options.query(of: try client.checked(input, in: stored))
    let columns = try query.columns(in: stored.catalog).map { (name: $0.name, type: $0.type) }
    let groups = try await client.groups(
      ReadRequest(.groups(input, options)), columns, in: try schemaName(), from: server)
    return groups.map { RecordGroup(names: columns.map(\.name), values: $0) }
  }

  /// Saves drafts, and returns the records as stored.
  func saved(
    _ drafts: [Draft], _ mode: SaveMode, in server: ServerExecutor
  ) async throws(DataError) -> [Record] {
    let model = try await model(from: server)
    var text = DraftText(drafts, of: model)
    let missing = drafts.enumerated().compactMap { index, draft in
      var problem = text.missingID(in: draft)
      problem?.line = index + 1
      return problem
    }
    if let error = DataError(text.rejections.flatMap(\.problems) + missing) {
      throw error.map { $0.ofDraft(of: drafts.count) }
    }
    var bytes: [UInt8] = []
    while text.read(into: &bytes, atMost: .max) > 0 {}
    do throws(DataError) {
      let saved = try await client.save(
        bytes, of: model.schema, mode: mode.policy, isDeep: text.isTree, in: server
      ).records(of: model.schema)
      // The response was lost, and was too long to be stored for the repeated request.
      if saved.isEmpty { return try await stored(drafts, of: model.schema, in: server) }
      return saved
    } catch {
      throw error.map { $0.ofDraft(of: drafts.count) }
    }
  }

  /// Returns the records of drafts that have been saved.
  private func stored(
    _ drafts: [Draft], of schema: Schema, in server: ServerExecutor
  ) async throws(DataError) -> [Record] {
    let ids = drafts.compactMap { draft -> String? in
      let key = draft.names.first { schema.slot(ofProperty: $0) == schema.keySlot }
      if case .value(.text(let id))? = key.flatMap({ draft[$0]?.form }) { return id }
      return nil
    }
    return try await found(ids, "", in: server).trees.map(\.record)
  }

  func delete(_ query: QueryInput, in server: ServerExecutor) async throws(DataError) -> Deletion {
    try await checkModel(from: server)
    return Deletion(try await client.delete(query, in: server))
  }

  func delete(
    _ ids: [String], revision: Int64?, in server: ServerExecutor
  ) async throws(DataError) -> Deletion {
    try await checkModel(from: server)
    return Deletion(
      try await client.delete(ids, of: try schemaName(), revision: revision, in: server))
  }
}

extension [Rows] {
  /// Returns the rows as records.
  ///
  /// - Parameter related: The related records of each record, keyed by the name of the relation.
  func records(
    of schema: Schema, _ related: [[String: [Record]]] = []
  ) throws(DataError) -> [Record] {
    var check = StoredValueCheck(of: schema)
    var records: [Record] = []
    for rows in self {
      for row in 0..<rows.count {
        let index = records.count
        records.append(
          try Record(
            schema, rows, row, related: related.indices.contains(index) ? related[index] : [:],
            checkedBy: &check))
      }
    }
    return records
  }
}

extension DataError {
  /// Whether a server reports only records that do not exist. The error of a missing schema has no
  /// id.
  var isOfMissingRecords: Bool { problems.allSatisfy { $0.code == .notFound && $0.id != nil } }
}
