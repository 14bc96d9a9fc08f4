package import DataModel

/// A store whose tables and records can be compared with its schemas.
package protocol InspectableStore: Store {
  /// Returns what is wrong with the tables, and with the references between records, in one
  /// snapshot. Changes nothing.
  ///
  /// - Throws: An error if the store cannot be inspected. Damage is a finding, not an error.
  func inspect(_ request: InspectionRequest) async throws(DataError) -> StoreInspection

  /// Carries out repairs in one transaction.
  func repair(_ repairs: [StoreRepair], wait: WriteWait) async throws(DataError)
}

/// What to inspect in a store.
package struct InspectionRequest: Sendable {
  /// The names of the schemas to inspect; nil for the whole store.
  package var schemas: [String]?
  /// Whether also the entries of indexes and the contents of files are compared with the records.
  package var isComplete = false
  /// Whether also the permissions of files, the access rules and the administrators are inspected.
  package var concernsSecurity = false
  /// The names of tables that other programs may have created.
  package var allowedTables: Set<String> = []

  package init() {}
}

/// A change of a store that loses nothing.
package struct StoreRepair: Sendable {
  /// What the change does, such as `index item.code:unique created`.
  package let description: String
  /// The statements. They can be executed again, and have no effect then.
  package let statements: [SQL]

  package init(description: String, statements: [SQL]) {
    self.description = description
    self.statements = statements
  }
}

/// The result of an inspection.
package struct StoreInspection: Sendable {
  package internal(set) var findings: [Finding] = []
  /// The users to whom no access rules apply, if the request concerns security.
  package var administrators: [Administrator] = []
  /// The changes that solve some of the findings.
  package var repairs: [StoreRepair] = []
  /// The schemas whose records can be read, because their tables have all columns.
  package internal(set) var readableSchemas: [Schema] = []
  /// The inspected snapshot and its schemas, or nil if the schemas cannot be read.
  package var snapshot: (reader: any StoreReader, stored: StoredCatalog)?

  package init(_ findings: [Finding] = []) {
    self.findings = findings
  }

  package mutating func add(_ finding: Finding) { findings.append(finding) }

  package mutating func add(_ description: String, _ statements: [SQL]) {
    repairs.append(StoreRepair(description: description, statements: statements))
  }

  /// The maximum number of findings that are listed for a kind and a field. Further ones are
  /// counted.
  package static let maxListed = 20
}

/// A user to whom no access rules apply.
package struct Administrator: Sendable {
  package let user: String
  package let isDisabled: Bool
  /// The sessions of the user, oldest first.
  package let sessions: [Session]
}

extension StoreReader {
  /// Returns the users to whom no access rules apply, by id, with their sessions in a store.
  package func administrators(
    in schema: Schema, _ stored: StoredCatalog, sessionsIn store: any Store, at time: Timestamp
  ) async throws(DataError) -> [Administrator] {
    guard schema.rolesSlot != nil else { return [] }
    let stream = try await records(
      Query(schema, versions: stored.versions(concerning: schema), slots: schema.slotsOfRoles))
    var administrators: [Administrator] = []
    while let rows = try await stream.next(reusing: Rows(width: schema.width)) {
      for row in 0..<rows.count
      where schema.roles(in: rows, row).contains(Scope.administratorRole) {
        let user = rows.text(rows[row, schema.keySlot])
        let sessions = try await store.sessions(of: user, at: time)
        administrators.append(
          Administrator(
            user: user, isDisabled: schema.isDisabled(in: rows, row),
            sessions: sessions.values.sorted { ($0.created, $0.expires) < ($1.created, $1.expires) }
          ))
      }
    }
    return administrators
  }
}

/// A transaction that inspects the tables of a store.
package protocol InspectedTransaction: SQLTransaction, ~Copyable {
  /// Returns the tables and indexes that the store has.
  borrowing func storedTables() throws(DataError) -> StoredTables

  /// The tables that do not belong to a schema.
  var internalTables: [InternalTable] { get }

  /// Returns an expression for the size that a file reference names, or null if it is invalid.
  borrowing func fileSize(_ column: SQL) -> SQL
}

/// A table that does not belong to a schema, with the columns and indexes that it must have.
package struct InternalTable: Sendable {
  package let name: String
  package let columns: [String]
  package let indexes: [TableLayout.IndexDefinition]
  /// Whether only some stores have the table.
  package let isOptional: Bool

  package init(
    _ name: String, _ columns: [String], indexes: [TableLayout.IndexDefinition] = [],
    isOptional: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
    self.isOptional = isOptional
  }
}

/// The tables of a store, with their columns and indexes.
package struct StoredTables: Sendable {
  package struct Index: Sendable {
    /// The statement that creates the index.
    package let definition: String
    package let isValid: Bool

    package init(_ definition: String, isValid: Bool = true) {
      self.definition = definition
      self.isValid = isValid
    }
  }

  /// The names of the columns, by the name of the table.
  package var columns: [String: Set<String>] = [:]
  /// The indexes by name.
  package var indexes: [String: Index] = [:]

  package init() {}
}
