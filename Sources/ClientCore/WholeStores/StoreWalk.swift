internal import Conditions
package import DataModel
import DataOutput
package import DataStore
import RecordText

/// The whole content of a store, read from one snapshot: the schemas, the records of each schema by
/// id, the stored functions, and the contents of files.
///
/// Sessions, the log of schema changes and password hashes are not part of it. On Citus, a snapshot
/// is of one moment only if there are no writes meanwhile.
package struct StoreWalk: Sendable {
  /// A closure that is called between chunks with the number of records in the last one. It throws
  /// an error if the walk must stop.
  package typealias Monitor = @Sendable (_ records: Int) throws(DataError) -> Void

  /// The schemas to walk, sorted by name.
  package let catalog: Catalog
  /// The names of the schemas that were added to the requested ones, because these need them.
  package let addedSchemas: [String]
  private let stored: StoredCatalog
  /// Whether some schemas of the store are not walked.
  private let isPartial: Bool
  private let reader: any StoreReader
  private let monitor: Monitor

  /// Creates a walk over a snapshot.
  ///
  /// - Parameter names: The schemas to walk, and with them the schemas that they need; nil for all
  ///   schemas.
  package init(
    of reader: any StoreReader, only names: [String]? = nil, monitor: @escaping Monitor = { _ in }
  ) async throws(DataError) {
    stored = try await reader.catalog()
    self.reader = reader
    self.monitor = monitor
    guard let names else {
      catalog = stored.catalog
      addedSchemas = []
      isPartial = false
      return
    }
    catalog = try stored.catalog.closure(of: names)
    isPartial = catalog.schemas.count < stored.catalog.schemas.count
    addedSchemas = catalog.schemas.map(\.name).filter { !names.contains($0) }
  }

  /// Returns the id of the store, or nil if it has none yet.
  package func storeID() async throws(DataError) -> String? { try await reader.storeID() }

  /// Passes the text of a schema's records to a closure, in chunks, exactly as `list` prints them
  /// as NDJSON with their system fields. Returns the digest of the text.
  ///
  /// With the schema of the stored functions, functions that need a schema that is not walked are
  /// left out. Hashes of passwords are a part of the text if they are included, but never of the
  /// digest.
  ///
  /// - Parameter files: If not nil, the files of the records are added to it.
  package func records(
    of schema: Schema, passwords: PasswordHashes = .omitted, files: inout FileIndex?,
    _ body: (Span<UInt8>) throws(DataError) -> Void = { _ throws(DataError) in }
  ) async throws(DataError) -> SchemaDigest {
    let choice = try FieldChoice(
      nil, of: schema, in: stored.catalog, expanding: Expansion(),
      by: ConditionReader(stored.catalog, now: .epoch))
    var query = choice.selected(
      by: Query(schema, versions: stored.versions(concerning: schema)))
    func makePrinter(_ columns: [RecordWriter.Column]) -> RecordPrinter {
      RecordPrinter(
        columns, of: schema, format: .ndjson, defaultFormat: .table, cardinality: .several,
        on: nil, numbers: .number)
    }
    var printer = makePrinter(choice.columns)
    var complete: RecordPrinter?
    if passwords == .included, let slot = schema.passwordSlot {
      complete = makePrinter(
        choice.columns + [RecordWriter.Column(schema.name(of: slot), .text, slot: slot)])
      query.includesPasswordHashes = true
    }
    let fileSlots = schema.isBuiltIn ? [] : TableLayout(schema).fileSlots
    var digest = SchemaDigest.Builder(of: schema)
    var text: [UInt8] = []
    var memory: Rows?
    let stream = try await reader.records(query)
    while let rows = try await stream.next(reusing: memory.take() ?? Rows(width: query.width)) {
      try monitor(rows.count)
      let chosen = isPartial && schema.isBuiltIn ? functions(in: rows) : nil
      printer.write(rows, 0..<rows.count, where: { chosen?[$0] ?? true }, to: &text)
      for row in 0..<rows.count where chosen?[row] ?? true {
        digest.add(row, of: rows)
        for slot in fileSlots where rows[row, slot].hasValue {
          try digest.add(slot, row, of: rows, to: &files)
        }
      }
      digest.update(text.span)
      if complete != nil {
        text.removeAll(keepingCapacity: true)
        complete?.write(rows, 0..<rows.count, to: &text)
      }
      try body(text.span)
      text.removeAll(keepingCapacity: true)
      memory = rows
    }
    if let damage = printer.damage { throw damage }
    return digest.finish()
  }

  /// Returns the digest of a schema.
  package func digest(of schema: Schema) async throws(DataError) -> SchemaDigest {
    var files: FileIndex?
    return try await records(of: schema, files: &files)
  }

  /// Returns, for each function in the rows, whether it uses only schemas that are walked.
  private func functions(in rows: Rows) -> [Bool] {
    (0..<rows.count).map {
      FunctionCheck.problem(of: StoredFunction(rows, $0), in: catalog) == nil
    }
  }

  /// The names of the stored functions that are left out, because they use schemas that are not
  /// walked.
  package func omittedFunctions() async throws(DataError) -> [String] {
    guard isPartial else { return [] }
    let stream = try await reader.records(
      Query(.function, versions: stored.versions(concerning: .function)))
    var names: [String] = []
    while let rows = try await stream.next(reusing: Rows(width: Schema.function.width)) {
      for (row, isKept) in functions(in: rows).enumerated() where !isKept {
        names.append(rows.text(rows[row, Schema.function.keySlot]))
      }
    }
    return names
  }

  /// Passes the content of a file to a closure, in pieces. Throws an error if the content does not
  /// have the size and the SHA-256 that the record names.
  package func content(
    of file: FileIndex.Entry, _ body: (Span<UInt8>) throws(DataError) -> Void
  ) async throws(DataError) {
    let schema = try catalog.schema(file.schema)
    let stream = try await reader.content(of: file.slot, id: file.id, in: schema)
    var digest = SHA256()
    var size: Int64 = 0
    while let piece = try await stream?.next() {
      try monitor(0)
      digest.update(piece.span)
      size += Int64(piece.count)
      try body(piece.span)
    }
    guard size == file.size, digest.hexadecimal() == file.sha256 else {
      throw DataError(
        Problem(
          .storeDamaged, "the content of the file is not what the record names",
          hint: "restore the content from a backup, or clear the field", schema: schema.name,
          id: file.id, field: schema.name(of: file.slot)))
    }
  }
}

