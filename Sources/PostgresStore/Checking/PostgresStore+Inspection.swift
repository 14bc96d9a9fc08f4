package import DataModel
package import DataStore

extension PostgresStore: InspectableStore {
  package func inspect(
    _ request: InspectionRequest
  ) async throws(DataError) -> StoreInspection {
    do throws(DataError) {
      return try await inspectSchemas(request)
    } catch {
      // The schemas cannot be read.
      guard error.code == .storeDamaged else { throw error }
      return StoreInspection(error.problems.map { Finding(.damagedPage, $0.message) })
    }
  }

  private func inspectSchemas(
    _ request: InspectionRequest
  ) async throws(DataError) -> StoreInspection {
    let state = try probe { (connection) throws(DataError) in
      try connection.namespaceState(coding)
    }
    switch state {
    case .worker: throw .isWorker(address)
    case .empty: throw .noStore(address)
    case .foreign: throw .notAStore(address, namespace)
    case .damaged(let part) where part.hasSuffix(" _schema is missing"):
      return StoreInspection([Finding(.missingTable, part)])
    case .store, .damaged, .wrongColumnType: break
    }
    let token = try beginReadTransaction()
    var (inspection, stored) = try withTransaction(token) { (transaction) throws(DataError) in
      let stored = try transaction.catalog()
      return (try transaction.connection.inspect(request, stored.catalog, state), stored)
    }
    inspection.snapshot = (PostgresSnapshot(transaction: token), stored)
    return inspection
  }

  package func repair(_ repairs: [StoreRepair], wait: WriteWait) async throws(DataError) {
    try await write(wait: wait, .backOff) { (connection) throws(DataError) in
      switch connection.engine {
      case .citus: connection.enqueueCitusSettings()
      case .postgres: break
      }
      try connection.enqueueUpgrade()
      for statement in repairs.flatMap(\.statements) { _ = try connection.execute(statement) }
    }
  }
}

extension Connection {
  /// Inspects the tables in the open read transaction. Statements that fail would end it, so tables
  /// that cannot be read are omitted.
  fileprivate func inspect(
    _ request: InspectionRequest, _ catalog: Catalog, _ state: NamespaceState
  ) throws(DataError) -> StoreInspection {
    var inspector = try StoreInspector(request, catalog, on: self)
    if let format, format < StoreFormat.current {
      inspector.add(
        Finding(.oldFormat, "the store has the format \(format)"),
        StoreRepair(
          description: "the store has the format \(StoreFormat.current)", statements: []))
    }
    inspector.checkTables()
    if case .wrongColumnType(let schema, let slot) = state {
      inspector.omit { $0.name == schema.name }
      inspector.add(
        Finding(
          .invalidValue, "the column of this field has an unexpected type", schema: schema.name,
          field: schema.name(of: slot)))
    }
    try checkPrivileges(&inspector)
    if try run("select 1 where current_setting('synchronous_commit', true) = 'off'").count > 0 {
      inspector.add(Finding(.synchronousCommit, "synchronous_commit is off"))
    }
    switch engine {
    case .citus: try checkPlacements(&inspector)
    case .postgres: break
    }
    try inspector.checkRecords(on: self)
    return inspector.inspection
  }

  /// Finds tables that the user cannot read or write completely.
  private func checkPrivileges(_ inspector: inout StoreInspector) throws(DataError) {
    var lacking: [(table: String, privileges: String)] = []
    try forEachRow(
      """
      select c.relname::text, string_agg(p.name, ', ' order by p.number) \
      from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace \
      cross join (values (1, 'select'), (2, 'insert'), (3, 'update'), (4, 'delete')) \
      as p(number, name) where n.nspname = \(.text(namespace)) and c.relkind in ('r', 'p') \
      and not has_table_privilege(c.oid, p.name) group by 1 order by 1
      """, [.text, .text]
    ) { lacking.append((table: $0[0].text, privileges: $0[1].text)) }
    for (table, privileges) in lacking where inspector.isOwn(table) {
      inspector.add(
        Finding(.missingPrivilege, "the table \(table) does not grant the user: \(privileges)"))
    }
    let unreadable = Set(lacking.filter { $0.privileges.hasPrefix("select") }.map(\.table))
    inspector.omit(tables: unreadable)
    if let table = try tableWithHiddenRows() {
      inspector.add(
        Finding(.missingPrivilege, "row-level security of the table \(table) hides records"))
    }
  }

  /// Finds parts of distributed tables that no active node of the cluster has.
  private func checkPlacements(_ inspector: inout StoreInspector) throws(DataError) {
    var missing: [(table: String, count: String)] = []
    try forEachRow(
      """
      select c.relname::text, count(*) from pg_catalog.pg_dist_shard as s \
      join pg_catalog.pg_class as c on c.oid = s.logicalrelid \
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace \
      where n.nspname = \(.text(namespace)) and not exists (select 1 \
      from pg_catalog.pg_dist_placement as p join pg_catalog.pg_dist_node as o \
      on o.groupid = p.groupid where p.shardid = s.shardid and o.isactive) group by 1 order by 1
      """, [.text, .integer]
    ) { missing.append((table: $0[0].text, count: $0[1].text)) }
    for (table, count) in missing {
      inspector.add(
        Finding(
          .missingPlacement, "no active node has \(count) of the shards of the table \(table)"))
    }
    inspector.omit(tables: Set(missing.map(\.table)))
  }
}

extension Connection: InspectedTransaction {
  func storedTables() throws(DataError) -> StoredTables {
    var tables = StoredTables()
    try forEachRow(
      """
      select c.relname::text, a.attname::text from pg_catalog.pg_class as c \
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace \
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid \
      where n.nspname = \(.text(namespace)) and c.relkind in ('r', 'p', 'f') and a.attnum > 0 \
      and not a.attisdropped
      """, [.text, .text]
    ) { tables.columns[$0[0].text, default: []].insert($0[1].text) }
    try forEachRow(
      """
      select c.relname::text, pg_catalog.pg_get_indexdef(c.oid), i.indisvalid and i.indisready \
      from pg_catalog.pg_index as i join pg_catalog.pg_class as c on c.oid = i.indexrelid \
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace \
      where n.nspname = \(.text(namespace))
      """, [.text, .text, .boolean]
    ) {
      tables.indexes[$0[0].text] = StoredTables.Index($0[1].text, isValid: $0[2] == .boolean(true))
    }
    return tables
  }

  var internalTables: [InternalTable] { InternalTables.layout(on: engine) }

  func fileSize(_ column: SQL) -> SQL {
    "substring(\(column) from '\"size\":([0-9]{1,18})')::bigint"
  }
}
