import DataModel
import DataStore

/// The whole state of a memory store as one value. A transaction changes a copy, and its commit
/// replaces the state of the store with the copy.
struct MemoryState: Sendable {
  var catalog = Catalog()
  var version: Int64 = 0
  /// For each schema, the catalog version that its most recent change created.
  var schemaVersions: [SchemaVersions.Entry] = []
  /// The schemas and their records, keyed by schema name.
  var tables = [Schema.function.name: MemoryTable(schema: .function)]
  /// The sessions, keyed by the SHA-256 of their tokens.
  var sessions: [[UInt8]: Session] = [:]
  /// For each combination of user name and client address with recent wrong passwords, the time
  /// from which these passwords no longer count. The keys are `PasswordCheck.throttleKey`.
  var throttles: [[UInt8]: Timestamp] = [:]
  /// The applied plans, oldest first.
  var log: [AppliedPlan] = []

  /// The catalog with the versions of its schemas.
  var stored: StoredCatalog {
    StoredCatalog(catalog, version: version, schemaVersions: schemaVersions)
  }

  /// Throws `schemaChanged` if the schema differs from the one in the store, or if one of the given
  /// versions is no longer current.
  func checkIsCurrent(
    _ schema: Schema, validatedAgainst versions: SchemaVersions? = nil
  ) throws(DataError) {
    guard tables[schema.name]?.schema == schema else { throw .schemaChanged }
    if let versions { try stored.check(versions, of: [schema]) }
  }

  /// Returns the row of a record, or nil if the record does not exist.
  func row(in schema: String, id: [UInt8]) -> Rows? {
    tables[schema]?.records[id]?.row
  }

  /// Returns whether the schema has a record with the given id.
  func hasRecord(_ id: [UInt8], in schema: String) -> Bool {
    tables[schema]?.records[id] != nil
  }
}

/// A schema with its records, keyed by the UTF-8 bytes of their ids.
struct MemoryTable: Sendable {
  var schema: Schema
  var records: [[UInt8]: MemoryRecord] = [:]

  /// The records, sorted by id.
  var sorted: [(id: [UInt8], record: MemoryRecord)] {
    records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      (id: $0.key, record: $0.value)
    }
  }
}

/// A record as a single row, and the contents of its files by field name.
struct MemoryRecord: Sendable {
  var row: Rows
  var files: [String: [UInt8]] = [:]
}

extension MemoryState {
  /// A relation field of a saved record. Its references are checked before the commit.
  struct Reference: Hashable {
    var schema: String
    var id: [UInt8]
    var slot: Int
  }

  /// Saves one row of a chunk, and returns its outcome. Adds the relation fields of the row to
  /// `written`, so that their references are checked before the commit.
  mutating func save(
    _ row: Int, of chunk: inout RowChanges, by policy: SavePolicy, _ request: WriteRequest,
    written: inout [Reference: Int]
  ) throws(DataError) -> Outcome {
    let schema = chunk.schema
    let id = chunk.rows.bytes(chunk.rows[row, schema.keySlot])
    let old = tables[schema.name]?.records[id]
    let outcome = chunk.resolve(row, over: old?.row, by: policy, stamp: request.stamp)
    let changed: [Int]
    switch outcome {
    case .created: changed = Array(schema.fields.indices)
    case .changed(let slots): changed = slots
    case .same, .refused: return outcome
    }
    var record = MemoryRecord(row: Rows(width: schema.width))
    record.row.append(row, of: chunk.rows, slots: Array(0..<schema.width))
    keepPassword(of: old, in: &record, schema)
    var problems = collisions(of: id, record.row, in: changed, of: schema, line: chunk.lines[row])
    problems += try storeFiles(row, of: chunk, over: old, into: &record)
    let references = changed.filter { schema.fields[$0].type.relation != nil }
    if !request.allowsForwardReferences {
      for slot in references {
        problems += dangling(
          slot, of: record.row, id: id, in: schema, line: chunk.lines[row], isSaved: false)
      }
    }
    guard problems.isEmpty else { return .refused(problems) }
    for slot in references {
      written[Reference(schema: schema.name, id: id, slot: slot)] = chunk.lines[row]
    }
    tables[schema.name]?.records[id] = record
    if let slot = schema.passwordSlot, changed.contains(slot) {
      endSessions(of: id, except: request.keptSession)
    }
    if chunk.disables(row, changing: changed) { endSessions(of: id) }
    return outcome
  }

