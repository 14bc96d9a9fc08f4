import Foundation
import ProgramHarness

/// The cost of running the program, as counted by callgrind.
///
/// The counts hardly vary between runs, and do not depend on the load of the computer.
struct Callgrind {
  let instructions: Int
  /// For each function in a shared library, how often it was called.
  private let calls: [Substring: Int]

  /// The command that runs a program and writes its cost to `counts.txt`.
  static let command = [
    "/usr/bin/valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=counts.txt",
  ]

  init(
    _ folder: TestFolder, _ arguments: [String], input: Input = .nothing, status: Int32 = 0
  ) throws {
    try folder.ageStore()
    let counted = folder.program.prefixed(Self.command)
    try counted.run(arguments, input: input, output: .file("/dev/null")).exits(status)
    try self.init(of: folder)
  }

  /// Reads the cost of a program that has run in a folder.
  init(of folder: TestFolder) throws {
    try self.init(text: String(decoding: try folder.bytes("counts.txt"), as: UTF8.self))
  }

  /// Parses an output file of callgrind. It represents functions by numbers, and contains the name
  /// of each function only once.
  init(text: String) throws {
    var names: [Substring: Substring] = [:]
    var calls: [Substring: Int] = [:]
    var called: Substring = ""
    var total: Int?
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) }) {
      if line.hasPrefix("cfn=(") || line.hasPrefix("fn=(") {
        let parts = line.drop { $0 != "(" }.dropFirst().split(separator: ")", maxSplits: 1)
        if parts.count == 2 { names[parts[0]] = parts[1].dropFirst() }
        if line.hasPrefix("c") { called = names[parts[0]] ?? "" }
      } else if line.hasPrefix("calls=") {
        let count = line.dropFirst(6).prefix { $0 != " " }
        calls[called, default: 0] += Int(count) ?? 0
      } else if line.hasPrefix("totals: ") {
        total = Int(line.dropFirst(8))
      }
    }
    guard let total else { throw Violation("callgrind wrote no total") }
    instructions = total
    self.calls = calls
  }

  func calls(of function: String) -> Int { calls[Substring(function)] ?? 0 }

  /// The number of statements that SQLite compiled.
  var statements: Int { calls(of: "sqlite3_prepare_v3") }
  /// The number of memory allocations.
  var allocations: Int {
    ["malloc", "calloc", "realloc", "posix_memalign"].map(calls(of:)).reduce(0, +)
  }
}
