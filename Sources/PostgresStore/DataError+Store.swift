import DataModel
import DataStore

/// Errors about the store in a database.
extension DataError {
  /// The namespace that a store needs exists, and datactl did not create it.
  static func notAStore(_ store: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(store): the namespace \(namespace) was not made by datactl",
      hint: "to use the name for a store: alter schema \(namespace) rename to NAME, with psql")
  }

  /// A part of the store is missing.
  static func damaged(_ store: String, _ what: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): damaged: \(what)",
      hint: "restore it with psql, or restore the store from a backup")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): a table has an unexpected structure",
      hint: "restore the store from a backup")
  }

  /// Another tool has changed the type of a column.
  static func wrongColumnType(_ slot: Int, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .storeDamaged, "its column has an unexpected type",
        hint: "change it back with psql, or restore the store from a backup", schema: schema.name,
        field: schema.name(of: slot)))
  }

  /// A record that row level security hides has the key or a unique value of a record to be
  /// written.
  static func recordsHidden(_ store: String, _ table: String) -> DataError {
    DataError(
      .storeReadOnly,
      "\(store): row-level security of the table \(table) hides conflicting records",
      hint: "with psql, make all records visible to the user, or disable row-level security")
  }

  /// Others used the tables for so long that a schema change could not get its exclusive locks.
  static func tablesInUse(_ store: String) -> DataError {
    DataError(
      .storeBusy,
      "\(store): other commands were using these records; nothing was changed",
      hint: "a list whose output is not read is one of them; pass --wait SECONDS to wait longer")
  }
}
