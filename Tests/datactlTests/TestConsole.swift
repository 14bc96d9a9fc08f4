import datactl

/// A console in memory, for running the program on it.
struct TestConsole {
  let input: MemoryChannel
  let output: MemoryChannel
  let errors: MemoryChannel
  private let environment: [String: String]
  private let folder: String
  private let signal: Signal?
  private let clock: Int64
  private let stopwatch: @Sendable () -> Double

  init(
    input: MemoryChannel = MemoryChannel(), output: MemoryChannel = MemoryChannel(),
    errors: MemoryChannel = MemoryChannel(), environment: [String: String] = [:],
    folder: String = "/nowhere", signal: Signal? = nil, clock: Int64 = 1_795_143_900_000_000,
    stopwatch: @escaping @Sendable () -> Double = { 0 }
  ) {
    self.clock = clock
    self.stopwatch = stopwatch
    self.input = input
    self.output = output
    self.errors = errors
    self.environment = environment
    self.folder = folder
    self.signal = signal
  }

  func console(_ words: [String] = []) -> Console {
    let environment = environment
    let signal = signal
    let clock = clock
    return Console(
      arguments: words, variable: { environment[$0] }, folder: folder, userID: 0,
      clock: { clock }, stopwatch: stopwatch, input: input, output: output,
      errors: errors, signal: { signal })
  }

  /// Runs one command line and returns its exit status.
  func run(_ words: String...) async -> Int32 { await run(words) }

  func run(_ words: [String]) async -> Int32 { await Program.run(on: console(words)) }
}
