internal import ClientCore
internal import DataStore
internal import RecordText

/// The requests for records in a store on a server.
extension Records {
  /// Returns the schemas of the records, as the server shows them to the user.
  func model(from server: ServerExecutor) async throws(DataError) -> CheckedModel {
    let (stored, isCached) = try await client.catalog(from: server)
    do throws(DataError) {
      return try model(in: stored)
    } catch {
      // Another client may have changed the schemas.
      guard isCached else { throw error }
      return try model(in: try await client.catalog(from: server, isCurrent: true).stored)
    }
  }

  func trees(
    _ input: QueryInput, _ relations: String, from server: ServerExecutor
  ) async throws(DataError) -> TreeIterator {
    let options = RecordOptions(expansion: relations.isEmpty ? nil : relations)
    return try await trees(ReadRequest(.records(input, options)), relations, from: server)
  }

  private func trees(
    _ request: ReadRequest, _ relations: String, from server: ServerExecutor
  ) async throws(DataError) -> TreeIterator {
    let name = try schemaName()
    let model = type == nil && relations.isEmpty ? nil : try await model(from: server)
    if let model, !relations.isEmpty {
      let catalog = try await client.catalog(from: server).stored.catalog
      let expansion = try Expansion(relations, of: model.schema, in: catalog)
      let lines = try client.lines(of: request, in: name, from: server)
      return TreeIterator(NestedRecords(lines, of: model.schema, expansion, from: server))
    }
    let (schema, records) = try await client.records(request, in: name, from: server)
    var trees = TreeIterator(schema, records)
    if let model {
      let current =
        model.schema == schema
        ? model
        : try self.model(in: try await client.catalog(from: server, isCurrent: true).stored)
      if current.isTree { trees.related = related(of: current, from: server) }
    }
    return trees
  }

  /// Returns a function that fetches the records that other records contain. Each level of a tree
  /// is a request, so that the levels are not read from the same snapshot of the store.
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
    let options = RecordOptions(expansion: relations.isEmpty ? nil : relations)
    let request = ReadRequest(.found(lookup, options))
    var found: [RecordTree] = []
    do throws(DataError) {
      var trees = try await trees(request, relations, from: server)
      while let tree = try await trees.next() { found.append(tree) }
      return (found, nil)
    } catch {
      // The error of a missing schema has no id.
      guard error.problems.allSatisfy({ $0.code == .notFound && $0.id != nil }) else { throw error }
      return ([], error)
    }
  }

  func page(
    _ input: QueryInput, at bound: RecordOptions.Bound?, _ relations: String,
    from server: ServerExecutor
  ) async throws(DataError) -> RecordPage<RecordTree> {
    let model = try await model(from: server)
    let options = RecordOptions(bound: bound, expansion: relations.isEmpty ? nil : relations)
    let page = try await client.page(
      ReadRequest(.records(input, options)), of: model.schema, from: server)
    let records: [Record]
    if relations.isEmpty {
      records = try server.rows(page.records, as: .json, of: model.schema)
        .records(of: model.schema)
    } else {
      let catalog = try await client.catalog(from: server).stored.catalog
      records = try NestedRecords.records(
        inArray: page.records, of: model.schema,
        Expansion(relations, of: model.schema, in: catalog), from: server)
    }
    var fetched: RelatedRecords?
    if model.isTree { fetched = try await related(of: model, from: server).fetch(records) }
    return RecordPage(
      records: records.map { RecordTree($0, with: fetched) }, next: page.next,
      previous: page.previous)
  }

  func groups(
    _ input: QueryInput, _ options: GroupingOptions, from server: ServerExecutor
  ) async throws(DataError) -> [RecordGroup] {
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
    if let error = DataError(text.rejections.flatMap(\.problems)) { throw error }
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
    Deletion(try await client.delete(query, in: server))
  }

  func delete(
    _ ids: [String], revision: Int64?, in server: ServerExecutor
  ) async throws(DataError) -> Deletion {
    Deletion(
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
