import ClientCore
import DataModel
import DataText
import Synchronization

/// A source of the records in one or more files, one after another. Only one file is open at a
/// time. The line numbers in its chunks are those of `InputLine`: each also contains the index of
/// the file.
struct FileSequenceSource: ChunkSource {
  /// An open file: the source of its records, and the locator of this source.
  struct OpenFile: Sendable {
    var source: any ChunkSource
    var locator: InputLocator
  }

  private let paths: [String]
  private let open: @Sendable (_ index: Int) throws(DataError) -> OpenFile
  private let locators = Locators()
  private var source: (any ChunkSource)?
  private var openedCount = 0
  private var bytesOfFormerFiles = 0
  private(set) var rejected: [Rejection] = []
  private(set) var treePart = TreePart()

  /// Creates a source that opens each file when it has read the previous one.
  ///
  /// - Parameter open: A closure that opens the file with the given index in `paths`.
  init(
    _ paths: [String], open: @escaping @Sendable (_ index: Int) throws(DataError) -> OpenFile
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
        let file = try open(openedCount)
        openedCount += 1
        locators.append(file.locator)
        source = file.source
      }
      guard var current = source else { return nil }
      // Clear the property, so that `current` is the only reference and changing it causes no copy.
      source = nil
      let schema = memory.schema
      let chunk = try current.next(reusing: memory, limit)
      guard var chunk else {
        bytesOfFormerFiles += current.bytesRead
        memory = RowChanges(for: schema)
        continue
      }
      (rejected, treePart) = (current.rejected, current.treePart)
      source = current
      let index = openedCount - 1
      if index > 0 {
        chunk.setOrigins(lines: chunk.lines.map { InputLine($0, ofFile: index).number })
      }
      return chunk
    }
  }

  func located(_ problem: Problem) -> Problem { locator.located(problem) }

  func inputLine(_ number: Int) -> Int { locator.inputLine(number) }

  /// Converts the line numbers in the chunks to locations in the files.
  var locator: InputLocator {
    let (paths, locators) = (paths, locators)
    return InputLocator { problem in
      guard let number = problem.line else {
        return paths.count == 1 ? locators[0]?.located(problem) ?? problem : problem
      }
      let line = InputLine(number)
      var problem = problem
      problem.line = line.line
      var located = locators[line.fileIndex]?.located(problem) ?? problem
      located.file = paths[line.fileIndex]
      return located
    } inputLine: { number in
      let line = InputLine(number)
      let inputLine = locators[line.fileIndex]?.inputLine(line.line) ?? line.line
      return InputLine(inputLine, ofFile: line.fileIndex).number
    }
  }

  /// The locators of the files that have been opened, in order. The thread that reads ahead adds
  /// them, and the thread that reports problems uses them.
  private final class Locators: Sendable {
    private let locators = Mutex<[InputLocator]>([])

    subscript(index: Int) -> InputLocator? {
      locators.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }

    func append(_ locator: InputLocator) {
      locators.withLock { $0.append(locator) }
    }
  }
}

/// A line of one of several files. It is represented as a single number: the line number within the
/// file (the lower 40 bits) and the index of the file (the higher bits).
struct InputLine {
  private static var lineBits: Int { 40 }

  /// The line number within the file.
  let line: Int
  /// The index of the file.
  let fileIndex: Int

  init(_ line: Int, ofFile fileIndex: Int) {
    (self.line, self.fileIndex) = (line, fileIndex)
  }

  /// Creates a line from the number that represents it.
  init(_ number: Int) {
    line = number & (1 << Self.lineBits - 1)
    fileIndex = number >> Self.lineBits
  }

  /// The number that represents the line.
  var number: Int { line | fileIndex << Self.lineBits }
}
