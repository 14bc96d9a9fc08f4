import Foundation

/// Programs that the tests run, and where they are.
enum Program {
  /// The folder of this package.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the build that these tests belong to; nil if it is not found.
  static let buildFolder: URL? = {
    let folders = CommandLine.arguments.map {
      URL(filePath: $0).resolvingSymlinksInPath().deletingLastPathComponent()
    }
    return ([Bundle.main.bundleURL] + folders).first {
      FileManager.default.fileExists(
        atPath: $0.appending(path: "Modules/DataClient.swiftmodule").path)
    }
  }()

  /// Whether the slow tests run too.
  static var runsAllTests: Bool {
    ProcessInfo.processInfo.environment["DATACTL_TESTS"] == "all"
  }

  /// Runs a program and returns its exit status and all its output.
  static func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil,
    _ variables: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
