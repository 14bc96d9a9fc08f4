import DataModel
import DataStore

/// Which engine answers.
extension Connection {
  var engine: Engine { recognised ?? .postgres }

  /// Asks which engine answers, unless it is known, together with the next statement: so that it is
  /// known before the first that depends on it.
  ///
  /// A store that was made before its database had Citus is none that lies spread, and goes on as it
  /// is.
  func recognise() {
    guard recognised == nil else { return }
    later(
      """
      select 1 from pg_catalog.pg_extension where extname = 'citus' and (\(number(of: "_meta")) is null \
      or \(number(of: Staging.name)) is not null)
      """
    ) { [weak self] answer in self?.recognised = answer.count > 0 ? .citus : .postgres }
  }

  /// The number that the server has for a table of the store; null if it is not there.
  func number(of table: String) -> SQL {
    "to_regclass(format('%I.%I', \(.text(namespace)), \(.text(table))))"
  }
}
