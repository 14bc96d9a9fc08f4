import DataModel

/// The properties of the values under one key that determine whether they can be the ids of the
/// records.
///
/// To limit the memory used, only an 8-byte hash of each id is stored, and only for the first
/// `maxCompared` ids.
struct IDStatistics: Sendable {
  /// The maximum number of ids that are checked for duplicates.
  static let maxCompared = 1_000_000

  /// The file that is being read.
  var file: InferenceFile
  private var hashes: Set<Int> = []
  private(set) var count = 0
  /// The first duplicate value, with its location.
  private(set) var repeated: FieldStatistics.Example?
  /// The first value that is not a valid id, with its location.
  private(set) var violation: FieldStatistics.Example?

  init(file: InferenceFile) {
    self.file = file
  }

  /// Counts a value that is text or an integer.
  ///
  /// - Parameter id: The value, converted to an id.
  mutating func add(_ id: Span<UInt8>, line: Int) {
    count += 1
    guard repeated == nil, violation == nil else { return }
    guard IDs.isValid(id) else {
      violation = example(Excerpt.quoted(id), line)
      return
    }
    guard hashes.count < Self.maxCompared else { return }
    var hasher = Hasher()
    for index in id.indices { hasher.combine(id[index]) }
    if !hashes.insert(hasher.finalize()).inserted {
      repeated = example(Excerpt.quoted(id), line)
    }
  }

  /// Counts a value that cannot be an id, because it is neither text nor an integer.
  ///
  /// - Parameter text: The value, for messages.
  mutating func add(violation text: String, line: Int) {
    count += 1
    if violation == nil { violation = example(text, line) }
  }

  private func example(_ text: String, _ line: Int) -> FieldStatistics.Example {
    FieldStatistics.Example(text: text, location: InferenceLocation(file, line))
  }

  /// Whether all ids were checked for duplicates. Only the first `maxCompared` ids are checked.
  var isComplete: Bool { count <= Self.maxCompared }
}