  /// Returns a problem for each dangling reference in the given relation fields, sorted by input
  /// line.
  ///
  /// - Parameter written: The relation fields of the saved records, each with the input line of its
  ///   record.
  func dangling(among written: [Reference: Int]) -> [Problem] {
    let inOrder = written.sorted { ($0.value, $0.key.slot) < ($1.value, $1.key.slot) }
    return inOrder.flatMap { reference, line in
      guard let table = tables[reference.schema], let record = table.records[reference.id] else {
        return [Problem]()
      }
      return dangling(
        reference.slot, of: record.row, id: reference.id, in: table.schema, line: line,
        isSaved: true)
    }
  }

  /// Returns a problem for each dangling reference in a relation field.
  ///
  /// - Parameter isSaved: Whether the record is already in its table. If it is not, a reference to
  ///   the record itself is not a problem.
  private func dangling(
    _ slot: Int, of row: Rows, id: [UInt8], in schema: Schema, line: Int, isSaved: Bool
  ) -> [Problem] {
    guard let relation = schema.fields[slot].type.relation else { return [] }
    let targets = row.targets(row[0, slot], of: relation)
    return targets.filter { target in
      let isItself = !isSaved && relation.target == schema.name && target == id
      return !isItself && !hasRecord(target, in: relation.target)
    }.map { target in
      .danglingReference(
        to: String(decoding: target, as: UTF8.self), slot: slot, of: schema,
        id: String(decoding: id, as: UTF8.self), line: line)
    }
  }

  /// Returns a problem for each value of a unique field that another record already has. Nulls are
  /// not duplicates.
  private func collisions(
    of id: [UInt8], _ row: Rows, in slots: [Int], of schema: Schema, line: Int
  ) -> [Problem] {
    slots.filter { schema.fields[$0].isUnique && row[0, $0].hasValue }.compactMap { slot in
      let value = row.value(row[0, slot], of: schema.type(of: slot))
      let holder = tables[schema.name]?.records.first { other, record in
        other != id && record.row.value(record.row[0, slot], of: schema.type(of: slot)) == value
      }
      return holder.map { other, _ in
        .notUnique(
          value, slot: slot, of: schema, id: String(decoding: id, as: UTF8.self),
          holder: String(decoding: other, as: UTF8.self), line: line)
      }
    }
  }

  /// Returns the session whose token has the given hash, if it is valid at the given time.
  func session(_ tokenHash: [UInt8], at time: Timestamp) -> Session? {
    sessions[tokenHash].flatMap { $0.expires > time ? $0 : nil }
  }

  /// Ends the sessions of the user with the given id, except the one whose token has the hash
  /// `kept`.
  mutating func endSessions(of user: [UInt8], except kept: [UInt8]? = nil) {
    sessions = sessions.filter { $0.key == kept || Array($0.value.user.utf8) != user }
  }

  /// Copies the stored password into a changed record, if the change does not set a password.
  private func keepPassword(
    of old: MemoryRecord?, in record: inout MemoryRecord, _ schema: Schema
  ) {
    guard let slot = schema.passwordSlot, record.row[0, slot].kind == .missing, let old else {
      return
    }
    record.row[0, slot] = record.row.copy(old.row[0, slot], of: old.row)
  }

  /// Stores the file contents that the chunk provides for a row. The other file fields keep their
  /// contents. Returns a problem for each file whose content does not match its `FileReference`.
  private func storeFiles(
    _ row: Int, of chunk: RowChanges, over old: MemoryRecord?, into record: inout MemoryRecord
  ) throws(DataError) -> [Problem] {
    let schema = chunk.schema
    for slot in schema.fields.indices where record.row[0, slot].hasValue {
      record.files[schema.name(of: slot)] = old?.files[schema.name(of: slot)]
    }
    var problems: [Problem] = []
    for content in chunk.contents where content.row == row {
      guard
        case .file(let expected) = record.row.value(record.row[0, content.slot], of: .file)
      else { continue }
      let bytes = try content.source.read()
      var digest = SHA256()
      digest.update(bytes.span)
      let sha256 = digest.hexadecimal()
      guard Int64(bytes.count) == expected.size, sha256 == expected.sha256 else {
        problems.append(
          .contentMismatch(
            expected: expected, size: Int64(bytes.count), sha256: sha256, slot: content.slot,
            of: schema, id: chunk.rows.text(chunk.rows[row, schema.keySlot]),
            line: chunk.lines[row]))
        continue
      }
      record.files[schema.name(of: content.slot)] = bytes
    }
    return problems
  }
}

extension FileContent {
  /// Reads the whole content into memory, and returns it.
  fileprivate func read() throws(DataError) -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .stream(let open):
      let next = try open()
      var bytes: [UInt8] = []
      while let piece = try next() { bytes += piece }
      return bytes
    }
  }
}
