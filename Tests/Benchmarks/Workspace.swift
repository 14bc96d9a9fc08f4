import Foundation
import ProgramHarness

/// A folder in which all contenders use the same data and the same disk.
final class Workspace {
  let directory: String
  private let shell: Program
  /// Whether sqlite-utils is installed.
  let hasSQLiteUtils: Bool

  init(binary: String) throws {
    directory =
      FileManager.default.temporaryDirectory
      .appending(path: "datactl-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    var shell = Program(
      ["/bin/sh", "-c"],
      environment: [
        "PATH": path, "HOME": directory, "TMPDIR": directory, "LC_ALL": "C.UTF-8",
        "BINARY": URL(filePath: binary).standardizedFileURL.path,
      ], directory: directory)
    shell.timeLimit = .seconds(7200)
    self.shell = shell
    hasSQLiteUtils = try shell.run(["sqlite-utils --version"]).status == 0
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Removes a store and its journal files.
  func remove(_ store: String) {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path(store + suffix))
    }
  }

  /// Copies a store and flushes the copy to disk, so that no contender pays for the writes of
  /// another.
  func copy(_ store: String, to copy: String) throws {
    remove(copy)
    try run("cp \(store) \(copy) && sync \(copy)")
  }

  /// Writes a file of lines and flushes it to disk.
  func write(_ name: String, lines: Int, _ line: (Int) -> String) throws {
    try Data().write(to: URL(filePath: path(name)))
    let file = try FileHandle(forWritingTo: URL(filePath: path(name)))
    defer { try? file.close() }
    var buffer = Data()
    for number in 0..<lines {
      buffer += line(number).utf8
      buffer.append(10)
      if buffer.count > 1 << 20 {
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try file.write(contentsOf: buffer)
    try file.synchronize()
  }

  /// Runs a shell command, which must succeed, and returns its output.
  @discardableResult
  func run(_ line: String) throws -> String {
    try shell.run([line]).exits(0).output
  }

  /// Runs a shell command, and returns the time in seconds.
  func time(_ line: String) throws -> Double {
    try shell.run([line]).exits(0).seconds
  }

  /// Starts a program that runs until it is stopped.
  func start(_ command: String) throws -> Child {
    try shell.start(["exec \(command)"], output: .file("/dev/null"))
  }

  /// Returns the peak memory of a command in bytes.
  func memory(_ command: String) throws -> Int {
    let child = try shell.start(["exec \(command)"], output: .file("/dev/null"))
    child.watchesMemory = true
    return try child.finish().exits(0).peakMemory
  }

  /// Returns a shell loop that runs a command the given number of times, one after the other.
  static func loop(_ count: Int, _ command: String) -> String {
    "i=0; while [ $i -lt \(count) ]; do \(command) >/dev/null || exit; i=$((i + 1)); done"
  }

  /// Returns a shell loop that runs a command the given number of times in parallel.
  static func parallel(_ count: Int, _ command: String) -> String {
    "i=0; while [ $i -lt \(count) ]; do \(command) >/dev/null & i=$((i + 1)); done; wait"
  }
}