extension Client {
  /// Returns a walk over a snapshot of the store, for administrators only.
  package func walk(
    only names: [String]? = nil, monitor: @escaping StoreWalk.Monitor = { _ in }
  ) async throws(DataError) -> StoreWalk {
    try await checkIsAdministrator("read a whole store")
    return try await StoreWalk(of: try await store.snapshot(), only: names, monitor: monitor)
  }
}

extension Catalog {
  /// Returns the catalog of the named schemas and the schemas that they need: those to which they
  /// refer, and those whose inverse relations their access rules name.
  fileprivate func closure(of names: [String]) throws(DataError) -> Catalog {
    var chosen: [Schema] = []
    func add(_ schema: Schema) {
      for found in referenced(from: schema) where !chosen.contains(where: { $0.name == found.name })
      { chosen.append(found) }
    }
    for name in names { add(try declared(name)) }
    while true {
      let partial = try Catalog(checking: chosen)
      let words = chosen.filter { AccessConditions.haveUnknownNames($0, in: partial) }
        .flatMap(\.conditions).flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
      let needed = schemas.filter { schema in
        partial[schema.name] == nil
          && (schema.kind == .user && !words.isEmpty
            || schema.fields.contains { field in
              field.type.relation?.inverse.map { words.contains(Substring($0)) } ?? false
            })
      }
      if needed.isEmpty { return partial }
      for schema in needed { add(schema) }
    }
  }

  /// Returns a schema of the store. The built-in schema of the functions is always walked, so it
  /// cannot be chosen.
  private func declared(_ name: String) throws(DataError) -> Schema {
    let schema = try schema(name)
    guard !schema.isBuiltIn else {
      throw DataError(
        Problem(
          .usage, "--only: the functions of the chosen schemas are always included",
          hint: "leave out --only \(name)", schema: name))
    }
    return schema
  }
}
