import DataModel
import DataStore

/// What is wrong with the store in a database, or stands in its way.
extension DataError {
  /// Somebody else has the name that a store needs.
  static func notAStore(_ store: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(store): the namespace \(namespace) was not made by datactl",
      hint: "to use the name for a store: alter schema \(namespace) rename to NAME, with psql")
  }

  /// A part of the store is not there.
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

  /// Somebody has given a column another type.
  static func mistyped(_ slot: Int, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .storeDamaged, "its column has an unexpected type",
        hint: "change it back with psql, or restore the store from a backup", schema: schema.name,
        field: schema.name(of: slot)))
  }

  /// A record that is not seen has the key or the value of one that is to be written.
  static func recordsHidden(_ store: String, _ table: String) -> DataError {
    DataError(
      .storeReadOnly,
      "\(store): row-level security of the table \(table) hides conflicting records",
      hint: "with psql, make all records visible to the user, or disable row-level security")
  }

  /// Others have read or written all the time what a change of schemas needs for itself alone.
  static func tablesInUse(_ store: String) -> DataError {
    DataError(
      .storeBusy,
      "\(store): other commands were using these records; nothing was changed",
      hint: "a list whose output is not read is one of them; pass --wait SECONDS to wait longer")
  }
}
