package import DataModel
import JSONText

/// Reads trees of records from JSON, and returns their records in chunks of validated changes. A
/// tree is a record that contains other records in place of their ids.
///
/// The trees in about 1 MB of input are read at once. Their nested records are returned before the
/// records that contain them. Therefore the ids of the nested records are valid references when the
/// containing records are saved. If invalid trees are skipped, a chunk contains records of only one
/// tree.
package struct TreeReader<Source: ByteSource>: Sendable {
  /// The number of bytes of trees that are read at once, unless a single tree is longer.
  private static var windowSize: Int { 1 << 20 }

  /// What happens to the other trees if a tree is invalid.
  package enum OnInvalid: Sendable {
    /// The other trees are also read. Reading ends only at a syntax error, at a tree that is too
    /// deep, or at a record that occurs twice in a tree with different values.
    case collect
    /// The tree is rejected as a whole, and the other trees are read.
    case skip(keepingText: Bool)
  }

  /// The number of bytes that have been read from the source.
  package var bytesRead: Int { source.convertedCount ?? bytesReturned }
  private var bytesReturned = 0

  private var source: Source
  private let file: String
  private let longestText: Int
  private let pace: RecordReader<Source>.Pace
  private let isLineByLine: Bool
  private let skipsInvalid: Bool
  /// Whether a tree can contain a record whose schema has a password field.
  private let mayHavePasswords: Bool
  private let keepsText: Bool
  private var builder: TreeBuilder
  private var iterator = JSONRecordIterator()
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var hasBegun = false
  /// Whether reading ended at the end of the input or at an error.
  private var isFinished = false
  /// Whether the buffer may contain further complete trees.
  private var hasMore = false
  /// The number of bytes to read before the buffer is scanned: `windowSize`, or more for a longer
  /// tree.
  private var targetSize = Self.windowSize
  /// The beginning of a tree at the end of the buffer.
  private var incomplete = IncompleteText()
  /// The number of bytes that have been scanned. Bytes that were scanned repeatedly are counted
  /// repeatedly.
  package private(set) var scannedCount = 0
  /// Problems of trees that have not been scanned yet. The problems were found when these trees
  /// were converted to JSON.
  private var findings = SourceFindings()
  /// The number of complete trees that have been scanned.
  private var treeCount = 0
  /// Invalid trees. They are returned with the next chunk.
  private var rejected: [RejectedRecord] = []
  /// The text of the most recent tree, if invalid trees are skipped and texts are kept.
  private var treeText: [UInt8]?
  /// The ids of the most recent tree, if invalid trees are skipped (see `RejectedRecord.ids`).
  private var treeIDs: [String]?
  /// The chunks of the most recent trees that have not been returned yet.
  private var chunks: [ReadTreeChunk] = []
  /// The locations of the records, numbered from 0. The property `changes.lines` of a chunk
  /// contains these numbers instead of line numbers.
  package let locations: TreeLocations
  /// The generator of ids, after those that were generated so far.
  package var ids: IDGenerator { builder.ids }
  /// Whether the root of a tree can also be nested in another tree. The same record can then occur
  /// in both trees.
  package let canNestRoots: Bool

  /// Creates a reader of the trees in a byte source.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - schema: The schema of the roots of the trees.
  ///   - catalog: The schemas of the store.
  ///   - isLineByLine: Whether each line of the text is a tree. If invalid trees are skipped, a
  ///     syntax error then affects only its own line.
  ///   - file: The file name that problems contain.
  ///   - ids: Generates ids for records without an id.
  ///   - id: The id of the only tree, if it is given on the command line.
  ///   - conversions: The additional notations of values that are accepted.
  ///   - layout: The layout of the trees, as specified by the map that converted them, or nil if no
  ///     map was used. Without a map, a nested object that contains only an id is a reference to a
  ///     record. With a map, such an object is a record without values.
  ///   - derivation: Whether the ids of records without an id follow from that of the outer record.
  ///     If so, an object that contains only an id is a record too.
  ///   - form: How keys that are no fields are read.
  ///   - onInvalid: What happens to the other trees if a tree is invalid.
  ///   - pace: Whether a chunk is returned when it is full, or as soon as it contains a tree.
  ///   - longestText: The maximum length of a tree in bytes.
  package init(
    _ source: Source, for schema: Schema, in catalog: Catalog, isLineByLine: Bool = false,
    file: String, ids: IDGenerator, id: String? = nil,
    conversions: ValueConversions = ValueConversions(), layout: TreeLayout? = nil,
    derivation: IDDerivation = .none, form: TextForm = TextForm(.ndjson),
    onInvalid: OnInvalid = .collect, pace: RecordReader<Source>.Pace = .full,
    longestText: Int = InputLimitError.longestRecord
  ) {
    self.source = source
    self.file = file
    self.longestText = longestText
    self.pace = pace
    self.isLineByLine = isLineByLine
    if isLineByLine { iterator.layout = .sequence }
    switch onInvalid {
    case .collect: (skipsInvalid, keepsText) = (false, false)
    case .skip(let keepsText): (skipsInvalid, self.keepsText) = (true, keepsText)
    }
    builder = TreeBuilder(
      schema, in: catalog, ids: ids, rootID: id, layout: layout, derivation, form,
      conversions: conversions)
    locations = TreeLocations(schema, in: catalog, file: file)
    let schemas = schema.treeSchemas(in: catalog)
    canNestRoots = schemas.contains { schema.isTarget(of: $0) }
    mayHavePasswords = schemas.contains { $0.passwordSlot != nil }
  }

  /// Returns the next chunk, or nil after the last tree. The chunk is empty if all of its trees
  /// were rejected, or if no bytes arrived before the timeout.
  ///
  /// The `changes.lines` of the chunk are not line numbers, but numbers of locations. In a problem,
  /// `locations.located` replaces such a number with the line.
  ///
  /// - Parameter limit: The maximum number of trees, and the timeout. Both apply only at the pace
  ///   `immediate`.
  package mutating func next(
    _ limit: ChunkLimit = ChunkLimit()
  ) throws(DataError) -> ReadTreeChunk? {
    while true {
      if !rejected.isEmpty {
        defer { rejected = [] }
        return ReadTreeChunk(changes: RowChanges(for: builder.root), rejected: rejected)
      }
      if !chunks.isEmpty { return chunks.removeFirst() }
      guard try readWindow(limit) else {
        return ReadTreeChunk(changes: RowChanges(for: builder.root))
      }
      if isFinished, chunks.isEmpty, rejected.isEmpty { return nil }
    }
  }

  /// Reads the next trees into `chunks`. Returns false if no bytes arrived before the timeout. At
  /// the end of the input, there are no chunks.
  private mutating func readWindow(_ limit: ChunkLimit) throws(DataError) -> Bool {
    if isFinished { return true }
    while true {
      if !hasMore {
        removeScanned()
        guard try fill(limit) else { return false }
        guard try checkFormat() else { continue }
      }
      builder.begin(firstNumber: locations.count)
      try scan(atMost: skipsInvalid ? 1 : pace == .immediate ? limit.rows : .max)
      let (groups, lists) = builder.takeGroups(buffer)
      locations.add(builder.locations)
      addChunks(groups, lists)
      if isAtEnd, builder.json.position == buffer.count, !hasMore { isFinished = true }
      if isFinished, let failure = findings.failure {
        findings.failure = nil
        reject([failure], line: failure.line ?? builder.json.line, unread: .rest)
      }
      if isFinished || !chunks.isEmpty || !rejected.isEmpty { break }
      if buffer.count - builder.json.position < targetSize { continue }
      guard targetSize >= longestText else {
        targetSize = min(targetSize * 2, longestText)
        continue
      }
      let problem = problem(.record(longerThan: longestText))
      guard skipsInvalid else { throw DataError(problem) }
      reject([problem], line: builder.json.line, unread: .rest)
      isFinished = true
      break
    }
    targetSize = Self.windowSize
    return true
  }

  /// Adds a chunk for each group of records. If invalid trees are skipped, the groups contain a
  /// single tree, which is rejected as a whole if one of its records is invalid.
  private mutating func addChunks(_ groups: [TreeBuilder.Group], _ lists: [PartList]) {
    let invalid = groups.map { $0.rejected.map(located) }
    if skipsInvalid, invalid.contains(where: { !$0.isEmpty }) {
      let line = builder.locations.first.map { Int($0.line) } ?? builder.json.line
      let problems = invalid.joined().flatMap(\.problems)
      rejected.append(
        RejectedRecord(problems: problems, line: line, text: treeText, ids: treeIDs))
      return
    }
    for (index, group) in groups.enumerated() {
      chunks.append(
        ReadTreeChunk(
          changes: group.changes, role: group.role, number: group.number, hasLists: !lists.isEmpty,
          lists: index == groups.count - 1 ? lists : [], isLast: index == groups.count - 1,
          text: treeText, rejected: invalid[index]))
    }
  }

  /// Returns an invalid record whose problems contain the number of its location.
  private func located(_ problems: [Problem]) -> RejectedRecord {
    let line = problems.first?.line.flatMap(locations.line)
    return RejectedRecord(problems: problems.map(locations.located), line: line ?? 0)
  }

  /// Removes the trees that have been scanned from the buffer. The chunks of these trees may refer to
  /// the buffer, so that the rest is copied.
  private mutating func removeScanned() {
    let end = builder.json.position
    guard end > 0 else { return }
    buffer = Array(buffer[end...])
    builder.json.position = 0
    builder.json.lineStart -= end
  }

  /// Reads until the buffer has `targetSize` bytes, or until the end of the input. At the pace
  /// `immediate`, also stops if the buffer may contain a complete tree.
  ///
  /// - Parameter limit: At the pace `immediate`, its `timeout` is the maximum time to wait for
  ///   bytes.
  /// - Returns: False if no bytes arrived before the timeout.
  private mutating func fill(_ limit: ChunkLimit) throws(DataError) -> Bool {
    while buffer.count < targetSize, !isAtEnd {
      if pace == .immediate, let timeout = limit.timeout, try !source.hasBytes(within: timeout) {
        return false
      }
      let count = try source.read(
        into: &buffer, atMost: min(targetSize - buffer.count, 256 << 10))
      bytesReturned += count
      isAtEnd = count == 0
      let found = source.takeFindings()
      findings.problems.merge(found.problems) { $0 + $1 }
      if findings.failure == nil { findings.failure = found.failure }
      switch pace {
      case .full: continue
      case .immediate:
        let text = buffer
        if incomplete.mayBeComplete(text.span.extracting(builder.json.position...)) {
          return true
        }
      }
    }
    return true
  }

  /// Adds a tree to `rejected`.
  private mutating func reject(
    _ problems: [Problem], line: Int, text: [UInt8]? = nil, ids: [String]? = nil,
    unread: RejectedRecord.Unread? = nil
  ) {
    let located = problems.map { problem in
      var located = problem
      located.file = file
      located.line = problem.line ?? line
      return located
    }
    rejected.append(
      RejectedRecord(problems: located, line: line, text: text, ids: ids, unread: unread))
  }

  /// Checks that the input is JSON in UTF-8. Returns false if more bytes are needed to detect the
  /// format.
  ///
  /// - Throws: An error if the input has a different format.
  private mutating func checkFormat() throws(DataError) -> Bool {
    guard !hasBegun else { return true }
    switch FormatDetection(of: buffer.span, isLast: isAtEnd, TextForm()) {
    case .tooShort: return false
    case .unsupported(let limitError): throw DataError(problem(limitError))
    case .text(let format, _, _) where format.isTable:
      let message = "--deep requires JSON or XML, because CSV cannot contain nested records"
      throw DataError(problem(InputLimitError(message: message)))
    case .text(_, _, let byteOrderMarkLength):
      builder.json.position = byteOrderMarkLength
      builder.json.lineStart = byteOrderMarkLength
      hasBegun = true
      return true
    }
  }

  private func problem(_ limitError: InputLimitError) -> Problem {
    Problem(
      .syntax, limitError.message, hint: limitError.hint, schema: builder.root.name, file: file,
      line: builder.json.line)
  }

  /// Scans at most `limit` complete trees in the buffer. Adds the records of each tree to the
  /// groups, or rejects the tree.
  private mutating func scan(atMost limit: Int) throws(DataError) {
    let text = buffer
    let start = builder.json.position
    builder.json.isLast = isAtEnd
    incomplete = IncompleteText()
    hasMore = false
    defer { scannedCount += (hasMore ? builder.json.position : text.count) - start }
    for _ in 0..<limit {
      if builder.isFull { break }
      let locationCount = builder.locations.count
      do {
        switch try iterator.advance(&builder.json, text.span) {
        case .end:
          isFinished = isAtEnd
          return
        case .violation(let error):
          let position = iterator.beginning.position..<builder.json.position
          // A source that converts text returns null in place of a malformed tree.
          if let found = findings.problems.removeValue(forKey: treeCount + 1) {
            treeCount += 1
            reject(
              found, line: iterator.beginning.line,
              text: self.text(text.span, position, isTree: false))
            continue
          }
          guard skipsInvalid else { throw error }
          reject(error, text.span, position)
        case .record: try addTree(text.span, after: locationCount)
        }
      } catch let error as ScanError {
        builder.discardTree(after: locationCount)
        guard try recover(from: error, text.span) else { return }
      } catch let error as TreeBuilder.TreeError {
        throw DataError(problem(error))
      } catch {
        throw error as? DataError ?? DataError(.failed, "\(error)")
      }
    }
    hasMore = true
  }

  /// Reads the tree at the current position, and adds its records to the groups. If the tree is
  /// invalid and invalid trees are skipped, rejects it instead.
  private mutating func addTree(_ text: Span<UInt8>, after locationCount: Int) throws {
    let line = builder.json.line
    let found = findings.problems[treeCount + 1] ?? []
    var problems: [Problem]
    do {
      problems = try builder.add(text, reporting: found)
    } catch let error as TreeBuilder.TreeError where skipsInvalid {
      problems = [problem(error)] + found
      iterator.restartRecord(&builder.json)
      _ = try builder.json.skipValue(text)
      builder.discardTree(after: locationCount)
    }
    treeCount += 1
    findings.problems[treeCount] = nil
    if skipsInvalid {
      treeText = self.text(
        text, iterator.beginning.position..<builder.json.position, isTree: problems.isEmpty)
      treeIDs = builder.rootIDs
    }
    guard !problems.isEmpty else { return }
    if skipsInvalid { builder.discardTree(after: locationCount) }
    reject(problems, line: line, text: treeText, ids: treeIDs)
  }

  /// Returns a copy of the input text of a tree, which can be invalid. Returns nil if the reader
  /// does not keep texts, or if the text may contain a password.
  ///
  /// - Parameter isTree: Whether the text was parsed as a tree. If so, only the schemas of its
  ///   records are checked for password fields. If not, all schemas that can occur in a tree are
  ///   checked.
  private func text(_ text: Span<UInt8>, _ range: Range<Int>, isTree: Bool) -> [UInt8]? {
    guard keepsText, isTree ? !builder.hasPasswords : !mayHavePasswords else {
      return nil
    }
    var copy: [UInt8] = []
    copy.append(copying: text.extracting(range))
    return copy
  }

  /// Continues after a syntax error. Returns false if more text is needed, or if the remaining text
  /// cannot be parsed.
  private mutating func recover(
    from error: ScanError, _ text: Span<UInt8>
  ) throws(DataError) -> Bool {
    guard skipsInvalid || error.kind == .needsMore else {
      throw DataError(problem(error, text))
    }
    let start = iterator.beginning.position
    let recovery = iterator.recovery(
      from: error, builder.json, text, isLineByLine: isLineByLine)
    switch recovery {
    case .needsMore:
      iterator.reset(to: iterator.beginning, &builder.json)
      // If the error is known, scanning continues after the end of the line.
      incomplete = IncompleteText(
        text.extracting(start...), until: error.kind == .needsMore ? .value : .line)
      return false
    case .endOfLine(let end, let shown):
      reject(shown, text, start..<end)
      iterator.skipToLine(at: end + 1, &builder.json, text)
      return true
    case .impossible:
      // An error at the end of the input concerns the last tree.
      let isLast = isAtEnd && error.position >= text.count
      reject(error, text, start..<max(start, error.position), unread: isLast ? nil : .rest)
      isFinished = true
      return false
    }
  }

  /// Rejects the part of the text that contains a syntax error.
  private mutating func reject(
    _ error: ScanError, _ text: Span<UInt8>, _ range: Range<Int>,
    unread: RejectedRecord.Unread? = nil
  ) {
    reject(
      [problem(error, text)], line: iterator.beginning.line,
      text: self.text(text, range, isTree: false), unread: unread)
  }

  private func problem(_ error: ScanError, _ text: Span<UInt8>) -> Problem {
    let location = iterator.location(of: error, text)
    return Problem(
      .syntax, error.kind.message, hint: error.kind.hint, schema: builder.root.name, file: file,
      line: location.line, column: location.column)
  }

  private func problem(_ error: TreeBuilder.TreeError) -> Problem {
    var problem = error.problem
    func path(_ index: Int) -> String {
      TreeLocations.path(index, in: builder.locations, builder.root, builder.catalog)
    }
    problem.file = file
    problem.line = Int(builder.locations[error.location].line)
    problem.path = path(error.location)
    if let other = error.otherLocation {
      let line = builder.locations[other].line
      let isSameLine = line == builder.locations[error.location].line
      problem.message += ", first \(isSameLine ? "" : "in line \(line), ")at \(path(other))"
    }
    return problem
  }
}

