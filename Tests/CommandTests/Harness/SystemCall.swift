import Foundation
import ProgramHarness

/// A system call of a program, parsed from a line of the output of `strace -f -y`.
struct SystemCall {
  /// The part of the call that the line describes. strace splits a call if another thread makes a
  /// call meanwhile.
  enum Part {
    case whole
    case beginning
    case end
  }

  let process: Substring
  let name: String
  let part: Part
  /// The name of the file to which the first argument refers, if it is a file descriptor.
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

  /// Runs the program and returns those of its system calls that have one of the given names. The
  /// program must succeed. The lines contain at most `textLimit` bytes of each argument.
  static func trace(
    _ names: String, _ folder: TestFolder, _ arguments: [String], _ input: Input = .nothing,
    textLimit: Int = 32
  ) throws -> [SystemCall] {
    let traced = folder.program.prefixed([
      "/usr/bin/strace", "-f", "-y", "-s", "\(textLimit)", "-e", "trace=\(names)", "-o",
      "calls.txt",
    ])
    try traced.run(arguments, input: input).exits(0)
    let text = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
    return text.components(separatedBy: "\n").compactMap { SystemCall($0) }
  }
}
