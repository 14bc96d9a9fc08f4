import Foundation
import Testing

/// Tests of the instructions in `CONTRIBUTING.md` for adding a command, an option, a field type, and
/// so on.
@Suite("Walks for additions in CONTRIBUTING.md")
struct WalkTests {
  private struct Walk {
    /// What is added, as in the heading.
    let subject: String
    let text: String
    /// The texts and the paths of the links to source files.
    let links: [(text: String, path: String)]

    static var all: [Walk] {
      get throws {
        let document = try String(
          contentsOf: Architecture.package.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        return document.components(separatedBy: "\n### … ").dropFirst().map { part in
          let text = part.components(separatedBy: "\n## ")[0]
          let subject = String(text.prefix { $0 != "\n" })
          let links = text.matches(of: /\[([^\]]+)\]\(([^)]+\.swift)\)/).map {
            (String($0.1), String($0.2))
          }
          return Walk(subject: subject, text: text, links: links)
        }
      }
    }
  }

  private static func source(_ path: String) throws -> String {
    try String(contentsOf: Architecture.package.appending(path: path), encoding: .utf8)
  }

  @Test("there is a walk for everything that is added often")
  func subjects() throws {
    #expect(
      try Walk.all.map(\.subject) == [
        "a command", "an option", "a field type", "an output format", "a lint rule", "an engine",
      ])
  }

  @Test("each file that a walk links to declares what the text of the link names")
  func declarations() throws {
    let walks = try Walk.all
    #expect(walks.allSatisfy { $0.links.count >= 2 })
    for walk in walks {
      for link in walk.links {
        let name = link.text.split(separator: ".").last.map(String.init) ?? ""
        let declaration = try Regex(
          "\\b(struct|enum|class|actor|protocol|extension|func|var|let|case) \(name)\\b")
        #expect(
          try Self.source(link.path).contains(declaration),
          "\(walk.subject): \(link.path) does not declare \(name)")
      }
    }
  }

  @Test(
    "the walk names every source file in which its example is",
    arguments: [
      ("an option", #""--revision", \\\.revision|var revision: Int\?"#, "Sources/datactl/Commands"),
      ("an output format", #"case (.*\.)?md\b"#, "Sources"),
      ("a lint rule", #"wideDecimal\b"#, "Sources"),
      ("an engine", #"case (.*\.)?postgres\b"#, "Sources"),
    ])
  func completeness(subject: String, pattern: String, folder: String) throws {
    let walk = try #require(try Walk.all.first { $0.subject == subject })
    let regex = try Regex(pattern)
    let root = Architecture.package.appending(path: folder)
    let files =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    var found: [String] = []
    // An engine may have files of its own.
    for file in files where file.hasSuffix(".swift") && !file.hasPrefix("PostgresStore/") {
      let path = "\(folder)/\(file)"
      if try Self.source(path).contains(regex) { found.append(path) }
    }
    #expect(!found.isEmpty)
    let named = Set(walk.links.map(\.path))
    let missing = found.filter { !named.contains($0) }
    #expect(missing.sorted() == [])
  }
}
