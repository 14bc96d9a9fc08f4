/// How the texts of the records in a document are kept, so that rejected records can be written to
/// a file.
package enum TextKeeping: Sendable {
  /// Each text is a document that contains a single record: the unchanged text of the record,
  /// inside the objects that enclose the records in the original document.
  case original
  /// Each text is the result of a closure that serializes the value of a record. The closure
  /// returns nil if it cannot serialize the value.
  case serialized(@Sendable (ForeignValue) -> [UInt8]?)
}

/// The texts of the most recent records, by record number. The total size is limited, so that the
/// texts of a long document need little memory.
struct KeptTexts: Sendable {
  private static let maxSize = 64 << 20

  private var texts: [Int: [UInt8]] = [:]
  /// The number of the first record whose text is kept. The texts of earlier records were removed
  /// to save memory.
  private var first = 1
  private var size = 0

  subscript(record: Int) -> [UInt8]? { texts[record] }

  /// Adds the text of a record. Records must be added in the order of their numbers.
  mutating func add(_ text: [UInt8], of record: Int) {
    texts[record] = text
    size += text.count
    while size > Self.maxSize, first < record {
      size -= texts.removeValue(forKey: first)?.count ?? 0
      first += 1
    }
  }
}
