import Foundation
import ProgramHarness

/// A system call of a program, as logged by `strace -f -y`.
struct SystemCall {
  /// The part of a call that a line contains: strace splits a call that another thread interrupts.
  enum Part {
    case whole
    case beginning
    case end
  }

  let process: Substring
  let name: String
  let part: Part
  /// The name of the file whose descriptor is the first argument.
  let file: String?
  let line: String

  init?(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, Int(parts[0]) != nil else { return nil }
    process = parts[0]
    self.line = line
    let rest = parts[1].drop { $0 == " " }
    if rest.hasPrefix("<... ") {
      name = rest.dropFirst(5).split(separator: " ").first.map(String.init) ?? ""
      part = .end
      file = nil
      return
    }
    guard let bracket = rest.firstIndex(of: "(") else { return nil }
    name = String(rest[..<bracket])
    part = rest.hasSuffix("<unfinished ...>") ? .beginning : .whole
    let argument = rest[rest.index(after: bracket)...].prefix { $0 != "," && $0 != ")" }
    file = argument.split(separator: "<").dropFirst().first?.split(separator: ">").first
      .map { URL(filePath: String($0)).lastPathComponent }
  }

  /// Runs the program, which must succeed, and returns its system calls with the given names.
  static func trace(
    _ names: String, _ folder: TestFolder, _ arguments: [String], _ input: Input = .nothing
  ) throws -> [SystemCall] {
    let traced = folder.program.prefixed([
      "/usr/bin/strace", "-f", "-y", "-e", "trace=\(names)", "-o", "calls.txt",
    ])
    try traced.run(arguments, input: input).exits(0)
    let text = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
    return text.components(separatedBy: "\n").compactMap { SystemCall($0) }
  }
}
