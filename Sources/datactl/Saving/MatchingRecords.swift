import DataClient
import DataModel
import DataStore

/// All records that meet a condition, and the assignments that change each of them.
struct MatchingRecords {
  let question: CheckedQuestion
  let assignments: [String]
  let isConfirmed: Bool

  /// Finds the records, asks whether so many are meant, and changes them all or none.
  func save(with saving: RecordSaving) async throws {
    let line = try LineRecord(
      id: nil, assignments, of: question.schema, with: saving.invocation)
    let records = try await records(of: saving.client.store)
    if !records.isEmpty, !isConfirmed {
      try saving.invocation.confirm(
        "change \(records.count.counted("record")) of \(question.schema.name)", in: saving.client,
        declined: "nothing was changed")
    }
    do {
      let changes = try line.changes(to: records, roundsTimes: saving.options.roundsTimes)
      try await saving.save(FilledSource(changes))
    } catch let error as DataError {
      throw error.changing { problem in
        guard problem.field != nil, let id = problem.id else { return }
        problem.message += ", in \(Excerpt.quoted(id))"
      }
    }
  }

  /// Who was changed meanwhile is a conflict, so that nothing changes that was not asked about.
  private func records(
    of store: any DataStore
  ) async throws -> [(id: String, revision: Int64)] {
    let schema = question.schema
    let revision = schema.slot(.revision)
    let stream = try await store.records(question.query(slots: [schema.keySlot, revision]))
    var records: [(id: String, revision: Int64)] = []
    var memory = Rows(width: schema.width)
    while let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count {
        records.append((rows.text(rows[row, schema.keySlot]), rows[row, revision].integer))
      }
      memory = rows
    }
    return records
  }
}
