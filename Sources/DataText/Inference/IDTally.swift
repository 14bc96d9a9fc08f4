import DataModel

/// Watches whether the values under one key could be the ids of the records.
///
/// It keeps a hash of each id, of 8 bytes, and looks at so many that its memory stays flat.
struct IDTally: Sendable {
  /// How many ids are compared with each other.
  static let mostCompared = 1_000_000

  private var hashes: Set<Int> = []
  private(set) var count = 0
  /// The first value that was there already, and its line.
  private(set) var repeated: FieldTally.Example?
  /// The first value that can be no id, and its line.
  private(set) var misfit: FieldTally.Example?

  /// Takes the text that the id would have.
  mutating func take(_ id: Span<UInt8>, line: Int) {
    count += 1
    guard repeated == nil, misfit == nil else { return }
    guard IDs.isValid(id) else {
      misfit = FieldTally.Example(text: Excerpt.quoted(id), line: line)
      return
    }
    guard hashes.count < Self.mostCompared else { return }
    var hasher = Hasher()
    for index in id.indices { hasher.combine(id[index]) }
    if !hashes.insert(hasher.finalize()).inserted {
      repeated = FieldTally.Example(text: Excerpt.quoted(id), line: line)
    }
  }

  /// Notes a value that is neither a text nor an integer.
  mutating func take(misfit text: String, line: Int) {
    count += 1
    if misfit == nil { misfit = FieldTally.Example(text: text, line: line) }
  }

  /// Whether all ids were compared with each other.
  var isComplete: Bool { count <= Self.mostCompared }
}
