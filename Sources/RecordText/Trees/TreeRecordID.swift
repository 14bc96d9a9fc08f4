/// The schema and the id of a record in a tree. One array of bytes contains both, because two arrays
/// for each record would need more memory.
struct TreeRecordID: Hashable {
  private let bytes: [UInt8]

  /// - Parameter kind: The number of the schema among those of the tree.
  init(kind: Int, id: [UInt8]) {
    bytes = id + [UInt8(truncatingIfNeeded: kind), UInt8(truncatingIfNeeded: kind >> 8)]
  }

  /// Hashes eight bytes at once.
  func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      if index % 8 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
  }

  /// The number of the schema among those of the tree.
  var kind: Int { Int(bytes[bytes.count - 2]) | Int(bytes[bytes.count - 1]) << 8 }

  var id: String { String(decoding: bytes.dropLast(2), as: UTF8.self) }
}
