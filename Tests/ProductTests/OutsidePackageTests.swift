import Foundation
import TestSupport
import Testing

/// A package outside of this one that depends on the library, made of the manifest and the program
/// in the article `GettingStarted`.
@Suite("A separate package that depends on DataClient")
struct OutsidePackageTests {
  @Test(
    "builds and runs the program of the tutorial", .enabled(if: Program.runsAllTests),
    .timeLimit(.minutes(20)))
  func tutorial() throws {
    let article = try String(
      contentsOf: Program.package.appending(
        path: "Sources/DataClient/DataClient.docc/GettingStarted.md"), encoding: .utf8)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    // The folder stays, so that a second run compiles only what has changed.
    let folder = Program.package.appending(path: ".build/outside")
    let package = folder.appending(path: "todos")
    let files = FileManager.default
    try files.createDirectory(
      at: package.appending(path: "Sources/todos"), withIntermediateDirectories: true)
    let link = folder.appending(path: "datactl")
    try? files.removeItem(at: link)
    try files.createSymbolicLink(at: link, withDestinationURL: Program.package)
    try Data(blocks[0].utf8).write(to: package.appending(path: "Package.swift"))
    let store = try TemporaryFolder()
    let server = try Server(in: store.url)
    defer { server.stop() }
    /// Builds the program of some of the examples, and runs it twice.
    func run(_ blocks: some Sequence<String>, on address: String, _ token: [String: String]) throws
      -> [String]
    {
      let program = blocks.joined(separator: "\n").replacing(
        "\"sqlite:todos.db\"", with: "\"\(address)\", session: .saved")
      try Data(program.utf8).write(to: package.appending(path: "Sources/todos/main.swift"))
      let build = try Program.run("swift", ["build", "--package-path", package.path])
      try #require(build.status == 0, "\(build.output)")
      return try (1...2).map { _ in
        let run = try Program.run(
          package.appending(path: ".build/debug/todos").path, [], in: store.url, token)
        #expect(run.status == 0)
        return run.output
      }
    }
    let saved = "Person(personID: ann, name: \"Ann\", age: Optional(31))\nBuy tea ann\n1\n"
    let document = "{\"id\":\"ann\",\"fullName\":\"Ann\",\"years\":31}\n\n"
    let end = "1\nperson.age: expected integer, found text \"old\"\n"
    let local = try run(blocks.dropFirst(), on: "sqlite:todos.db", [:])
    #expect(local == [saved + document + end, saved + document + end])
    // Documents of other systems cannot be read and written through a server.
    let remote = try run(
      blocks.dropFirst().filter { !$0.contains("DataMap") }, on: server.address,
      ["DATACTL_TOKEN": server.token])
    #expect(remote == [saved + end, saved + end])
    #expect(files.fileExists(atPath: store.url.appending(path: "todos.db").path))
  }
}
