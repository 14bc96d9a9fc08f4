import DataModel

/// Checks whether the values under one key can be ids of the records.
///
/// It stores an 8-byte hash of each id, up to `maxCompared` of them, so its memory is bounded.
struct IDStatistics: Sendable {
  /// The maximum number of ids that are checked for duplicates.
  static let maxCompared = 1_000_000

  private var hashes: Set<Int> = []
  private(set) var count = 0
  /// The first duplicate and its line.
  private(set) var repeated: FieldStatistics.Example?
  /// The first value that is not a valid id, and its line.
  private(set) var violation: FieldStatistics.Example?

  /// Counts a value, given as the text of its id.
  mutating func add(_ id: Span<UInt8>, line: Int) {
    count += 1
    guard repeated == nil, violation == nil else { return }
    guard IDs.isValid(id) else {
      violation = FieldStatistics.Example(text: Excerpt.quoted(id), line: line)
      return
    }
    guard hashes.count < Self.maxCompared else { return }
    var hasher = Hasher()
    for index in id.indices { hasher.combine(id[index]) }
    if !hashes.insert(hasher.finalize()).inserted {
      repeated = FieldStatistics.Example(text: Excerpt.quoted(id), line: line)
    }
  }

  /// Counts a value that is neither a text nor an integer.
  mutating func add(violation text: String, line: Int) {
    count += 1
    if violation == nil { violation = FieldStatistics.Example(text: text, line: line) }
  }

  /// Whether all ids were checked for duplicates.
  var isComplete: Bool { count <= Self.maxCompared }
}
