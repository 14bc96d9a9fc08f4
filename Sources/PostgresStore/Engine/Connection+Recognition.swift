import DataModel
import DataStore

/// Which engine answers.
extension Connection {
  var engine: Engine { recognised ?? .postgres }

  /// Asks which engine answers, before the first statement that depends on it.
  func recognise() throws(DataError) {
    if recognised == nil { _ = try runTogether([recognition]) }
  }

  /// The question which engine answers, unless it said so by itself. A store that was made before its
  /// database had Citus is none that lies spread, and goes on as it is.
  var recognition: Postponed {
    let statement: SQL = """
      select 1 from pg_catalog.pg_extension where extname = 'citus' and (\(isThere("_meta")) is null \
      or \(isThere(Staging.name)) is not null)
      """
    return Postponed(statement: RenderedSQL(statement, in: namespace)) { [weak self] answer in
      self?.recognised = answer.count > 0 ? .citus : .postgres
    }
  }

  private func isThere(_ table: String) -> SQL {
    "to_regclass(format('%I.%I', \(.text(namespace)), \(.text(table))))"
  }
}
