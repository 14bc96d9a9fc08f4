/// A hash table from field names to slots, which is searched by UTF-8 bytes without allocating a
/// string.
struct NameTable: Sendable {
  private var buckets: [Int16]
  private var entries: [(name: [UInt8], slot: Int)] = []
  private let mask: Int

  init(fields: [Field], properties: [(name: String, field: String)]) {
    for (slot, field) in fields.enumerated() { entries.append((Array(field.name.utf8), slot)) }
    for system in SystemField.allCases {
      entries.append((Array(system.name.utf8), fields.count + system.rawValue))
    }
    for property in properties {
      guard let slot = fields.firstIndex(where: { $0.name == property.field }) else { continue }
      entries.append((Array(property.name.utf8), slot))
    }
    for (slot, field) in fields.enumerated() {
      let property = Array(Names.property(for: field.name).utf8)
      if !entries.contains(where: { $0.name == property }) { entries.append((property, slot)) }
    }
    var size = 16
    while size < entries.count * 2 { size *= 2 }
    mask = size - 1
    buckets = Array(repeating: -1, count: size)
    for (index, entry) in entries.enumerated() {
      var bucket = Self.hash(entry.name.span) & mask
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & mask }
      buckets[bucket] = Int16(index)
    }
  }

  subscript(name: Span<UInt8>) -> Int? {
    var bucket = Self.hash(name) & mask
    while buckets[bucket] >= 0 {
      let index = Int(buckets[bucket])
      if name.isEqual(toBytes: entries[index].name) { return entries[index].slot }
      bucket = (bucket + 1) & mask
    }
    return nil
  }

  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for index in name.indices { hash = (hash ^ UInt32(name[index])) &* 16_777_619 }
    return Int(hash)
  }
}
