package import DataModel
package import RecordText
import Synchronization

/// A source of the records in one or more files, one after another. Only one file is open at a
/// time. The line numbers in its chunks also contain the index of the file in the list of files
/// (see `InputLine`).
package struct FileSequenceSource: ChunkSource {
  private let paths: [String]
  /// The number of lines to add to the line numbers of the file, if it is a part of an input.
  private let lineOffset: Int
  private let open: @Sendable (_ index: Int) throws(DataError) -> any ChunkSource
  /// The line in which each id first occurred, so that an id that occurs twice is rejected. Nil if
  /// ids may occur twice.
  private let idLines: IDLines?
  private let locators = Locators()
  private var source: (any ChunkSource)?
  private var openedCount = 0
  private var bytesOfFormerFiles = 0
  package private(set) var rejected: [Rejection] = []
  package private(set) var treePart = TreePart()

  /// Creates a source that opens each file when it has read the previous one.
  ///
  /// - Parameters:
  ///   - idLines: Stores the line of each id, to reject ids that occur twice; nil if ids may occur
  ///     twice.
  ///   - lineOffset: The number of lines to add to the line numbers of the file, if it is a part of
  ///     an input. It must be 0 if there are several files.
  ///   - open: A closure that opens the file with the given index in `paths`.
  package init(
    _ paths: [String], after lineOffset: Int = 0, rejectingRepeated idLines: IDLines? = nil,
    open: @escaping @Sendable (_ index: Int) throws(DataError) -> any ChunkSource
  ) {
    self.paths = paths
    self.lineOffset = lineOffset
    self.idLines = idLines
    self.open = open
  }

  package var bytesRead: Int { bytesOfFormerFiles + (source?.bytesRead ?? 0) }

  package mutating func next(
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
        source = file
      }
      guard var current = source else { return nil }
      // Clear the property. With only one reference, `current` can be changed without a copy.
      source = nil
      let schema = memory.schema
      let chunk = try current.next(reusing: memory, limit)
      guard var chunk else {
        bytesOfFormerFiles += current.bytesRead
        memory = RowChanges(for: schema)
        continue
      }
      (rejected, treePart) = (current.rejected, current.treePart)
      if lineOffset > 0 {
        for index in rejected.indices {
          for problem in rejected[index].problems.indices {
            rejected[index].problems[problem].moveLine(by: lineOffset)
          }
        }
      }
      source = current
      let index = openedCount - 1
      if index > 0 {
        chunk.setOrigins(lines: chunk.lines.map { InputLine($0, ofFile: index).number })
      }
      idLines?.add(chunk)
      return chunk
    }
  }

  package var locator: InputLocator {
    let (paths, locators, idLines, lineOffset) = (paths, locators, idLines, lineOffset)
    return InputLocator { problem in
      guard let number = problem.line else {
        return paths.count == 1 ? locators[0]?.located(problem) ?? problem : problem
      }
      let line = InputLine(number)
      var problem = problem
      problem.line = line.line
      var located = locators[line.fileIndex]?.located(problem) ?? problem
      located.file = paths[line.fileIndex]
      located.moveLine(by: lineOffset)
      if let idLines, problem.code == .exists, let id = problem.id {
        located.code = .invalid
        located.message = Self.message(
          ofRepeated: idLines[id].map(InputLine.init), in: line, paths, locators)
        if let hint = idLines.hint { located.hint = hint }
      }
      return located
    } inputLine: { number in
      let line = InputLine(number)
      let inputLine = locators[line.fileIndex]?.inputLine(line.line) ?? line.line
      return InputLine(inputLine + lineOffset, ofFile: line.fileIndex).number
    } originalText: { number in
      let line = InputLine(number)
      return locators[line.fileIndex]?.originalText(line.line)
    }
  }

  /// Returns the message for an id that occurs twice, the first time in the line `first`.
  private static func message(
    ofRepeated first: InputLine?, in line: InputLine, _ paths: [String], _ locators: Locators
  ) -> String {
    guard let first, first.number != line.number else {
      return "the id occurs in an earlier record too"
    }
    let number = locators[first.fileIndex]?.inputLine(first.line) ?? first.line
    let file = first.fileIndex == line.fileIndex ? "" : " of \(paths[first.fileIndex])"
    return "the id occurs twice, first in line \(number)\(file)"
  }

  /// The locators of the files that have been opened, in order. Two threads share them: one opens
  /// the files in advance, and the other reports problems.
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

extension Problem {
  fileprivate mutating func moveLine(by offset: Int) { line = line.map { $0 + offset } }
}

/// A line of one of several input files. It is represented as a single number: the line number
/// within the file (the lower 40 bits), and the index of the file in the list of input files (the
/// higher bits).
package struct InputLine {
  private static var lineBits: Int { 40 }

  /// The line number within the file.
  package let line: Int
  /// The index of the file in the list of input files.
  package let fileIndex: Int

  init(_ line: Int, ofFile fileIndex: Int) {
    (self.line, self.fileIndex) = (line, fileIndex)
  }

  /// Creates a line from the number that represents it.
  package init(_ number: Int) {
    line = number & (1 << Self.lineBits - 1)
    fileIndex = number >> Self.lineBits
  }

  /// The number that represents the line.
  var number: Int { line | fileIndex << Self.lineBits }
}

/// The number of the line (`InputLine`) in which each id first occurred, for errors about ids that
/// occur twice. To limit memory use, only a hash of each id is stored, and only for the first
/// `maxCount` ids.
package final class IDLines: Sendable {
  private static let maxCount = 500_000

  /// A hint for errors about ids that occur twice, or nil.
  let hint: String?
  private let lines = Mutex<[Int: Int]>([:])

  package init(hint: String?) {
    self.hint = hint
  }

  /// Returns the number of the line in which the id first occurred, or nil if it is not known.
  subscript(id: String) -> Int? { lines.withLock { $0[Self.hash(id.utf8.span)] } }

  func add(_ changes: RowChanges) {
    lines.withLock { lines in
      for row in 0..<changes.count where lines.count < Self.maxCount {
        let hash = changes.rows.withBytes(of: changes.rows[row, changes.schema.keySlot]) {
          Self.hash($0)
        }
        if lines[hash] == nil { lines[hash] = changes.lines[row] }
      }
    }
  }

  private static func hash(_ id: Span<UInt8>) -> Int {
    var hasher = Hasher()
    for index in id.indices { hasher.combine(id[index]) }
    return hasher.finalize()
  }
}
