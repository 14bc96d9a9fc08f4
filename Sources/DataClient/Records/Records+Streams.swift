internal import ClientCore
internal import DataStore
internal import RecordText

/// The numbers of records that a save created, changed, and left as they were.
public struct SavedCounts: Hashable, Sendable {
  /// The number of new records.
  public let created: Int
  /// The number of records that were changed.
  public let changed: Int
  /// The number of records that already had the given values.
  public let same: Int

  fileprivate init(_ summary: SaveSummary) {
    created = summary.created
    changed = summary.changed
    same = summary.same
  }
}

extension Records where Element: Codable {
  /// Saves the values of a sequence in one transaction.
  ///
  /// ```swift
  /// let counts = try await todos.save(contentsOf: other.records(of: Todo.self).list())
  /// print(counts.created, counts.changed)
  /// ```
  ///
  /// The values are collected before the transaction begins: few in memory, and many in a temporary
  /// file.
  ///
  /// - Parameters:
  ///   - values: The values to save.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The numbers of saved records.
  /// - Throws: A ``DataError`` that contains the problems of the values, or the error of the
  ///   sequence. In that case, nothing is saved.
  @discardableResult
  public func save<Values: AsyncSequence>(
    contentsOf values: Values, mode: SaveMode = .createOrChange
  ) async throws -> SavedCounts where Values.Element == Element {
    try await saveContents(of: values, mode) { try Draft(encoding: $0) }
  }
}

extension Records where Element == Record {
  /// Saves the drafts of a sequence in one transaction.
  ///
  /// The drafts are collected before the transaction begins: few in memory, and many in a temporary
  /// file.
  ///
  /// - Parameters:
  ///   - drafts: The fields of each record.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The numbers of saved records.
  /// - Throws: A ``DataError`` that contains the problems of the drafts, or the error of the
  ///   sequence. In that case, nothing is saved.
  @discardableResult
  public func save<Drafts: AsyncSequence>(
    contentsOf drafts: Drafts, mode: SaveMode = .createOrChange
  ) async throws -> SavedCounts where Drafts.Element == Draft {
    try await saveContents(of: drafts, mode) { $0 }
  }
}

extension Records {
  private func saveContents<Values: AsyncSequence>(
    of values: Values, _ mode: SaveMode, _ encode: (Values.Element) throws -> Draft
  ) async throws -> SavedCounts {
    let model = try await model()
    var text = SpooledText()
    var count = 0
    for try await value in values {
      count += 1
      var draft = DraftText([try encode(value)], of: model)
      var problems = draft.drafts.flatMap { draft.problems(of: $0) }
      if case .server = client.executor {
        problems += draft.drafts.compactMap { draft.missingID(in: $0) }
      }
      if let error = DataError(problems.map { $0.ofDraft(count, of: .max) }) { throw error }
      var line: [UInt8] = []
      while draft.read(into: &line, atMost: .max) > 0 {}
      try text.append(line)
    }
    if count == 0 { return SavedCounts(SaveSummary()) }
    return try await client.inLibraryWords { [text] () throws(DataError) in
      switch client.executor {
      case .store(let store):
        let source = Drafts(text: text, count: .max)
        return SavedCounts(
          try await save(
            source, mode, in: try await store.catalog(), listener: SilentListener()
          ).summary)
      case .server(let server):
        do throws(DataError) {
          return SavedCounts(
            try await client.save(
              text, of: model.schema, mode: mode.policy, isDeep: model.isTree, in: server))
        } catch {
          throw error.map { $0.ofDraft(of: .max) }
        }
      }
    }
  }
}
