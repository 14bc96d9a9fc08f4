import Foundation

/// The location of the program under test.
enum Binary {
  /// The value of `DATACTL_BINARY` or, if it is not set, the path of the `datactl` that was built
  /// together with these tests.
  static let path: String = {
    if let given = ProcessInfo.processInfo.environment["DATACTL_BINARY"], !given.isEmpty {
      return given
    }
    let argumentFolders = CommandLine.arguments.map {
      URL(filePath: $0).deletingLastPathComponent()
    }
    let folders = [Bundle.main.bundleURL] + argumentFolders
    let candidates = folders.map { $0.appending(path: "datactl").path }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "datactl"
  }()

  /// The root folder of the package.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func file(_ path: String) -> String { package.appending(path: path).path }

  static func text(of path: String) throws -> String {
    try String(contentsOfFile: file(path), encoding: .utf8)
  }
}
