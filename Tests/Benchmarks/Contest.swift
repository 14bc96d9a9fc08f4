import ProgramHarness

/// Ways of doing the same work, run in turn.
struct Contest {
  /// One who does the work.
  struct Side {
    let name: String
    /// What part of this side's time datactl may take, if there is a goal.
    var goal: Double?
    /// What the work needs before it; it is not counted.
    var prepare: () throws -> Void = {}
    /// A command of the shell in which `$BINARY` is datactl.
    let command: String
    /// How often a round runs the command. Short ones run often, so that what else the machine
    /// does meanwhile slows all sides alike.
    var repeats = 1
    /// How many lines the command prints, where they go into a pipe and are counted.
    var lines: Int?
    /// Runs in the first round only.
    var isSlow = false

    fileprivate var line: String {
      if repeats > 1 { return Track.loop(repeats, command) }
      if let lines { return "[ $(\(command) | wc -l) = \(lines) ]" }
      return "\(command) >/dev/null"
    }
  }

  let work: String
  /// How many records the work is about, if it is about many.
  var count: Int?
  let datactl: Side
  let peers: [Side]
  var rounds = 3
  /// Whether datactl's command is one process, whose memory can be looked at.
  var isOneProcess = true
  /// Throws unless all have done the same work; asked when each has done it once.
  var check: () throws -> Void = {}

  /// Runs all sides in turn. The time of each is one that a quarter of its rounds did not exceed:
  /// most of what else the machine does meanwhile is left out, and so is a clock that jumps.
  func run(on track: Track) throws -> Result {
    let sides = [datactl] + peers
    var times: [[Double]] = sides.map { _ in [] }
    for round in 0..<rounds {
      for (place, side) in sides.enumerated() where round == 0 || !side.isSlow {
        try side.prepare()
        times[place].append(try track.time(side.line) / Double(side.repeats))
      }
      if round == 0 { try check() }
    }
    var memory: Int?
    if isOneProcess {
      try datactl.prepare()
      memory = try track.memory(datactl.command)
    }
    let figures = times.map { $0.sorted()[$0.count / 4] }
    let rivals = zip(peers, figures.dropFirst()).map {
      Result.Rival(name: $0.name, seconds: $1, goal: $0.goal)
    }
    return Result(work: work, count: count, seconds: figures[0], rivals: rivals, memory: memory)
  }

  /// The times of all sides.
  struct Result {
    struct Rival {
      let name: String
      let seconds: Double
      let goal: Double?
    }

    let work: String
    let count: Int?
    let seconds: Double
    let rivals: [Rival]
    /// The largest memory of datactl, in bytes.
    let memory: Int?
  }
}
