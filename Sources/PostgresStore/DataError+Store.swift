import DataModel
import DataStore

/// Errors about the store in a database.
extension DataError {
  /// The namespace that a store needs exists, and datactl did not create it.
  static func notAStore(_ store: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(store): has a namespace \(namespace) that datactl did not make",
      hint: "to make room for a store: alter schema \(namespace) rename to NAME, with psql")
  }

  /// A part of the store is missing.
  static func damaged(_ store: String, _ what: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): \(what), as datactl made it",
      hint: "put it back with psql, or restore the store from a copy")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): a table is not as datactl made it",
      hint: "restore the store from a copy")
  }

  /// Another tool has changed the type of a column.
  static func mistyped(_ slot: Int, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .storeDamaged, "the type of its column is not the one that datactl gave it",
        hint: "change it back with psql, or restore the store from a copy", schema: schema.name,
        field: schema.name(of: slot)))
  }

  /// A record that row level security hides has the key or a unique value of a record to be
  /// written.
  static func recordsHidden(_ store: String, _ table: String) -> DataError {
    DataError(
      .storeReadOnly,
      "\(store): row level security of the table \(table) hides records that are in the way",
      hint: "with psql, let a policy show the user all of them, or hide none from anybody")
  }

  /// Others used the tables for so long that a schema change could not get its exclusive locks.
  static func tablesInUse(_ store: String) -> DataError {
    DataError(
      .storeBusy,
      "\(store): others were reading or writing these records, and nothing was changed",
      hint: "a list that waits for its reader is one of them; --wait SECONDS waits longer")
  }
}
