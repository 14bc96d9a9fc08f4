import Foundation
import TestSupport

/// The output and exit status of a child process.
struct Outcome {
  let output: String
  let errors: String
  let status: Int32
}

/// Runs a command, which is looked up in the folder first and then in `PATH`.
func run(_ words: [String], in folder: String? = nil) throws -> Outcome {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  var environment = [
    "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder ?? "/nonexistent",
  ]
  if let folder {
    environment["PATH"] = folder + ":/usr/bin:/bin"
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
  }
  process.environment = environment
  let files = try TemporaryFolder()
  let output = try files.write("", to: "output")
  let errors = try files.write("", to: "errors")
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle(forWritingAtPath: output)
  process.standardError = FileHandle(forWritingAtPath: errors)
  try process.run()
  process.waitUntilExit()
  return Outcome(
    output: try String(contentsOfFile: output, encoding: .utf8),
    errors: try String(contentsOfFile: errors, encoding: .utf8),
    status: process.terminationStatus)
}
