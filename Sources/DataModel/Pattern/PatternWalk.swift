/// Goes through a program's steps on all ways at once, with the memory that this takes.
struct PatternWalk: Sendable {
  private var marks: [UInt32]
  private var round: UInt32 = 0
  private var waiting: [Int] = []
  private var found: [Int32] = []

  init(stepCount: Int) {
    marks = [UInt32](repeating: 0, count: stepCount)
  }

  /// Finds the steps that the beginning of a text leads to, in order.
  mutating func firstSteps(in program: PatternProgram) -> [Int32] {
    begin()
    follow(0, in: program)
    return found.sorted()
  }

  /// Finds the steps that a scalar leads to, in order.
  mutating func steps(
    after steps: [Int32], over scalar: UInt32, in program: PatternProgram
  ) -> [Int32] {
    begin()
    for step in steps {
      let takes =
        switch program.steps[Int(step)] {
        case .scalar(let value): value == scalar
        case .set(let number): program.sets[number].contains(scalar)
        case .split, .jump, .match: false
        }
      if takes { follow(Int(step) + 1, in: program) }
    }
    return found.sorted()
  }

  private mutating func begin() {
    found.removeAll(keepingCapacity: true)
    round &+= 1
    if round == 0 {
      for place in marks.indices { marks[place] = 0 }
      round = 1
    }
  }

  /// Notes all steps from which a scalar or the text's end is awaited.
  private mutating func follow(_ first: Int, in program: PatternProgram) {
    waiting.append(first)
    while let step = waiting.popLast() {
      guard marks[step] != round else { continue }
      marks[step] = round
      switch program.steps[step] {
      case .split(let one, let other):
        waiting.append(one)
        waiting.append(other)
      case .jump(let target): waiting.append(target)
      case .scalar, .set, .match: found.append(Int32(step))
      }
    }
  }
}
