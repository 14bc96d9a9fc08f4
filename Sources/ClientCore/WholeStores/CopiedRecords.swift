import DataModel
import DataStore
import RecordText

/// Compares the records of a schema with those that an interrupted copy has written, both in the
/// order of their ids.
///
/// The copied records that have another revision or another time, and those that no longer exist,
/// are deleted before the first record is saved: two records can have exchanged their unique values.
/// Until then, the text of the changed records is kept, a little in memory and much in a temporary
/// file.
struct CopiedRecords {
  /// What must happen before the comparison can continue.
  enum Step {
    /// The next copied records are read, and passed to `receive`.
    case read(Query)
    case delete([String])
    /// The next records of the original are passed to `compare`.
    case nextChunk
    /// The comparison has ended. The text of the changed records is saved, and then the rest of the
    /// original.
    case save(SpooledText)
  }

  private struct Copied {
    let id: String
    let version: Version
  }

  /// What changes whenever a record changes, or is deleted and created again.
  private struct Version: Equatable {
    let revision: Int64
    let createdAt: Int64
    let modifiedAt: Int64

    init(_ row: Int, of rows: borrowing Rows, _ schema: Schema) {
      revision = rows[row, schema.slot(.revision)].integer
      createdAt = rows[row, schema.slot(.createdAt)].integer
      modifiedAt = rows[row, schema.slot(.modifiedAt)].integer
    }
  }

  /// The number of copied records that are read at once.
  private static let pageSize = 5_000

  private let schema: Schema
  /// Whether all records are saved again, because the copy is damaged.
  private let replacesAll: Bool
  private var copied: [Copied] = []
  private var index = 0
  private var lastID: String?
  /// Whether there may be further copied records after those in `copied`.
  private var hasMore = true
  private var chunk: RowChanges?
  private var row = 0
  private var originalHasEnded = false
  private var deleted: [String] = []
  private var changed = SpooledText()

  init(of schema: Schema, replacesAll: Bool) {
    self.schema = schema
    self.replacesAll = replacesAll
  }

  /// Adds the result of the query of a step.
  mutating func receive(_ pages: [Rows]) {
    copied.removeAll(keepingCapacity: true)
    index = 0
    for rows in pages {
      for row in 0..<rows.count {
        copied.append(
          Copied(
            id: rows.text(rows[row, schema.keySlot]), version: Version(row, of: rows, schema)))
      }
    }
    hasMore = copied.count == Self.pageSize
    lastID = copied.last?.id
  }

  /// Adds the next records of the original, or nil after the last ones.
  mutating func compare(_ chunk: RowChanges?) {
    self.chunk = chunk
    row = 0
    originalHasEnded = chunk == nil
  }

  mutating func next() throws(DataError) -> Step {
    while true {
      let isAtEnd = index == copied.count && !hasMore
      if deleted.count >= IDList.chunkSize || isAtEnd && !deleted.isEmpty {
        defer { deleted = [] }
        return .delete(deleted)
      }
      if isAtEnd {
        while let chunk, row < chunk.count { try keep(chunk) }
        return .save(changed)
      }
      if index == copied.count {
        return .read(
          Query(
            schema, bound: lastID.map { .after(Query.Cursor([.text($0)])) }, limit: Self.pageSize,
            slots: [schema.keySlot]
              + [SystemField.revision, .createdAt, .modifiedAt].map { schema.slot($0) }))
      }
      if originalHasEnded {
        deleted += copied[index...].map(\.id)
        index = copied.count
      } else if let chunk, row < chunk.count {
        try compareRow(of: chunk)
      } else {
        return .nextChunk
      }
    }
  }

  private mutating func compareRow(of chunk: RowChanges) throws(DataError) {
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot]).utf8
    let other = copied[index]
    if other.id.utf8.elementsEqual(id) {
      index += 1
      if !replacesAll, other.version == Version(row, of: chunk.rows, schema) {
        row += 1
        return
      }
      deleted.append(other.id)
    } else if other.id.utf8.lexicographicallyPrecedes(id) {
      index += 1
      deleted.append(other.id)
      return
    }
    try keep(chunk)
  }

  /// Keeps the text of the current record, which is saved later.
  private mutating func keep(_ chunk: RowChanges) throws(DataError) {
    try changed.append(chunk.rows.input[chunk.inputRanges[row]] + [UInt8(ascii: "\n")])
    row += 1
  }
}
