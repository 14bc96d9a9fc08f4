import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Temporary stores", .tags(.process))
struct TemporaryStoreTests {
  private let folder: TestFolder
  private let program: Program

  init() throws {
    folder = try TestFolder()
    try folder.tool("mkdir", "temporary")
    program = folder.program.with([
      "TMPDIR": folder.path("temporary"), "DATACTL_STORE": "memory:",
    ])
  }

  private func temporaryFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary"))
  }

  @Test("removes the folder of the store when a command succeeds or fails")
  func removal() throws {
    let input = Input.text("{\"item_id\":\"a\",\"title\":\"tea\"}\n")
    try program.run(["save", "item", "--infer"], input: input).exits(0).reports("1 new")
    #expect(try temporaryFiles() == [])
    try program.run(["list", "item"]).exits(7).reports("memory:: there is no such store")
    #expect(try temporaryFiles() == [])
  }

  @Test("removes the folder of the store when a signal interrupts the command")
  func signal() throws {
    let save = try program.start(["save", "item", "--infer"], input: .open)
    try save.wait(for: "the store is opened") { _ in (try? temporaryFiles()) != [] }
    save.signal(15)
    try save.finish().exits(143)
    #expect(try temporaryFiles() == [])
  }
}
