internal import ClientCore
internal import DataStore
internal import RecordText

/// How a save treats records that already exist and records that do not exist yet.
public enum SaveMode: Hashable, Sendable {
  /// Creates new records. In existing records, changes only the given fields.
  case createOrChange
  /// Creates new records. An id that already exists is an error.
  case create
  /// Changes the given fields of existing records. An id that does not exist is an error.
  case update
  /// Creates new records. In existing records, fields that are missing from the input are reset to
  /// their defaults, except passwords and files, which are kept.
  case replace
}

extension Records where Element == Record {
  /// Saves a record and returns it as stored.
  ///
  /// The record needs an id: ``Draft/assignID(in:)`` assigns one.
  ///
  /// - Parameters:
  ///   - draft: The fields to save.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The record with all its fields, as stored.
  /// - Throws: A ``DataError`` that contains all problems in the draft. If the draft has a revision
  ///   that differs from the stored one, the error's code is `changed`.
  @discardableResult
  public func save(_ draft: Draft, mode: SaveMode = .createOrChange) async throws -> Record {
    try await only(saved([draft], mode))
  }

  /// Saves several records in one transaction and returns them as stored.
  ///
  /// - Parameters:
  ///   - drafts: The fields of each record.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records with all their fields, as stored, in the order of `drafts`.
  /// - Throws: A ``DataError`` that contains the problems of all drafts. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save(
    _ drafts: [Draft], mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await saved(drafts, mode)
  }
}

extension Records where Element: Codable {
  /// Saves a value and returns it as stored.
  ///
  /// ```swift
  /// let tea = try await todos.save(Todo(todoID: "tea", title: "Buy tea"))
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value to save.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The value with the stored values of its fields. The records inside of it are those
  ///   of `value`, with the ids that they were given.
  /// - Throws: A ``DataError`` if the type does not match the schema or the value is invalid.
  @discardableResult
  public func save(_ value: Element, mode: SaveMode = .createOrChange) async throws -> Element {
    try await only(save([value], mode: mode))
  }

  /// Saves several values in one transaction and returns them as stored.
  ///
  /// - Parameters:
  ///   - values: The values to save.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The values as stored, in the order of `values`.
  /// - Throws: A ``DataError`` that contains the problems of all values. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save(
    _ values: [Element], mode: SaveMode = .createOrChange
  ) async throws -> [Element] {
    let model = try await model()
    let drafts = try values.map { try Draft(encoding: $0).assigningNestedIDs(of: model) }
    let records = try await saved(drafts, mode)
    return try zip(drafts, records).map { draft, record in
      try decode(model.isTree ? RecordTree(record, inside: draft, of: model) : RecordTree(record))
    }
  }
}

extension Records {
  /// Changes fields of the record with the given id, and returns the record as stored.
  ///
  /// ```swift
  /// try await products.update("tea", ["stock": .add(-2)])
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - changes: The fields to change. If they contain the revision, the record must have it.
  /// - Returns: The record with all its fields, as stored.
  /// - Throws: A ``DataError`` if the record does not exist or a value is invalid.
  @discardableResult
  public func update(_ id: String, _ changes: Draft) async throws -> Element {
    let model = try await model()
    var draft = changes
    draft[model.schema.key.name] = .text(id)
    let record = try await only(saved([draft], .update))
    guard model.isTree else { return try decode(RecordTree(record)) }
    guard let value = try await get(id) else {
      throw DataError(
        Problem(.notFound, "there is no such record", schema: model.schema.name, id: id))
    }
    return value
  }

  /// Changes fields of all records that match a condition, in one transaction.
  ///
  /// ```swift
  /// let count = try await products.updateAll(["price": 4], where: "kind = 'tea'")
  /// ```
  ///
  /// - Parameters:
  ///   - changes: The fields to change.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: The number of records that match.
  /// - Throws: A ``DataError`` if an argument is invalid. In that case, nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: Draft, where condition: String, parameters: [String: DraftValue] = [:]
  ) async throws -> Int {
    let schema = try schemaName()
    let results = try await client.batch {
      $0.save(changes, in: schema, where: condition, parameters: parameters)
    }
    if case .changed(let count)? = results.first { return count }
    return 0
  }
}

extension Draft {
  /// Returns a copy in which the records inside of a value have ids, so that the saved value can be
  /// returned with them. Records of users, and records without any value, get none.
  fileprivate func assigningNestedIDs(of model: CheckedModel) -> Draft {
    guard model.isTree else { return self }
    return Draft(entries: Self.assigningIDs(inside: entries, of: model, type: 0))
  }

