/// Follows all paths through a program in parallel, reusing its buffers.
struct PatternWalk: Sendable {
  private var marks: [UInt32]
  private var round: UInt32 = 0
  private var pending: [Int] = []
  private var found: [Int32] = []

  init(stepCount: Int) {
    marks = [UInt32](repeating: 0, count: stepCount)
  }

  /// Returns the steps that are reachable at the start of a text, sorted.
  mutating func firstSteps(in program: PatternProgram) -> [Int32] {
    begin()
    follow(0, in: program)
    return found.sorted()
  }

  /// Returns the steps that are reachable after a scalar, sorted.
  mutating func steps(
    after steps: [Int32], over scalar: UInt32, in program: PatternProgram
  ) -> [Int32] {
    begin()
    for step in steps {
      let isConsumed =
        switch program.steps[Int(step)] {
        case .scalar(let value): value == scalar
        case .set(let number): program.sets[number].contains(scalar)
        case .split, .jump, .match: false
        }
      if isConsumed { follow(Int(step) + 1, in: program) }
    }
    return found.sorted()
  }

  private mutating func begin() {
    found.removeAll(keepingCapacity: true)
    round &+= 1
    if round == 0 {
      for index in marks.indices { marks[index] = 0 }
      round = 1
    }
  }

  /// Collects the steps reachable without consuming a scalar that consume one or match.
  private mutating func follow(_ first: Int, in program: PatternProgram) {
    pending.append(first)
    while let step = pending.popLast() {
      guard marks[step] != round else { continue }
      marks[step] = round
      switch program.steps[step] {
      case .split(let one, let other):
        pending.append(one)
        pending.append(other)
      case .jump(let target): pending.append(target)
      case .scalar, .set, .match: found.append(Int32(step))
      }
    }
  }
}
