import Foundation

/// The module table in `Sources/README.md`, and the source files of the package.
struct Architecture {
  /// For each module, the modules that it may import.
  let modules: [String: Set<String>]
  let files: [SourceFile]

  struct SourceFile: CustomStringConvertible {
    let module: String
    /// The path of the file, relative to `Sources`.
    let path: String
    let text: String

    var description: String { path }

    /// The names of the modules that the file imports.
    var imports: [String] {
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let at = words.firstIndex(of: "import"), words.count > at + 1,
          words[..<at].allSatisfy({ Self.accessModifiers.contains(String($0)) || $0.hasPrefix("@") }
          )
        else { return nil }
        return words[at + 1].split(separator: ".").first.map(String.init)
      }
    }

    private static let accessModifiers: Set = [
      "package", "public", "internal", "private", "fileprivate",
    ]

    /// Whether the file may import the C library: it is in the module `Platform`, or in a folder
    /// named `Platform` in another module.
    var isPlatform: Bool { path.split(separator: "/").dropLast().contains("Platform") }
  }

  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    let sources = Self.package.appending(path: "Sources").path
    let map = try String(contentsOfFile: "\(sources)/README.md", encoding: .utf8)
    modules = Self.modules(in: map)
    var files: [SourceFile] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources).sorted()
    where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      let module = path.split(separator: "/").first.map(String.init) ?? ""
      files.append(SourceFile(module: module, path: path, text: text))
    }
    self.files = files
  }

  /// Parses the module table. Its first column is a module, and its third column lists the modules
  /// that it may import.
  static func modules(in map: String) -> [String: Set<String>] {
    var modules: [String: Set<String>] = [:]
    let rows = map.components(separatedBy: "\n").drop { !$0.hasPrefix("| module |") }.dropFirst(2)
    for row in rows.prefix(while: { $0.hasPrefix("|") }) {
      let cells = row.split(separator: "|").map { literals(in: String($0)) }
      guard cells.count > 2, let module = cells[0].first else { continue }
      modules[module] = Set(cells[2])
    }
    return modules
  }

  /// Returns the texts in a table cell that are enclosed in backquotes.
  private static func literals(in cell: String) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
  }

  /// Returns the dependencies of each target, according to `swift package dump-package`.
  static func dependencies() throws -> [String: Set<String>] {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "house-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", package.path, "--scratch-path", scratch.path,
      "dump-package",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let manifest = try JSONDecoder().decode(Manifest.self, from: data)
    return Dictionary(
      manifest.targets.map { target in
        (
          target.name,
          Set(target.dependencies.flatMap { $0.target ?? $0.byName ?? [] }.compactMap(\.self))
        )
      }, uniquingKeysWith: { $0.union($1) })
  }

  private struct Manifest: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let name: String
      let dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      let target: [String?]?
      let byName: [String?]?
    }
  }
}