  private static func assigningIDs(
    inside entries: [Entry], of model: CheckedModel, type: Int
  ) -> [Entry] {
    let outer = model.types[type]
    return entries.map { entry in
      guard let slot = outer.slot(ofProperty: entry.name), let nested = outer.type(inSlot: slot)
      else { return entry }
      return Entry(name: entry.name, value: assigningIDs(entry.value, of: model, type: nested))
    }
  }

  private static func assigningIDs(
    _ value: DraftValue, of model: CheckedModel, type: Int
  ) -> DraftValue {
    switch value.form {
    case .object(let members):
      let schema = model.types[type].schema
      var entries = assigningIDs(inside: members, of: model, type: type)
      let key = entries.firstIndex { schema.slot(ofProperty: $0.name) == schema.keySlot }
      if let key, case .none = entries[key].value.form, !schema.requiresExplicitIDs,
        entries.contains(where: { !$0.value.form.isNull })
      {
        entries[key].value = .text(RecordID.new().text)
      }
      return DraftValue(form: .object(entries))
    case .list(let elements):
      return .list(elements.map { assigningIDs($0, of: model, type: type) })
    case .value, .none, .upload, .tree, .record, .add, .edit: return value
    }
  }
}

extension Records {
  /// Returns the schemas of the records.
  func model() async throws(DataError) -> CheckedModel {
    try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store): try model(in: try await store.catalog())
      case .server(let server): try await model(from: server)
      }
    }
  }

  private func only<Value>(_ saved: [Value]) throws(DataError) -> Value {
    guard let value = saved.first else {
      throw DataError(.failed, "the store did not return the saved record")
    }
    return value
  }

  private func saved(_ drafts: [Draft], _ mode: SaveMode) async throws(DataError) -> [Record] {
    if drafts.isEmpty { return [] }
    return try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store): try await saved(drafts, mode, in: store)
      case .server(let server): try await saved(drafts, mode, in: server)
      }
    }
  }

  private func saved(
    _ drafts: [Draft], _ mode: SaveMode, in store: any Store
  ) async throws(DataError) -> [Record] {
    let stored = try await store.catalog()
    let text = DraftText(drafts, of: try model(in: stored))
    let source = Drafts(text: text, count: drafts.count, invalid: text.rejections)
    return try await save(source, mode, in: stored, listener: RecordCollector()).listener.records
  }

  /// The text of drafts, as NDJSON.
  struct Drafts<Text: ByteSource> {
    let text: Text
    let count: Int
    var invalid: [Rejection] = []
  }

  /// Saves drafts, and returns the listener and the numbers of saved records.
  func save<Listener: SaveListener>(
    _ drafts: Drafts<some ByteSource>, _ mode: SaveMode, in stored: StoredCatalog,
    listener: Listener
  ) async throws(DataError) -> (listener: Listener, summary: SaveSummary) {
    let model = try model(in: stored)
    let schemas = model.isTree ? model.schema.treeSchemas(in: stored.catalog) : [model.schema]
    let stamp = try await client.stamp()
    let request = WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas), stamp: stamp, end: client.end)
    func save(
      _ records: some ChunkSource
    ) async throws(DataError) -> (listener: Listener, summary: SaveSummary) {
      var save = RecordSave(
        DraftSource(rejecting: drafts.invalid, readBy: records), of: model.schema,
        by: SavePolicy(mode: mode.policy), request, in: stored.catalog, listener: listener)
      do throws(DataError) {
        try await client.run(&save)
      } catch {
        throw error.map { $0.ofDraft(of: drafts.count) }
      }
      return (save.listener, save.summary)
    }
    guard model.isTree else {
      let reader = RecordReader(drafts.text, for: model.schema, TextForm(.ndjson), file: "")
      return try await save(ReaderSource(reader, file: ""))
    }
    let reader = TreeReader(
      drafts.text, for: model.schema, in: stored.catalog, file: "",
      ids: IDGenerator(clock: { stamp.time.microseconds }))
    return try await save(TreeSource(reader))
  }
}

extension SaveMode {
  var policy: SavePolicy.Mode {
    switch self {
    case .createOrChange: .createOrChange
    case .create: .create
    case .update: .update
    case .replace: .replace
    }
  }
}
