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
    try Data(blocks.dropFirst().joined(separator: "\n").utf8).write(
      to: package.appending(path: "Sources/todos/main.swift"))

    let build = try Program.run("swift", ["build", "--package-path", package.path])
    try #require(build.status == 0, "\(build.output)")
    let store = try TemporaryFolder()
    for _ in 1...2 {
      let run = try Program.run(
        package.appending(path: ".build/debug/todos").path, [], in: store.url)
      #expect(run.status == 0)
      #expect(
        run.output == """
          person {"person_id":"ann","name":"Ann","age":31,"revision":1}
          Buy tea ann
          1
          {"id":"ann","fullName":"Ann","years":31}

          1
          person.age: expected integer, found text "old"

          """)
    }
    #expect(files.fileExists(atPath: store.url.appending(path: "todos.db").path))
  }
}
