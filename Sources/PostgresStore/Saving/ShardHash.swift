import DataModel

/// Computes in which shard Citus stores a row of a table that is distributed by id.
///
/// It is used to divide a long list of ids into one statement for each shard. Without it, Citus
/// would send the statement with all ids to each shard that contains one of them.
///
/// If an administrator has split shards, the result may be wrong. This affects only the speed: each
/// statement still finds all of its rows, but in several shards.
package struct ShardHash: Sendable {
  /// The number of shards. Each shard has an equal part of the range of hashes.
  let count: Int

  /// Returns the index of the shard that stores the record with an id, from 0 to `count - 1`.
  func shard(of id: Span<UInt8>) -> Int {
    // The first shard has the lowest hashes, as signed integers.
    let hash = Self.hash(id) ^ 0x8000_0000
    return min(Int(hash) / ((1 << 32) / max(count, 1)), count - 1)
  }

  /// Returns the hash that PostgreSQL computes for a text with the collation "C". PostgreSQL's
  /// function is `hash_bytes`, which is `lookup3` by Bob Jenkins.
  package static func hash(_ bytes: Span<UInt8>) -> UInt32 {
    let initial = 0x9E37_79B9 &+ UInt32(truncatingIfNeeded: bytes.count) &+ 3_923_095
    var (a, b, c) = (initial, initial, initial)
    var start = 0
    while bytes.count - start >= 12 {
      a &+= word(bytes, start, 4)
      b &+= word(bytes, start + 4, 4)
      c &+= word(bytes, start + 8, 4)
      mix(&a, &b, &c)
      start += 12
    }
    let rest = bytes.count - start
    a &+= word(bytes, start, min(rest, 4))
    b &+= word(bytes, start + 4, min(max(rest - 4, 0), 4))
    // The lowest byte of `c` contains the length.
    c &+= word(bytes, start + 8, max(rest - 8, 0)) << 8
    finish(&a, &b, &c)
    return c
  }

  /// Returns up to four bytes as a number in little-endian order.
  private static func word(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt32 {
    var word: UInt32 = 0
    for index in 0..<count { word |= UInt32(bytes[start + index]) << (8 * UInt32(index)) }
    return word
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func mix(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
    (a, c) = ((a &- c) ^ rotated(c, 4), c &+ b)
    (b, a) = ((b &- a) ^ rotated(a, 6), a &+ c)
    (c, b) = ((c &- b) ^ rotated(b, 8), b &+ a)
    (a, c) = ((a &- c) ^ rotated(c, 16), c &+ b)
    (b, a) = ((b &- a) ^ rotated(a, 19), a &+ c)
    (c, b) = ((c &- b) ^ rotated(b, 4), b &+ a)
  }

  private static func finish(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
    c = (c ^ b) &- rotated(b, 14)
    a = (a ^ c) &- rotated(c, 11)
    b = (b ^ a) &- rotated(a, 25)
    c = (c ^ b) &- rotated(b, 16)
    a = (a ^ c) &- rotated(c, 4)
    b = (b ^ a) &- rotated(a, 14)
    c = (c ^ b) &- rotated(b, 24)
  }
}

extension Connection {
  /// Groups elements by the shards of their ids, so that there can be one statement for each shard.
  /// On engines other than Citus, returns a single group.
  func grouped<Element>(
    _ elements: [Element], byShardOf hash: (ShardHash, Element) -> Int
  ) -> [[Element]] {
    guard let shardHash, elements.count > 1 else { return elements.isEmpty ? [] : [elements] }
    var groups = [[Element]](repeating: [], count: shardHash.count)
    for element in elements { groups[hash(shardHash, element)].append(element) }
    return groups.filter { !$0.isEmpty }
  }

  /// Groups text values, such as ids, by shard. The values must belong to the distribution column
  /// of a table.
  func grouped(byShard texts: [Value]) -> [[Value]] {
    grouped(texts) { shardHash, text in
      if case .text(let text) = text { shardHash.shard(of: text.utf8.span) } else { 0 }
    }
  }

  /// Groups rows of a chunk by shard. The value in the given slot determines the shard of a row.
  func grouped(_ rows: [Int], of chunk: Rows, byShardOf slot: Int) -> [[Int]] {
    grouped(rows) { shardHash, row in
      chunk.withBytes(of: chunk[row, slot]) { shardHash.shard(of: $0) }
    }
  }
}