/// A chunk of records of one schema.
package struct ReadTreeChunk: Sendable {
  package var changes: RowChanges
  package var role = TreeRole.root
  /// The number of the chunk among those of the trees that were read together.
  package var number = 0
  /// Whether the trees that were read together contain lists of inverses.
  package var hasLists = false
  /// In the last chunk, the lists of inverses in the trees that were read together.
  package var lists: [PartList] = []
  /// Whether this is the last chunk of the trees that were read together.
  package var isLast = true
  /// The input text of the tree, if trees are read one by one and the reader keeps their texts.
  package var text: [UInt8]?
  /// The invalid records that were read together with the chunk. If invalid trees are skipped, each
  /// element is a whole tree instead.
  package var rejected: [RejectedRecord] = []
}

extension Schema {
  /// Returns the schemas of all records that a tree can contain if its root has this schema.
  package func treeSchemas(in catalog: Catalog) -> [Schema] {
    var schemas = [self]
    var index = 0
    while index < schemas.count {
      let targets = schemas[index].fields.compactMap { field in
        field.type.relation.flatMap { catalog[$0.target] }
      }
      for schema in targets + catalog.declaredInverses(of: schemas[index]).map(\.source)
      where !schemas.contains(where: { $0.name == schema.name }) {
        schemas.append(schema)
      }
      index += 1
    }
    return schemas
  }

  /// Returns whether records of another schema can refer to records of this schema.
  fileprivate func isTarget(of other: Schema) -> Bool {
    other.fields.contains { $0.type.relation?.target == name }
  }
}
