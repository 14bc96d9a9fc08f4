import ClientCore
import DataModel
import DataText
import Synchronization

/// A source of the records in several files, one after another. Only one file is open at a time.
///
/// Each line number in a chunk consists of a line number within a file (the lower 40 bits) and the
/// index of this file (the higher bits).
struct FileSequenceSource: ChunkSource {
  /// An open file: the source of its records and, if a map is used, the locations of the records in
  /// the original document.
  struct OpenFile: Sendable {
    var source: any ChunkSource
    var locations: MapLocations?
  }

  /// The number of low bits of a line number that contain the line number within the file.
  private static var lineBits: Int { 40 }

  private let paths: [String]
  private let open: @Sendable (String) throws(DataError) -> OpenFile
  private let locations = OpenedFiles()
  private var source: (any ChunkSource)?
  private var openedCount = 0
  private var bytesOfFormerFiles = 0
  private(set) var rejected: [Rejection] = []

  init(
    _ paths: [String], open: @escaping @Sendable (String) throws(DataError) -> OpenFile
  ) {
    self.paths = paths
    self.open = open
  }

  var bytesRead: Int { bytesOfFormerFiles + (source?.bytesRead ?? 0) }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    var memory = memory
    while true {
      if source == nil {
        guard openedCount < paths.count else {
          rejected = []
          return nil
        }
        let file = try open(paths[openedCount])
        openedCount += 1
        locations.append(file.locations)
        source = file.source
      }
      guard var current = source else { return nil }
      // A second reference would copy the source.
      source = nil
      let schema = memory.schema
      let chunk = try current.next(reusing: memory, limit)
      guard var chunk else {
        bytesOfFormerFiles += current.bytesRead
        memory = RowChanges(for: schema)
        continue
      }
      rejected = current.rejected
      source = current
      let index = openedCount - 1
      if index > 0 { chunk.setOrigins(lines: chunk.lines.map { $0 | index << Self.lineBits }) }
      return chunk
    }
  }

  func located(_ problem: Problem) -> Problem {
    var problem = problem
    let index = (problem.line ?? 0) >> Self.lineBits
    problem.line = problem.line.map { $0 & (1 << Self.lineBits - 1) }
    var located = locations[index]?.located(problem) ?? problem
    located.file = paths[index]
    return located
  }

  /// The locations of the records in each file that has been opened. They are shared by the thread
  /// that reads ahead and the thread that reports problems.
  private final class OpenedFiles: Sendable {
    private let locations = Mutex<[MapLocations?]>([])

    subscript(index: Int) -> MapLocations? {
      locations.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }

    func append(_ file: MapLocations?) {
      locations.withLock { $0.append(file) }
    }
  }
}
