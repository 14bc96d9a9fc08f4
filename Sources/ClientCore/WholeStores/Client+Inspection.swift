import Conditions
package import DataModel
package import DataStore
import RecordText

extension Client {
  /// Returns what is wrong with the store: damage, missing tables and indexes, invalid values,
  /// references to records that do not exist. Changes nothing.
  ///
  /// ```swift
  /// for finding in try await client.inspect() {
  ///   print(finding.code.rawValue, finding.schema ?? "", finding.id ?? "", finding.message)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schemas: The schemas to inspect; nil for the whole store.
  ///   - isComplete: Whether the entries of indexes and the contents of files are also compared with
  ///     the records, which takes longer.
  ///   - concernsSecurity: Whether also the permissions of the files, the access rules and the saved
  ///     sessions are inspected.
  ///   - tables: The names of tables that other programs may have created in the store.
  /// - Returns: The findings; empty if nothing is wrong. Of each kind and field, at most 20 are
  ///   listed, and a further one says how many there are.
  /// - Throws: A ``DataError`` if the store cannot be inspected, if it is on a server, or if the
  ///   caller is not an administrator.
  public func inspect(
    _ schemas: [String]? = nil, completely isComplete: Bool = false,
    security concernsSecurity: Bool = false, allowing tables: Set<String> = []
  ) async throws -> [Finding] {
    var request = InspectionRequest()
    request.schemas = schemas
    request.isComplete = isComplete
    request.concernsSecurity = concernsSecurity
    request.allowedTables = tables
    return try await inspect(request).findings
  }

  /// Inspects the tables and the records of the store.
  package func inspect(
    _ request: InspectionRequest, monitor: @escaping StoreWalk.Monitor = { _ in }
  ) async throws(DataError) -> StoreInspection {
    let store = try await inspectableStore()
    // Its tables have not all indexes yet. If it is damaged, the inspection says so.
    if let mark = try? await store.copyMark() {
      return StoreInspection([
        Finding(.unfinishedCopy, "the store is an unfinished copy of \(mark.source)")
      ])
    }
    var inspection = try await store.inspect(request)
    if request.concernsSecurity, let finding = credentialsFinding { inspection.add(finding) }
    guard let (reader, stored) = inspection.snapshot.take() else { return inspection }
    try await reader.prepare(toRead: inspection.readableSchemas)
    for schema in inspection.readableSchemas {
      var check = RecordCheck(of: schema, isComplete: request.isComplete)
      do throws(DataError) {
        try await check.read(reader, stored, monitor)
      } catch {
        guard error.code == .storeDamaged else { throw error }
        check.findings.add(Finding(.damagedPage, error.problems[0].message, schema: schema.name))
      }
      for finding in check.findings.all
      where !inspection.findings.contains(where: { $0.isSame(as: finding) }) {
        inspection.add(finding)
      }
      if request.concernsSecurity {
        for finding in AccessLint.findings(in: DeclaredSchema(schema), nil)
        where finding.rule == .writeByAnyone {
          inspection.add(Finding(.openRule, finding.message, schema: schema.name))
        }
        // Damage has been found while the records were read.
        if schema.kind == .user, !check.findings.all.contains(where: { $0.code == .damagedPage }) {
          inspection.administrators = try await reader.administrators(
            in: schema, stored, sessionsIn: store, at: environment.now())
        }
      }
    }
    return inspection
  }

  /// The reason for which the saved sessions are not used, or nil if they are private.
  private var credentialsFinding: Finding? {
    do throws(DataError) {
      _ = try Credentials.read(in: environment)
      return nil
    } catch {
      let problem = error.problems[0]
      return Finding(
        .credentials, [problem.file, problem.message].compactMap(\.self).joined(separator: ": "))
    }
  }

  /// Carries out the repairs that an inspection has found.
  package func repair(
    _ inspection: StoreInspection, wait: WriteWait = WriteWait()
  ) async throws(DataError) {
    try await inspectableStore().repair(inspection.repairs, wait: wait)
  }

