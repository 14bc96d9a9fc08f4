import ProgramHarness
import Testing

@Suite("Reading during concurrent writes", .serialized, .onEveryStore)
struct ConcurrentReadTests {
  private static let accounts = 40
  private static let total = 4_000

  private func bank() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "owner", "name:text")
    try folder.prepare("schema", "create", "account", "amount:integer!", "owner:owner")
    try folder.prepare("save", "owner", "o", "name=Ann")
    let records = (0..<Self.accounts).map {
      "{\"account_id\":\"\($0)\",\"amount\":100,\"owner\":\"o\"}"
    }
    try folder.prepare("save", "account", input: .text(records.joined(separator: "\n")))
    return folder
  }

  /// Starts a save that transfers amounts between the first account and each other account.
  private func startTransfers(_ folder: TestFolder, _ round: Int) throws -> Child {
    let moves = (1..<Self.accounts).map { number in
      let sign = (number + round) % 2 == 0 ? 1 : -1
      return """
        {"account_id":"\(number)","amount":{"$add":\(sign * (number + round % 7))}}
        {"account_id":"0","amount":{"$add":\(-sign * (number + round % 7))}}
        """
    }
    return try folder.program.start(
      ["save", "account", "-o", "none"], input: .text(moves.joined(separator: "\n")))
  }

  @Test("reads a consistent snapshot in every query while records are written")
  func sums() throws {
    let folder = try bank()
    let queries: [[String]] = [
      ["account"], ["account", "--order", "amount"], ["account", "--expand", "owner"],
      ["account", "--order", "-amount", "-o", "page", "--limit", "\(Self.accounts)"],
      ["account", "--sum", "amount"], ["account", "--group-by", "owner", "--sum", "amount"],
      ["account", "--group-by", "amount"],
    ]
    var round = 0
    var writer = try startTransfers(folder, round)
    var states: Set<String> = []
    var answers = 0
    while round < 12 {
      for query in queries {
        let run = try folder.program.run(["list"] + query).exits(0)
        #expect(try Self.sum(run) == Self.total, "\(query)")
        answers += 1
      }
      states.insert(try folder.run("list", "account", "--fields", "amount").exits(0).output)
      _ = try writer.finish().exits(0)
      round += 1
      writer = try startTransfers(folder, round)
    }
    _ = try writer.finish().exits(0)
    // The test is meaningful only if records were changed between the queries.
    #expect(states.count >= 6)
    #expect(answers == 12 * queries.count)
  }

  private static func sum(_ run: Run) throws -> Int {
    let isPage = run.output.hasPrefix("{\"records\"")
    let all = isPage ? try run.json["records"]?.elements ?? [] : try run.records
    return all.reduce(0) { sum, record in
      if let whole = record["sum_amount"]?.number { return sum + Int(whole) }
      let count = record["count"]?.number ?? 1
      return sum + Int((record["amount"]?.number ?? 0) * count)
    }
  }
}
