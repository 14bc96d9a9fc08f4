import Foundation
import TestSupport
import Testing

/// The public symbols of the library, from the symbol graphs of its modules.
private struct PublicSymbols {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Comment: Decodable { let lines: [Line] }
    struct Line: Decodable { let text: String }

    let kind: Kind
    let pathComponents: [String]
    let docComment: Comment?

    var name: String { pathComponents.joined(separator: "/") }
  }

  private struct Graph: Decodable { let symbols: [Symbol] }

  let symbols: [Symbol]

  init() throws {
    let build = try #require(Program.buildFolder)
    let folder = try TemporaryFolder()
    var symbols: [Symbol] = []
    for module in ["JSONText", "DataModel", "Maps", "ClientCore", "DataClient"] {
      // This is what `swift package dump-symbol-graph` runs, without its build of all targets.
      let modules = ["CSQLite", "CPostgres", "CSodium", "CXML", "CZlib", "CGlibc", "CSHA256"]
        .flatMap {
          ["-I", Program.package.appending(path: "Sources/\($0)").path]
        }
      let result = try Program.run(
        "swift",
        [
          "symbolgraph-extract", "-module-name", module, "-I",
          build.appending(path: "Modules").path,
          "-target", build.deletingLastPathComponent().lastPathComponent,
          "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir",
          folder.url.path,
        ] + modules)
      #expect(result.status == 0, "\(result.output)")
    }
    for file in try FileManager.default.contentsOfDirectory(
      at: folder.url, includingPropertiesForKeys: nil)
    {
      symbols += try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols
    }
    self.symbols = symbols
  }
}

@Suite("Documentation of the library")
struct DocumentationTests {
  @Test("every public symbol has a documentation comment", .enabled(if: Program.runsAllTests))
  func summaries() throws {
    let symbols = try PublicSymbols().symbols
    #expect(symbols.count > 200)
    let undocumented = symbols.filter { symbol in
      symbol.docComment?.lines.contains { !$0.text.isEmpty } != true
    }
    #expect(undocumented.map(\.name).sorted() == [])
  }

  @Test(
    "each method of clients, records and batches has an example", .enabled(if: Program.runsAllTests)
  )
  func examples() throws {
    let types = ["Client", "Records", "Batch"]
    let methods = try PublicSymbols().symbols.filter { symbol in
      symbol.kind.identifier == "swift.method" && types.contains(symbol.pathComponents[0])
    }
    // One of the methods with the same base name has the example.
    let names = Dictionary(grouping: methods) { symbol in
      symbol.name.prefix { $0 != "(" }
    }
    #expect(names.count > 30)
    let missing = names.filter { _, methods in
      !methods.contains { $0.docComment?.lines.contains { $0.text == "```swift" } == true }
    }
    #expect(missing.keys.sorted() == [])
  }

  @Test(
    "DataClient.md lists every public type and every public method of Client",
    .enabled(if: Program.runsAllTests))
  func topics() throws {
    let article = try String(
      contentsOf: Program.package.appending(
        path: "Sources/DataClient/DataClient.docc/DataClient.md"),
      encoding: .utf8)
    let topics = article.components(separatedBy: "## Topics").last ?? ""
    let listed = Set(topics.components(separatedBy: "`").filter { !$0.isEmpty })
    let expected = try PublicSymbols().symbols.filter { symbol in
      symbol.pathComponents.count == 1
        || symbol.pathComponents.first == "Client" && symbol.pathComponents.count == 2
    }
    let missing = Set(expected.map(\.name)).subtracting(listed)
    #expect(missing.sorted() == [])
  }
}
