import DataModel
import DataOutput
import DataStore
import JSONText
import Platform

/// The ids of the records that a save has read. They are collected in memory, and moved to a
/// temporary file whenever they take more than 1 MB.
struct SavedIDs: Sendable {
  private static let memoryLimit = 1 << 20

  /// The ids that have not been written to the temporary file. Each is followed by a line feed,
  /// which no id contains.
  private var memory: [UInt8] = []
  private var file: AnonymousTempFile?
  private var fileSize = 0

  /// Adds the ids of the rows of a chunk.
  mutating func add(_ chunk: borrowing RowChanges) throws(DataError) {
    let key = chunk.schema.keySlot
    for row in 0..<chunk.count {
      chunk.rows.withBytes(of: chunk.rows[row, key]) { memory.append(copying: $0) }
      memory.append(Self.end)
    }
    try limitMemory()
  }

  mutating func add(_ ids: [String]) throws(DataError) {
    for id in ids { memory += Array(id.utf8) + [Self.end] }
    try limitMemory()
  }

  private mutating func limitMemory() throws(DataError) {
    guard memory.count > Self.memoryLimit else { return }
    if file == nil { file = try AnonymousTempFile() }
    try file?.write(memory.span)
    fileSize += memory.count
    memory.removeAll(keepingCapacity: true)
  }

  var list: IDList { IDList { [self] in reader() } }

  private func reader() -> IDList.Reader {
    var bytes: [UInt8] = []
    var offset = 0
    return { () throws(DataError) in
      var ids: [String] = []
      var start = 0
      while ids.count < IDList.chunkSize {
        if let end = bytes[start...].firstIndex(of: Self.end) {
          ids.append(String(decoding: bytes[start..<end], as: UTF8.self))
          start = end + 1
        } else {
          guard try read(into: &bytes, at: &offset) else { break }
        }
      }
      bytes.removeFirst(start)
      return ids.isEmpty ? nil : ids
    }
  }

  /// Appends the next bytes to a buffer. Returns false if there are no more bytes.
  private func read(into bytes: inout [UInt8], at offset: inout Int) throws(DataError) -> Bool {
    if let file, offset < fileSize {
      offset += try file.read(at: offset, into: &bytes, atMost: 64 << 10)
      return true
    }
    guard offset < fileSize + memory.count else { return false }
    bytes += memory
    offset += memory.count
    return true
  }

  private static let end = UInt8(ascii: "\n")
}
