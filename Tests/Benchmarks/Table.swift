import Foundation

/// Formats the results as a Markdown table, and compares them with the goals.
struct Table {
  /// The memory limit of any process, in bytes.
  private static let maxMemory = 40 << 20
  /// Work whose memory must not grow with the number of records; `maxGrowth` is the tolerated
  /// factor.
  private static let constantMemoryWork =
    ["save", "list"].flatMap { name in
      [name] + PostgresEnvironment.Kind.allCases.map { $0.prefix + name }
    } + [PostgresEnvironment.Kind.postgres.prefix + "save with relations"]
  private static let maxGrowth = 1.1

  private var missed: [String] = []
  private var memories: [(work: String, sizes: [(count: Int, bytes: Int)])] = []

  static let header = """
    | work | datactl | a record | peer | ratio | goal | peak memory |
    | --- | --: | --: | --: | --: | --: | --: |
    """

  /// Returns the table rows of a result, one for each peer.
  mutating func lines(_ result: Comparison.Result) -> [String] {
    if let count = result.count, let bytes = result.memory,
      Self.constantMemoryWork.contains(result.work)
    {
      add(count: count, bytes: bytes, of: result.work)
    }
    let work = result.work + (result.count.map { " \(Self.grouped($0))" } ?? "")
    if let bytes = result.memory, bytes > Self.maxMemory {
      missed.append("\(work): more than \(Self.maxMemory >> 20) MB of memory")
    }
    let each = result.count.map { Self.time(result.seconds / Double($0)) }
    // A very short process exits before its memory can be sampled.
    let memory = result.memory.flatMap { $0 > 0 ? $0 : nil }.map {
      String(format: "%.1f MB", Double($0) / 1_048_576)
    }
    return result.peerResults.map { peer in
      let ratio = result.seconds / peer.seconds
      var shown = Self.ratio(ratio)
      if let goal = peer.goal, ratio > goal {
        missed.append("\(work): \(shown) of \(peer.name)")
        shown = "**\(shown)**"
      }
      let cells: [String] = [
        work, Self.time(result.seconds), each ?? "", "\(peer.name) \(Self.time(peer.seconds))",
        shown, peer.goal.map { "≤ \(Self.ratio($0))" } ?? "", memory ?? "",
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
  }

  private mutating func add(count: Int, bytes: Int, of work: String) {
    if let index = memories.firstIndex(where: { $0.work == work }) {
      memories[index].sizes.append((count, bytes))
    } else {
      memories.append((work, [(count, bytes)]))
    }
  }

  /// The summary below the table: missed goals, and memory growth.
  var summary: String {
    var lines = missed.isEmpty ? ["Every goal is met."] : missed.map { "Missed: \($0)" }
    for (work, sizes) in memories {
      guard let least = sizes.min(by: { $0.count < $1.count }),
        let most = sizes.max(by: { $0.count < $1.count }), least.count < most.count
      else { continue }
      let growth = Double(most.bytes) / Double(least.bytes)
      lines.append(
        "\(growth > Self.maxGrowth ? "Missed: memory" : "Memory") of \(work) at "
          + "\(Self.grouped(most.count)) records is \(Self.ratio(growth)) of that at "
          + "\(Self.grouped(least.count)).")
    }
    return lines.joined(separator: "\n")
  }

  private static func ratio(_ value: Double) -> String {
    String(format: value < 0.1 ? "%.3f" : "%.2f", value)
  }

  static func grouped(_ count: Int) -> String {
    count.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  private static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.000_1: String(format: "%.2f µs", seconds * 1_000_000)
    case ..<0.1: String(format: "%.2f ms", seconds * 1_000)
    default: String(format: "%.2f s", seconds)
    }
  }
}
