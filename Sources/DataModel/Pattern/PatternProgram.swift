/// A pattern compiled to the steps of a nondeterministic finite automaton.
struct PatternProgram: Sendable {
  /// The maximum number of steps, which bounds the time and memory that a pattern can take.
  static let limit = 10_000

  enum Step {
    /// Consumes this scalar and continues with the next step.
    case scalar(UInt32)
    /// Consumes any scalar of the set with this index in `sets`, and continues with the next step.
    case set(Int)
    /// Continues with both of the steps at these indexes.
    case split(Int, Int)
    /// Continues with the step at this index.
    case jump(Int)
    /// Matches if the text ends here.
    case match
  }

  private(set) var steps: [Step] = []
  let sets: [ScalarSet]

  /// The offset in the pattern of the outermost repetition that is being compiled. If the pattern
  /// is too large, the error is reported at this offset.
  private var repetition: Int?

  init(_ node: PatternNode, sets: [ScalarSet]) throws(Pattern.ParseError) {
    self.sets = sets
    try emit(node)
    try append(.match)
  }

  private mutating func append(_ step: Step) throws(Pattern.ParseError) {
    guard steps.count < Self.limit else {
      throw Pattern.ParseError(reason: .tooLarge, offset: repetition ?? 0)
    }
    steps.append(step)
  }

  private mutating func emit(_ node: PatternNode) throws(Pattern.ParseError) {
    switch node {
    case .scalar(let value): try append(.scalar(value))
    case .set(let number): try append(.set(number))
    case .sequence(let parts): for part in parts { try emit(part) }
    case .choice(let parts): try emit(choice: parts)
    case .repeated(let part, let minimum, let maximum, let offset):
      let outer = repetition
      repetition = outer ?? offset
      try emit(part, minimum: minimum, maximum: maximum)
      repetition = outer
    }
  }

  private mutating func emit(choice parts: [PatternNode]) throws(Pattern.ParseError) {
    var jumps: [Int] = []
    for part in parts.dropLast() {
      let split = steps.count
      try append(.split(split + 1, split + 1))
      try emit(part)
      jumps.append(steps.count)
      try append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    if let last = parts.last { try emit(last) }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func emit(
    _ part: PatternNode, minimum: Int, maximum: Int?
  ) throws(Pattern.ParseError) {
    var start = steps.count
    for _ in 0..<minimum {
      start = steps.count
      try emit(part)
      guard steps.count > start else { return }
    }
    guard let maximum else {
      if minimum > 0 { return try append(.split(start, steps.count + 1)) }
      try append(.split(start + 1, start + 1))
      try emit(part)
      try append(.jump(start))
      steps[start] = .split(start + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in minimum..<maximum {
      splits.append(steps.count)
      try append(.split(0, 0))
      try emit(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
