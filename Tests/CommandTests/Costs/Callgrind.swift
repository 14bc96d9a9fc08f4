import Foundation
import ProgramHarness

/// What a run of the program cost, as callgrind counts it: nearly the same whenever it is run, and
/// whatever else the machine does.
struct Callgrind {
  let instructions: Int
  /// How often each function of a shared library was called, by its name.
  private let calls: [Substring: Int]

  init(_ place: Place, _ words: [String], input: Input = .nothing) throws {
    let counted = place.program.behind([
      "/usr/bin/valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=counts.txt",
    ])
    try counted.run(words, input: input, output: .file("/dev/null")).exits(0)
    try self.init(text: String(decoding: try place.bytes("counts.txt"), as: UTF8.self))
  }

  /// Reads what callgrind wrote: a function's name stands where it comes first, in brackets its
  /// number, which stands for it from then on.
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

  /// The statements that SQLite compiled.
  var statements: Int { calls(of: "sqlite3_prepare_v3") }
  /// The pieces of memory that were asked for.
  var allocations: Int {
    ["malloc", "calloc", "realloc", "posix_memalign"].map(calls(of:)).reduce(0, +)
  }
}
