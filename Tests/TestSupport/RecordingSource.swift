package import DataModel
package import DataStore

/// Supplies chunks to a store and records what it reports.
package struct RecordingSource: OperationSource {
  /// The chunks that the store has not yet taken.
  package var chunks: [RowChanges]
  /// The trees to save after the chunks. Each tree is an array of chunks.
  package var trees: [[TreeChunk]] = []
  /// The lists of inverses in each of the trees.
  package var lists: [[PartList]] = []
  /// The numbers of deleted parts.
  package private(set) var removed: [DeleteSummary] = []
  /// The contents to add after the trees, each with the fields that get it.
  package var contents: [(content: FileContent, fields: [FileField])] = []
  package var policy = SavePolicy()
  /// Whether invalid records are skipped instead of rejecting the save.
  package var skipsInvalid = false
  /// What the receipt of the write contains as its output.
  package var output: [UInt8]?
  /// The error that it throws at the end to roll back the save.
  package var finalError: DataError?
  package private(set) var outcomes: [Outcome] = []
  /// For each tree, the outcomes of each of its chunks.
  package private(set) var treeOutcomes: [[[Outcome]]] = []
  /// The values of the saved records by field name. Missing cells have no key.
  package private(set) var saved: [[String: Value]] = []
  package private(set) var problems: [Problem] = []
  package private(set) var committedLines: [Int] = []

  package init(_ chunks: [RowChanges]) {
    self.chunks = chunks
  }

  package var canRestart: Bool { true }

  package mutating func next() throws(DataError) -> WriteOperation? {
    if !chunks.isEmpty { return .save(chunks.removeFirst(), policy) }
    if !trees.isEmpty {
      return .saveTrees(trees.removeFirst(), lists.isEmpty ? [] : lists.removeFirst())
    }
    guard !contents.isEmpty else { return nil }
    let (content, fields) = contents.removeFirst()
    return .content(content, fields)
  }

  package mutating func applied(
    _ chunk: consuming RowChanges, outcomes: [Outcome]
  ) throws(DataError) {
    for (row, outcome) in outcomes.enumerated() {
      self.outcomes.append(outcome)
      if case .refused(let found) = outcome {
        problems += found
      } else {
        saved.append(chunk.rows.values(ofRow: row, in: chunk.schema))
      }
    }
  }

  package mutating func appliedTrees(
    _ chunks: consuming [TreeChunk], outcomes: [[Outcome]], problems: [Problem]
  ) throws(DataError) {
    treeOutcomes.append(outcomes)
    for case .refused(let found) in outcomes.joined() { self.problems += found }
    self.problems += problems
  }

  package mutating func removed(_ result: DeleteResult, of schema: Schema) {
    removed.append(result.summary)
  }

  package mutating func refused(_ problem: Problem) {
    problems.append(problem)
  }

  package mutating func finish() throws(DataError) {
    if let finalError { throw finalError }
    if !skipsInvalid, let error = DataError(problems) { throw error }
  }

  package mutating func committed(throughLine line: Int) throws(DataError) {
    committedLines.append(line)
  }
}

extension Rows {
  /// Returns the values of a row by field name. Missing cells have no key.
  package func values(ofRow row: Int, in schema: Schema) -> [String: Value] {
    var values: [String: Value] = [:]
    for slot in 0..<schema.width where self[row, slot].kind != .missing {
      values[schema.name(of: slot)] = value(self[row, slot], of: schema.type(of: slot))
    }
    return values
  }
}