  private func inspectableStore() async throws(DataError) -> any InspectableStore {
    try await checkIsAdministrator("inspect a whole store")
    // A store on a server has an error of its own.
    if engineStore == nil { _ = try store }
    guard let store = engineStore as? any InspectableStore else {
      throw DataError(.usage, "this store cannot be inspected: \(address)")
    }
    return store
  }
}

extension Finding {
  /// Whether both are of the same kind, and concern the same field of the same record.
  fileprivate func isSame(as other: Finding) -> Bool {
    (code, schema, id, field) == (other.code, other.schema, other.id, other.field) && id != nil
  }
}

/// Reads the records of a schema, and finds invalid values and contents.
private struct RecordCheck {
  let schema: Schema
  private var values: StoredValueCheck
  private var rules: StoredRuleCheck
  private let fileSlots: [Int]
  private var files: FileIndex?
  var findings = CountedFindings()

  init(of schema: Schema, isComplete: Bool) {
    self.schema = schema
    rules = StoredRuleCheck(of: schema)
    values = StoredValueCheck(
      rules.selectedSlots.map { slot in
        RecordWriter.Column(schema.name(of: slot), schema.type(of: slot), slot: slot)
      })
    fileSlots = isComplete && !schema.isBuiltIn ? TableLayout(schema).fileSlots : []
    files = fileSlots.isEmpty ? nil : FileIndex()
  }

  mutating func read(
    _ reader: any StoreReader, _ stored: StoredCatalog, _ monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) {
    let stream = try await reader.records(
      Query(
        schema, versions: stored.versions(concerning: schema), slots: rules.selectedSlots))
    var memory: Rows?
    while let rows = try await stream.next(reusing: memory.take() ?? Rows(width: schema.width)) {
      try monitor(rows.count)
      for row in 0..<rows.count { try check(row, of: rows) }
      memory = rows
    }
    var contents = try files.take()?.reader()
    guard contents != nil else { return }
    let walk = try await StoreWalk(of: reader, monitor: monitor)
    while let group = try contents?.next() {
      for file in group {
        do throws(DataError) {
          try await walk.content(of: file) { _ throws(DataError) in }
        } catch {
          guard error.code == .storeDamaged else { throw error }
          findings.add(
            Finding(
              .lostContent, "the content of the file is not what the record names",
              schema: schema.name, id: file.id, field: schema.name(of: file.slot)))
        }
      }
    }
  }

  private mutating func check(_ row: Int, of rows: borrowing Rows) throws(DataError) {
    if let slot = values.invalidSlot(in: rows, row) {
      return findings.add(
        Finding(
          .invalidValue, "the stored value is invalid", schema: schema.name,
          id: rows.text(rows[row, schema.keySlot]), field: schema.name(of: slot)))
    }
    for finding in rules.findings(in: rows, row) { findings.add(finding) }
    for slot in fileSlots where rows[row, slot].hasValue {
      let file = rows.withBytes(of: rows[row, slot]) { FileReference(canonicalText: $0) }
      guard let file else { continue }
      try files?.add(
        FileIndex.Entry(
          sha256: file.sha256, size: file.size, schema: schema.name, slot: slot,
          id: rows.text(rows[row, schema.keySlot])))
    }
  }
}

/// The findings of a schema: the first ones of each kind and field, and the number of further ones.
private struct CountedFindings {
  private struct Key: Hashable {
    let code: Finding.Code
    let field: String?
  }

  private var listed: [Finding] = []
  private var counts: [Key: Int] = [:]

  mutating func add(_ finding: Finding) {
    let key = Key(code: finding.code, field: finding.field)
    counts[key, default: 0] += 1
    if counts[key, default: 0] <= StoreInspection.maxListed { listed.append(finding) }
  }

  /// The findings in the order of the schema's records, each field followed by the number of its
  /// further findings.
  var all: [Finding] {
    listed
      + counts.compactMap { key, count in
        let first = listed.first { Key(code: $0.code, field: $0.field) == key }
        let further = count - StoreInspection.maxListed
        return further > 0 ? first?.further(further) : nil
      }.sorted { ($0.code.rawValue, $0.field ?? "") < ($1.code.rawValue, $1.field ?? "") }
  }
}
