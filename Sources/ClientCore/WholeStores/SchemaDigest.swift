package import DataModel

/// A summary of the records of a schema that is the same on every engine.
public struct SchemaDigest: Hashable, Sendable {
  /// The name of the schema.
  public let schema: String
  /// The number of records.
  public let records: Int
  /// The number of file fields that have a value.
  public let files: Int
  /// The number of bytes that `list` prints for the records as NDJSON, with their system fields.
  package let bytes: Int64
  /// The SHA-256 of what `datactl list` prints for the records as NDJSON, with their system fields, in
  /// hexadecimal digits. The text contains the SHA-256 of each file, but no passwords.
  public let sha256: String
  /// The time of the newest change of a record, or nil if there are no records.
  package let newestChange: Timestamp?

  /// Computes a digest chunk by chunk.
  struct Builder {
    private let schema: Schema
    private let modifiedAt: Int
    private var records = 0
    private var files = 0
    private var bytes: Int64 = 0
    private var sha256 = SHA256()
    private var newestChange = Int64.min

    init(of schema: Schema) {
      self.schema = schema
      modifiedAt = schema.slot(.modifiedAt)
    }

    /// Counts a record.
    mutating func add(_ row: Int, of rows: borrowing Rows) {
      records += 1
      newestChange = max(newestChange, rows[row, modifiedAt].integer)
    }

    /// Counts the file in a field of a record, and adds it to an index.
    mutating func add(
      _ slot: Int, _ row: Int, of rows: borrowing Rows, to index: inout FileIndex?
    ) throws(DataError) {
      files += 1
      let id = rows.text(rows[row, schema.keySlot])
      let file = rows.withBytes(of: rows[row, slot]) { FileReference(canonicalText: $0) }
      // The record could not have been printed with another value.
      guard let file else { return }
      try index?.add(
        FileIndex.Entry(
          sha256: file.sha256, size: file.size, schema: schema.name, slot: slot, id: id))
    }

    /// Adds the text of records.
    mutating func update(_ text: Span<UInt8>) {
      bytes += Int64(text.count)
      sha256.update(text)
    }

    func finish() -> SchemaDigest { finish(bytes: bytes, sha256: sha256.hexadecimal()) }

    /// Returns the digest of a text whose size and SHA-256 are known.
    func finish(bytes: Int64, sha256: String) -> SchemaDigest {
      SchemaDigest(
        schema: schema.name, records: records, files: files, bytes: bytes, sha256: sha256,
        newestChange: records > 0 ? Timestamp(microseconds: newestChange) : nil)
    }
  }
}
