import ProgramHarness

/// Several programs that do the same work, measured in alternating rounds.
struct Comparison {
  /// A program that does the work.
  struct Contender {
    let name: String
    /// The goal for the ratio of datactl's time to this program's time, if any.
    var goal: Double?
    /// Prepares the work; not measured.
    var prepare: () throws -> Void = {}
    /// A shell command in which `$BINARY` is datactl.
    let command: String
    /// How often a round runs the command.
    ///
    /// Short commands are repeated, so that other load on the machine slows all contenders alike.
    var repeats = 1
    /// The number of lines that the command prints; if set, they are piped to `wc` and counted.
    var lines: Int?
    /// Whether the program runs only in the first round.
    var isSlow = false

    fileprivate var line: String {
      if repeats > 1 { return Workspace.loop(repeats, command) }
      if let lines { return "[ $(\(command) | wc -l) = \(lines) ]" }
      return "\(command) >/dev/null"
    }
  }

  let work: String
  /// The number of records, for work on many records.
  var count: Int?
  let datactl: Contender
  let peers: [Contender]
  var rounds = 3
  /// Whether datactl's command is a single process, whose memory can be measured.
  var isOneProcess = true
  /// Throws unless all contenders have done the same work; called after the first round.
  var check: () throws -> Void = {}

  /// Runs all contenders alternately.
  ///
  /// The result of each is the first quartile of its times, which leaves out most interference from
  /// other processes and jumps of the clock.
  func run(on workspace: Workspace) throws -> Result {
    let contenders = [datactl] + peers
    var times: [[Double]] = contenders.map { _ in [] }
    for round in 0..<rounds {
      for (index, contender) in contenders.enumerated() where round == 0 || !contender.isSlow {
        try contender.prepare()
        times[index].append(try workspace.time(contender.line) / Double(contender.repeats))
      }
      if round == 0 { try check() }
    }
    var memory: Int?
    if isOneProcess {
      try datactl.prepare()
      memory = try workspace.memory(datactl.command)
    }
    let quartiles = times.map { $0.sorted()[$0.count / 4] }
    let peerResults = zip(peers, quartiles.dropFirst()).map {
      Result.PeerResult(name: $0.name, seconds: $1, goal: $0.goal)
    }
    return Result(
      work: work, count: count, seconds: quartiles[0], peerResults: peerResults, memory: memory)
  }

  /// The times of all contenders.
  struct Result {
    struct PeerResult {
      let name: String
      let seconds: Double
      let goal: Double?
    }

    let work: String
    let count: Int?
    let seconds: Double
    let peerResults: [PeerResult]
    /// The peak memory of datactl in bytes.
    let memory: Int?
  }
}
