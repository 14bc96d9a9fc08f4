package import DataModel
import DataOutput
import JSONText
import Platform

/// The files of a store, sorted by their SHA-256. Few entries are kept in memory, and many in a
/// temporary file, as sorted runs that `reader` merges.
package struct FileIndex: Sendable {
  /// A file in a field of a record.
  package struct Entry: Hashable, Sendable {
    package let sha256: String
    package let size: Int64
    package let schema: String
    package let slot: Int
    package let id: String

    package init(sha256: String, size: Int64, schema: String, slot: Int, id: String) {
      self.sha256 = sha256
      self.size = size
      self.schema = schema
      self.slot = slot
      self.id = id
    }
  }

  /// The number of bytes in memory from which a run is written to the temporary file.
  private let runSize: Int
  private var lines: [[UInt8]] = []
  private var size = 0
  private var runs: [Range<Int>] = []
  private var file: AnonymousTempFile?

  /// Creates an empty index that writes a run whenever the entries in memory have `runSize` bytes.
  package init(runSize: Int = 4 << 20) {
    self.runSize = runSize
  }

  package mutating func add(_ entry: Entry) throws(DataError) {
    // The order of the lines as bytes is the order of the SHA-256. No id contains a line feed.
    let line = Array(
      "\(entry.sha256) \(entry.size) \(entry.schema) \(entry.slot) \(entry.id)\n".utf8)
    size += line.count
    lines.append(line)
    if size >= runSize { try writeRun() }
  }

  private mutating func writeRun() throws(DataError) {
    let file = if let file { file } else { try AnonymousTempFile() }
    self.file = file
    sort()
    let start = runs.last?.upperBound ?? 0
    try file.write(Array(lines.joined()).span)
    runs.append(start..<start + size)
    lines = []
    size = 0
  }

  private mutating func sort() { lines.sort { $0.lexicographicallyPrecedes($1) } }

  /// Returns a reader of the entries, in order.
  package consuming func reader() throws(DataError) -> Reader {
    if !runs.isEmpty, !lines.isEmpty { try writeRun() }
    sort()
    return Reader(
      runs.map { Run(rest: $0, file: file) } + [Run(bytes: Array(lines.joined()))])
  }

  /// Reads the entries of an index in order, by merging its runs.
  package struct Reader: Sendable {
    private var runs: [Run]
    /// The entry after the most recent group; nil if it has not been read.
    private var following: Entry?

    fileprivate init(_ runs: [Run]) { self.runs = runs }

    /// Returns the next entries that have the same SHA-256, or nil after the last ones.
    package mutating func next() throws(DataError) -> [Entry]? {
      let pending = following.take()
      let next = if let pending { pending } else { try nextEntry() }
      guard let first = next else { return nil }
      var group = [first]
      while let entry = try nextEntry() {
        guard entry.sha256 == first.sha256 else {
          following = entry
          break
        }
        group.append(entry)
      }
      return group
    }

    private mutating func nextEntry() throws(DataError) -> Entry? {
      var first: Int?
      for index in runs.indices {
        guard try runs[index].fill() else { continue }
        if let other = first, !runs[index].precedes(runs[other]) { continue }
        first = index
      }
      return first.flatMap { runs[$0].take() }
    }
  }

  /// A sorted part of the entries.
  fileprivate struct Run: Sendable {
    /// The bytes of the temporary file that have not been read.
    private var rest: Range<Int>
    private let file: AnonymousTempFile?
    private var bytes: [UInt8]
    private var start = 0
    /// The index in `bytes` of the end of the next line.
    private var end = 0

    init(rest: Range<Int> = 0..<0, file: AnonymousTempFile? = nil, bytes: [UInt8] = []) {
      self.rest = rest
      self.file = file
      self.bytes = bytes
    }

    /// Finds the next line. Returns false after the last one.
    mutating func fill() throws(DataError) -> Bool {
      if end > start { return true }
      while true {
        if let index = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
          end = index
          return true
        }
        guard let file, !rest.isEmpty else { return false }
        bytes.removeFirst(start)
        start = 0
        let count = try file.read(
          at: rest.lowerBound, into: &bytes, atMost: min(rest.count, 16 << 10))
        rest = rest.lowerBound + count..<rest.upperBound
        if count == 0 { return false }
      }
    }

    func precedes(_ other: Run) -> Bool {
      bytes[start..<end].lexicographicallyPrecedes(other.bytes[other.start..<other.end])
    }

    /// Removes the next line, and returns its entry.
    mutating func take() -> Entry? {
      let parts = bytes[start..<end].split(
        separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      start = end + 1
      end = start
      guard parts.count == 5, let size = Int64(parts[1]), let slot = Int(parts[3]) else {
        return nil
      }
      return Entry(sha256: parts[0], size: size, schema: parts[2], slot: slot, id: parts[4])
    }
  }
}
