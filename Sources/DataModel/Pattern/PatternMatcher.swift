extension Pattern {
  /// Matches many strings against one pattern, and caches the states of a deterministic automaton.
  ///
  /// A state is the set of program steps that can be reached with the text read so far. States and
  /// transitions are computed when they are first needed. When the cache is full, it is cleared, so
  /// that its memory is bounded.
  package struct Matcher: Sendable {
    private let program: PatternProgram
    private var walk: PatternWalk
    private var states: [State] = []
    private var numbers: [[Int32]: Int32] = [:]
    private var afterASCII: [Int32] = []
    private var afterOther: [Transition: Int32] = [:]
    private var cachedStepCount = 0

    private struct State {
      let steps: [Int32]
      let isMatch: Bool
    }

    private struct Transition: Hashable {
      let state: Int32
      let scalar: UInt32
    }

    private static let start: Int32 = 0
    private static let unknown: Int32 = -1

    package init(_ pattern: Pattern) {
      program = pattern.program
      walk = PatternWalk(stepCount: program.steps.count)
      clearCache()
    }

    /// Returns whether the whole UTF-8 text matches the pattern.
    package mutating func matches(_ text: Span<UInt8>) -> Bool {
      var state = Self.start
      var offset = 0
      while offset < text.count {
        let byte = text[offset]
        if byte < 0x80 {
          let known = afterASCII[Int(state) &* 128 &+ Int(byte)]
          state = known == Self.unknown ? advance(from: state, over: UInt32(byte)) : known
          offset &+= 1
        } else {
          let (scalar, length) = Self.scalar(in: text, at: offset)
          let known = afterOther[Transition(state: state, scalar: scalar)]
          state = known ?? advance(from: state, over: scalar)
          offset &+= length
        }
        if states[Int(state)].steps.isEmpty { return false }
      }
      return states[Int(state)].isMatch
    }

    /// Computes the state that follows `state` when `scalar` is read, and returns the index of the
    /// new state. Caches the transition, or clears the cache if it is full.
    private mutating func advance(from state: Int32, over scalar: UInt32) -> Int32 {
      let steps = walk.steps(after: states[Int(state)].steps, over: scalar, in: program)
      let isFull = states.count >= 500 || cachedStepCount >= 50_000 || afterOther.count >= 10_000
      if isFull, numbers[steps] == nil || afterOther.count >= 10_000 {
        clearCache()
        return number(of: steps)
      }
      let next = number(of: steps)
      if scalar < 0x80 {
        afterASCII[Int(state) * 128 + Int(scalar)] = next
      } else {
        afterOther[Transition(state: state, scalar: scalar)] = next
      }
      return next
    }

    private mutating func number(of steps: [Int32]) -> Int32 {
      if let number = numbers[steps] { return number }
      let number = Int32(states.count)
      let isMatch = steps.last.map { Int($0) == program.steps.count - 1 } ?? false
      states.append(State(steps: steps, isMatch: isMatch))
      numbers[steps] = number
      afterASCII.append(contentsOf: repeatElement(Self.unknown, count: 128))
      cachedStepCount += steps.count
      return number
    }

    private mutating func clearCache() {
      states.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
      afterASCII.removeAll(keepingCapacity: true)
      afterOther.removeAll(keepingCapacity: true)
      cachedStepCount = 0
      _ = number(of: walk.firstSteps(in: program))
    }

    /// Decodes the multibyte UTF-8 scalar at an offset, and returns the scalar and its length in
    /// bytes.
    private static func scalar(in text: Span<UInt8>, at offset: Int) -> (UInt32, length: Int) {
      let first = UInt32(text[offset])
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      var scalar = first & (0xFF >> UInt32(length + 1))
      for next in offset &+ 1..<min(offset &+ length, text.count) {
        scalar = scalar &<< 6 | UInt32(text[next] & 0x3F)
      }
      return (scalar, length)
    }
  }
}

/// Computes the steps of a pattern program that are reachable after each scalar of a text. All
/// alternatives are followed at the same time, so the text is read only once. The buffers are
/// reused between calls.
struct PatternWalk: Sendable {
  private var marks: [UInt32]
  private var round: UInt32 = 0
  private var pending: [Int] = []
  private var found: [Int32] = []

  init(stepCount: Int) {
    marks = [UInt32](repeating: 0, count: stepCount)
  }

  /// Returns the sorted indexes of the program steps that are reachable at the start of the text,
  /// before a scalar is consumed.
  mutating func firstSteps(in program: PatternProgram) -> [Int32] {
    begin()
    follow(0, in: program)
    return found.sorted()
  }

  /// Returns the sorted indexes of the program steps that are reachable from `steps` by consuming
  /// `scalar`.
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

  /// Follows all splits and jumps from the step `first`. Each step of another kind that is reached
  /// is appended to the list `found`.
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
