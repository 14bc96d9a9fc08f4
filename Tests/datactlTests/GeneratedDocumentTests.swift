import CommandSyntax
import Foundation
import Testing
import datactl

@Suite("Generated documents")
struct GeneratedDocumentTests {
  private let description = Program.declaration.description

  @Test("the pages in man/ are identical to the generated pages")
  func manual() throws {
    let pages = description.manual(date: Program.date).map { ($0.file, $0.text) }
    try GeneratedFiles.expect(Dictionary(uniqueKeysWithValues: pages), in: "man")
  }

  @Test("the scripts in completions/ are identical to the generated scripts")
  func completions() throws {
    try GeneratedFiles.expect(
      [
        "datactl.bash": description.completionScript(for: .bash),
        "_datactl": description.completionScript(for: .zsh),
        "datactl.fish": description.completionScript(for: .fish),
      ], in: "completions")
  }
}

/// Generated files that are part of the repository.
///
/// With `DATACTL_RECORD=1` in the environment, the tests write them instead of comparing them.
enum GeneratedFiles {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static var isRecording: Bool {
    ProcessInfo.processInfo.environment["DATACTL_RECORD"] == "1"
  }

  /// Expects that a folder has exactly these files with these texts.
  static func expect(_ texts: [String: String], in folder: String, named suffix: String = "") throws
  {
    let folder = root.appending(path: folder)
    if isRecording {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in try names(in: folder, suffix) where texts[name] == nil {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      for (name, text) in texts {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
      }
    }
    #expect(try names(in: folder, suffix) == texts.keys.sorted())
    for (name, text) in texts {
      let kept = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(kept == text, "\(name) is not what the program writes: make documents writes it")
    }
  }

  private static func names(in folder: URL, _ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(suffix) }.sorted()
  }
}
