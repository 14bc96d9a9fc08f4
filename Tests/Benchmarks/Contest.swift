import ProgramHarness

/// Two ways of doing the same work, run in turn.
struct Contest {
  let work: String
  /// Each does the work once and gives the seconds that it took.
  let datactl: () throws -> Double
  let peer: () throws -> Double
  /// The largest memory that datactl had in a run of its own, in bytes.
  let memory: () throws -> Int

  struct Result {
    let work: String
    let datactl: Double
    let peer: Double
    let memory: Int
  }

  /// Runs both sides `rounds` times, in turn, and takes the medians.
  func run(rounds: Int) throws -> Result {
    var own: [Double] = []
    var other: [Double] = []
    for _ in 0..<rounds {
      own.append(try datactl())
      other.append(try peer())
    }
    return Result(
      work: work, datactl: own.sorted()[rounds / 2], peer: other.sorted()[rounds / 2],
      memory: try memory())
  }
}
