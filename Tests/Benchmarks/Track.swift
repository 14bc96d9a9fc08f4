import Foundation
import ProgramHarness

/// A folder in which both sides work on the same data and the same disk.
final class Track {
  let folder: String
  let datactl: Program
  private let binary: String

  init(binary: String) throws {
    self.binary = URL(filePath: binary).standardizedFileURL.path
    folder =
      FileManager.default.temporaryDirectory
      .appending(path: "datactl-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var program = Program(
      [self.binary],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "TMPDIR": folder,
        "DATACTL_STORE": "sqlite:shop.db", "BINARY": self.binary,
      ], folder: folder)
    program.timeLimit = .seconds(3600)
    datactl = program
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func remove(_ name: String) {
    for ending in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path(name + ending))
    }
  }

  /// Runs a line of shell, in which `$BINARY` is datactl, and gives the seconds that it took.
  @discardableResult
  func time(_ line: String) throws -> Double {
    try shell(line).seconds
  }

  @discardableResult
  func shell(_ line: String) throws -> Run {
    let shell = Program(["/bin/sh", "-c"], environment: datactl.environment, folder: folder)
    var patient = shell
    patient.timeLimit = .seconds(3600)
    return try patient.run([line]).exits(0)
  }

  /// The largest memory of datactl with these arguments.
  func memory(_ arguments: [String], input: Input = .nothing) throws -> Int {
    let child = try datactl.start(arguments, input: input)
    child.watchesMemory = true
    return try child.finish().exits(0).peakMemory
  }
}
