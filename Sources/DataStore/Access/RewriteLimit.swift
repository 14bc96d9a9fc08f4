import DataModel

/// Limits how many bytes of large records a transaction writes again.
///
/// Each change writes the whole record, and the rows of a chunk are whole records. Therefore many
/// short changes of a large record, or of a long list, would need much memory and time.
struct RewriteLimit {
  /// The maximum number of bytes that are written again.
  private static let maxSize = 64 << 20
  /// The size of a record in bytes from which on it is large.
  private static let largeSize = 4 << 10

  /// The sizes in bytes of the large records that the transaction has saved, and of the records
  /// whose lists it has edited, by schema and id.
  private var sizes: [String: [[UInt8]: Int]] = [:]
  /// The number of bytes of records that were saved again after an earlier save.
  private var rewrittenSize = 0

  /// Counts the changes in a chunk before they are saved. Throws an error if they exceed the limit.
  ///
  /// - Parameters:
  ///   - ids: The ids of the rows.
  ///   - old: The stored records by their ids.
  mutating func count(
    _ chunk: RowChanges, _ ids: [[UInt8]], over old: [[UInt8]: Rows]
  ) throws(DataError) {
    for (row, id) in ids.enumerated() {
      var (given, edited) = (0, 0)
      for slot in chunk.schema.fields.indices {
        let cell = chunk.rows[row, slot]
        given += Int(cell.length)
        if cell.operation == .edit { edited += Int(cell.length) }
      }
      let known = sizes[chunk.schema.name]?[id]
      rewrittenSize += known ?? 0
      guard rewrittenSize <= Self.maxSize else {
        throw DataError(
          Problem(
            .invalid, "too many changes of large records that were changed before",
            hint: "combine the changes of each record, or send them in several requests",
            schema: chunk.schema.name, id: String(decoding: id, as: UTF8.self),
            line: chunk.lines[row]))
      }
      let size = known.map { max($0 + edited, given) } ?? (old[id]?.arena.count ?? 0) + given
      if known != nil || edited > 0 || size > Self.largeSize {
        sizes[chunk.schema.name, default: [:]][id] = size
      }
    }
  }
}
