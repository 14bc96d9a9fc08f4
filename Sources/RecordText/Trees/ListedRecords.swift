import DataModel

/// The records in the lists of inverses that were read so far: the owners of owned lists, and their
/// parts. Only hashes are kept, because the input can be long.
struct ListedRecords: Sendable {
  enum Role: Hashable, Sendable {
    case owner
    case part
  }

  private var hashes: Set<Int> = []
  /// The hashes of the most recent tree.
  private var hashesOfTree: [Int] = []

  /// Adds a record. Returns false if it has been added in the same role before.
  mutating func insert(_ id: TreeRecordID, as role: Role) -> Bool {
    var hasher = Hasher()
    hasher.combine(role)
    hasher.combine(id)
    let hash = hasher.finalize()
    guard hashes.insert(hash).inserted else { return false }
    hashesOfTree.append(hash)
    return true
  }

  mutating func beginTree() { hashesOfTree.removeAll(keepingCapacity: true) }

  /// Removes the records of the most recent tree.
  mutating func discardTree() { hashes.subtract(hashesOfTree) }
}
