import DataModel
import DataStore

/// Indexes that are made behind the rows of a load, since keeping them row by row costs much more:
/// 14.8 s instead of 2.5 for a million records with one index over two fields.
///
/// Dropping and making happen in the transaction of the load: nobody else ever misses them.
struct PostponedIndexes {
  /// From how many records on in its first batch a save is a load.
  private static let leastCount = 200

  private var indexes: [TableLayout.IndexDefinition] = []

  /// Drops the indexes of a table that is empty, but not those by which rows are judged.
  init(
    of layout: TableLayout, for request: SaveRequest, firstCount: Int,
    on connection: borrowing Connection
  ) throws(DataError) {
    guard request.commitEvery == nil, firstCount >= Self.leastCount,
      try !connection.hasRow("select 1 from \(layout.table) limit 1")
    else { return }
    for index in layout.indexes where !index.judgesRows {
      try connection.run("drop index \(name: index.name)")
      indexes.append(index)
    }
  }

  /// Makes the indexes over the rows that have come.
  func make(on connection: borrowing Connection) throws(DataError) {
    for index in indexes { try connection.run(index.making) }
  }
}
