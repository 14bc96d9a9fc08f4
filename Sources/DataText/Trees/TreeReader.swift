package import DataModel

/// Reads trees of records from JSON, and returns their records in chunks of validated changes. A
/// tree is a record that contains other records in place of their ids.
///
/// The trees in about 4 MB of input are read at once. Nested records are returned before the
/// records that contain them, so that their ids exist when the containing records are saved.
package struct TreeReader<Source: ByteSource>: Sendable {
  /// The number of bytes of trees that are read at once, unless a single tree is longer.
  private static var windowSize: Int { 4 << 20 }

  /// A chunk of records of one schema.
  package struct Chunk: Sendable {
    package var changes: RowChanges
    /// Whether the records are nested in other records.
    package var isInside: Bool
    /// The invalid records that were read together with the chunk.
    package var rejected: [RejectedRecord]
  }

  /// The number of bytes that have been read from the source.
  package var bytesRead: Int { source.convertedCount ?? bytesReturned }
  private var bytesReturned = 0

  private var source: Source
  private let file: String
  private let conversions: ValueConversions
  private let longestText: Int
  private var flattener: TreeFlattener
  private var iterator = JSONRecordIterator()
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var hasBegun = false
  /// The problems that the source found in trees that have not been scanned yet.
  private var findings = SourceFindings()
  /// The number of complete trees that have been scanned.
  private var treeCount = 0
  /// The trees in which the source found problems. They are returned with the next chunk.
  private var rejected: [RejectedRecord] = []
  private var groups: [TreeFlattener.Group] = []
  /// The reader of the records in the first group of `groups`.
  private var records: RecordReader<GroupSource>?
  private let locations: TreeLocations
  /// The number of the first location in the trees that are currently being returned.
  private var firstLocation = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - schema: The schema of the roots of the trees.
  ///   - catalog: The schemas of the store.
  ///   - file: The file name that problems contain.
  ///   - ids: Generates ids for records without an id.
  ///   - conversions: Which additional notations of values are accepted.
  ///   - loneKeys: How a nested object that contains only an id is interpreted.
  ///   - longestText: The maximum length of a tree in bytes.
  package init(
    _ source: Source, for schema: Schema, in catalog: Catalog, file: String, ids: IDGenerator,
    conversions: ValueConversions = ValueConversions(), loneKeys: LoneKeys = .references,
    longestText: Int = 96 << 20
  ) {
    self.source = source
    self.file = file
    self.conversions = conversions
    self.longestText = longestText
    flattener = TreeFlattener(schema, in: catalog, ids: ids, loneKeys: loneKeys)
    locations = TreeLocations(schema, in: catalog)
  }

  /// Returns the next chunk, or nil after the last tree. `changes.lines` contains location numbers
  /// instead of line numbers. To get the lines of problems in the records, pass the problems to
  /// `located`.
  package mutating func next() throws(DataError) -> Chunk? {
    while true {
      if !rejected.isEmpty {
        defer { rejected = [] }
        return Chunk(
          changes: RowChanges(for: flattener.root), isInside: false, rejected: rejected)
      }
      if let chunk = try nextOfGroup() { return chunk }
      if !groups.isEmpty { continue }
      guard try readWindow() else { return nil }
    }
  }

  /// Returns the next chunk of records from the first group of `groups`. Removes this group after
  /// its last chunk.
  private mutating func nextOfGroup() throws(DataError) -> Chunk? {
    guard let group = groups.first else { return nil }
    var reader =
      records
      ?? RecordReader(
        GroupSource(group), for: group.schema, TextForm(.ndjson), file: file,
        longestText: longestText)
    guard
      var changes = try reader.next(
        reusing: RowChanges(for: group.schema, conversions: conversions))
    else {
      groups.removeFirst()
      records = nil
      return nil
    }
    let rejected = reader.rejected.map { record in
      var located = record
      let location = firstLocation + group.locations[record.line - 1]
      located.problems = record.problems.map { problem in
        var problem = problem
        problem.line = location
        problem.column = nil
        return self.located(problem)
      }
      located.line = line(ofLocation: location)
      return located
    }
    let rows = changes.lines.map { $0 - 1 }
    changes.setOrigins(
      lines: rows.map { firstLocation + group.locations[$0] },
      hasAssignedID: rows.map { group.hasAssignedID[$0] })
    records = reader
    return Chunk(changes: changes, isInside: group.isInside, rejected: rejected)
  }

  /// Returns the given problem with the line in the input and the path in the tree. The line of the
  /// given problem must be a location number.
  package func located(_ problem: Problem) -> Problem {
    guard let number = problem.line, let line = locations.line(number) else { return problem }
    var located = problem
    located.file = file
    located.line = line
    located.column = nil
    located.path = locations.path(number)
    return located
  }

  /// Returns the line of the input at the location with the given number.
  package func line(ofLocation number: Int) -> Int { locations.line(number) ?? number }

  /// Reads the next trees and splits them into groups. Returns false at the end of the input.
  private mutating func readWindow() throws(DataError) -> Bool {
    flattener.forgetLocations()
    var target = Self.windowSize
    while true {
      try fill(target)
      try checkFormat()
      let isFinished = try scan()
      groups = flattener.takeGroups().filter { !$0.text.isEmpty }
      let isLast = isFinished || isAtEnd && buffer.isEmpty
      if isLast, let failure = findings.failure {
        findings.failure = nil
        reject([failure], line: failure.line ?? flattener.json.line)
      }
      if !groups.isEmpty || !rejected.isEmpty { break }
      if isLast { return false }
      guard target < longestText else {
        throw error(.record(longerThan: longestText))
      }
      target = min(target * 2, longestText)
    }
    firstLocation = locations.add(flattener.locations)
    return true
  }

  private mutating func fill(_ target: Int) throws(DataError) {
    while buffer.count < target, !isAtEnd {
      let count = try source.read(into: &buffer, atMost: min(target - buffer.count, 256 << 10))
      bytesReturned += count
      isAtEnd = count == 0
      let found = source.takeFindings()
      findings.problems.merge(found.problems) { $0 + $1 }
      if findings.failure == nil { findings.failure = found.failure }
    }
  }

  /// Adds a tree to `rejected`, because the source found problems in it.
  private mutating func reject(_ problems: [Problem], line: Int) {
    let located = problems.map { problem in
      var located = problem
      located.file = file
      located.line = problem.line ?? line
      return located
    }
    rejected.append(RejectedRecord(problems: located, line: line))
  }

  /// Throws an error if the input is not JSON in UTF-8. XML has already been converted to JSON.
  private mutating func checkFormat() throws(DataError) {
    guard !hasBegun else { return }
    hasBegun = true
    switch FormatDetection(of: buffer.span, isLast: isAtEnd, TextForm()) {
    case .tooShort: return
    case .unsupported(let limitError): throw error(limitError)
    case .text(let format, _, _) where format.isTable:
      throw error(
        InputLimitError(
          message: "--deep reads JSON and XML, because CSV cannot contain nested records"))
    case .text(_, _, let byteOrderMarkLength):
      flattener.json.position = byteOrderMarkLength
      flattener.json.lineStart = byteOrderMarkLength
    }
  }

  private func error(_ limitError: InputLimitError) -> DataError {
    DataError(
      Problem(
        .syntax, limitError.message, hint: limitError.hint, schema: flattener.root.name, file: file,
        line: flattener.json.line))
  }

  /// Splits the complete trees in the buffer, and removes them from it. Returns true at the end of
  /// the input.
  private mutating func scan() throws(DataError) -> Bool {
    let text = buffer
    flattener.json.isLast = isAtEnd
    var end = flattener.json.position
    var isFinished = false
    while true {
      let mark = iterator.mark(of: flattener.json)
      let locationCount = flattener.locations.count
      do {
        switch try iterator.advance(&flattener.json, text.span) {
        case .end: isFinished = isAtEnd
        case .violation(let error): throw error
        case .record:
          let line = flattener.json.line
          try flattener.add(text.span)
          treeCount += 1
          if let problems = findings.problems.removeValue(forKey: treeCount) {
            let others = problems.filter { problem in
              !flattener.add(problem, at: problem.path ?? "$", after: locationCount)
            }
            if !others.isEmpty { reject(others, line: line) }
          }
          end = flattener.json.position
          continue
        }
      } catch let error as ScanError where error.kind == .needsMore {
        iterator.reset(to: mark, &flattener.json)
        flattener.discardTree(after: locationCount)
      } catch let error as ScanError {
        throw problem(error, text.span)
      } catch let error as TreeFlattener.TreeError {
        throw problem(error)
      } catch {
        throw error as? DataError ?? DataError(.failed, "\(error)")
      }
      break
    }
    end = max(end, flattener.json.position)
    buffer.removeFirst(end)
    flattener.json.position -= end
    flattener.json.lineStart -= end
    return isFinished
  }

  private func problem(_ error: ScanError, _ text: Span<UInt8>) -> DataError {
    DataError(
      Problem(
        .syntax, error.kind.message, hint: error.kind.hint, schema: flattener.root.name, file: file,
        line: flattener.json.line, column: max(error.position - flattener.json.lineStart + 1, 1)))
  }

  private func problem(_ error: TreeFlattener.TreeError) -> DataError {
    var problem = error.problem
    func path(_ index: Int) -> String {
      TreeLocations.path(index, in: flattener.locations, flattener.root, flattener.catalog)
    }
    problem.file = file
    problem.line = Int(flattener.locations[error.location].line)
    problem.path = path(error.location)
    if let other = error.otherLocation {
      let line = flattener.locations[other].line
      let isSameLine = line == flattener.locations[error.location].line
      problem.message += ", first \(isSameLine ? "" : "in line \(line), ")at \(path(other))"
    }
    return DataError(problem)
  }
}

/// The records of a group as NDJSON, with the problems that were found when they were converted.
private struct GroupSource: ByteSource {
  private var bytes: BytesInMemory
  private var findings = SourceFindings()

  init(_ group: TreeFlattener.Group) {
    bytes = BytesInMemory(group.text)
    findings.problems = group.problems
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    bytes.read(into: &buffer, atMost: count)
  }

  mutating func takeFindings() -> SourceFindings {
    defer { findings = SourceFindings() }
    return findings
  }
}

extension Schema {
  /// Returns the schemas of all records that a tree can contain if its root has this schema.
  package func treeSchemas(in catalog: Catalog) -> [Schema] {
    var schemas = [self]
    var index = 0
    while index < schemas.count {
      for field in schemas[index].fields {
        guard let target = field.type.relation.flatMap({ catalog[$0.target] }),
          !schemas.contains(where: { $0.name == target.name })
        else { continue }
        schemas.append(target)
      }
      index += 1
    }
    return schemas
  }
}
