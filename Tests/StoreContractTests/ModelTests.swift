import DataModel
import DataStore
import Testing

/// Two engines that run the same commands and must return the same results.
struct EnginePair: Sendable, CustomTestStringConvertible {
  let first: Engine
  let second: Engine

  var testDescription: String { "\(first.testDescription) and \(second.testDescription)" }

  /// Every engine paired with the memory store, which is the simplest.
  static let all = Engine.all.map { EnginePair(first: $0, second: .memory) }
}

@Suite("Store contract: random commands")
struct RandomCommandTests {
  /// The visible result of a command.
  private struct CommandResult: Hashable {
    var outcomes: [Outcome] = []
    var records: [Record] = []
    var problems: Set<Problem> = []
    var summary: DeleteSummary?
  }

  private func run(_ command: Command, on fixture: StoreFixture, at time: Timestamp) async throws
    -> CommandResult
  {
    var result = CommandResult()
    do {
      switch command {
      case .save(let name, let rows, let policy, let chunkSize, let end, let onInvalid):
        let saved = try await fixture.trySave(
          name, rows, by: policy, user: "ann", at: time, chunkSize: chunkSize, end: end,
          onInvalid: onInvalid)
        result.outcomes = saved.outcomes
        result.records = saved.records
        result.problems = Set(saved.problems + (saved.error?.problems ?? []))
      case .delete(let name, let selection, let missing):
        result.summary = try await fixture.delete(
          name, selection, missing: missing, user: "bob", at: time)
      }
    } catch let error as DataError {
      result.problems = Set(error.problems)
    }
    return result
  }

  @Test(
    "returns the same records and problems on two engines", arguments: EnginePair.all,
    (1...40).map { UInt64($0) })
  func same(pair: EnginePair, seed: UInt64) async throws {
    var commands = try RandomCommands(seed: seed)
    let first = try await StoreFixture(pair.first, commands.schemas)
    let second = try await StoreFixture(pair.second, commands.schemas)
    for step in 0..<60 {
      let command = commands.next()
      let time = try #require(
        Timestamp(microseconds: StoreFixture.noon.microseconds + Int64(step % 7) * 1_000_000))
      let before = try await first.everything()
      let result = try await run(command, on: first, at: time)
      let context: Comment = "seed \(seed), step \(step): \(command)"
      #expect(result == (try await run(command, on: second, at: time)), context)
      let after = try await first.everything()
      #expect(after == (try await second.everything()), context)
      if before != after { checkInvariants(after, commands.schemas, context) }
      #expect(before == after || mayChange(command, result), context)
    }
  }

  private func mayChange(_ command: Command, _ result: CommandResult) -> Bool {
    switch command {
    case .delete: result.summary != nil
    case .save(_, _, _, _, let end, let onInvalid):
      end == .commit && (onInvalid == .skip || result.problems.isEmpty)
    }
  }

  /// Checks the invariants of every store after every command.
  private func checkInvariants(
    _ records: [String: [Record]], _ schemas: [Schema], _ context: Comment
  ) {
    for schema in schemas {
      let all = records[schema.name] ?? []
      for field in schema.fields {
        let values = all.compactMap { $0[field.name] }.filter { $0 != .null }
        if field.isUnique { #expect(Set(values).count == values.count, context) }
        if field.isRequired { #expect(values.count == all.count, context) }
        guard let relation = field.type.relation else { continue }
        let key = schemas.first { $0.name == relation.target }?.key.name ?? ""
        let targets = Set((records[relation.target] ?? []).compactMap { $0[key] })
        #expect(Set(values.flatMap(\.elements)).isSubset(of: targets), context)
      }
    }
  }
}
