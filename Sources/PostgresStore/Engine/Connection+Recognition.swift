import DataModel
import DataStore

/// Detection of the engine.
extension Connection {
  var engine: Engine { detectedEngine ?? .postgres }

  /// Enqueues a query that detects the engine, unless it is known: it runs before the next
  /// statement, which may depend on it.
  ///
  /// A store that was created before Citus was installed has no distributed tables, and is treated
  /// as one on PostgreSQL.
  func detectEngine() {
    guard detectedEngine == nil else { return }
    enqueue(
      """
      select 1 from pg_catalog.pg_extension where extname = 'citus' and (\(number(of: "_meta")) is null \
      or \(number(of: CitusStaging.name)) is not null)
      """
    ) { [weak self] resultSet in self?.detectedEngine = resultSet.count > 0 ? .citus : .postgres }
  }

  /// An expression for the OID of one of the store's tables; null if the table does not exist.
  func number(of table: String) -> SQL {
    "to_regclass(format('%I.%I', \(.text(namespace)), \(.text(table))))"
  }
}
