import Foundation
import ProgramHarness
import Testing

@Suite("restore", .onEveryStore)
struct RestoreTests {
  @Test("restores a dump in any kind of store, whose dump then has the same bytes")
  func roundTrip() throws {
    let folder = try DumpTests.sample()
    try folder.run("dump", "shop.tgz").exits(0)
    let dump = try folder.bytes("shop.tgz")
    let other = try TestFolder()
    let restored = try other.run("restore", "-", input: .bytes(dump)).exits(0)
    #expect(restored.errors == "6 records of 4 schemas restored\n1 user needs a new password\n")
    let original = try DumpTests.contents(of: dump, in: folder)
    let first = try DumpTests.contents(of: other.run("dump").exits(0).outputBytes, in: folder)
    #expect(first.text == original.text)
    let file = folder.program.with(["DATACTL_STORE": "sqlite:file.db"])
    try file.run(["restore", "shop.tgz"]).exits(0)
    let second = try DumpTests.contents(of: file.run(["dump"]).exits(0).outputBytes, in: folder)
    #expect(second.text == original.text)
    #expect(Set([original.store, first.store, second.store]).count == 3)
    try other.run("get", "todo", "tea", "--content", "photo").prints("hallo\n")
    try other.run("list", "todo", "--where", "steps.todo.owner.name = 'Ann'", "-o", "ids")
      .prints("tea\n")
    try other.run("save", "todo", "x", "title=c").exits(5)
  }

  @Test("restores a store without schemas, and schemas without records")
  func empty() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "note", "text:text")
    try folder.run("dump", "note.tgz").exits(0)
    try folder.prepare("schema", "drop", "note")
    try folder.run("dump", "empty.tgz").exits(0).reports("0 records of 0 schemas dumped")
    let program = folder.program.with(["DATACTL_STORE": "sqlite:a.db"])
    try program.run(["restore", "note.tgz"]).exits(0)
    try program.run(["list", "note", "--count"]).prints("0\n")
    try folder.run("restore", "empty.tgz").exits(0)
    try folder.run("restore", "note.tgz").exits(0)
    try folder.run("list", "note", "--count").prints("0\n")
  }

  @Test("leaves a store with schemas as it is")
  func existing() throws {
    let folder = try DumpTests.sample()
    try folder.run("dump", "shop.tgz").exits(0)
    let run = try folder.run("restore", "shop.tgz").exits(5)
    #expect(run.errors.contains("the store already has schemas"))
    #expect(try folder.run("dump").outputBytes == folder.bytes("shop.tgz"))
  }

  @Test("rejects an archive that ends within a header")
  func shortArchive() throws {
    let folder = try DumpTests.sample()
    try folder.run("dump", "shop.tgz").exits(0)
    _ = try folder.shell("gunzip < shop.tgz > shop.tar")
    for size in [0, 1, 100, 511, 512, 513, 600, 1_024, 1_300, 1_535] {
      _ = try folder.shell("head -c \(size) shop.tar | gzip > cut.tgz")
      let program = folder.program.with(["DATACTL_STORE": "sqlite:cut.db"])
      try program.run(["restore", "cut.tgz"]).exits(6)
      #expect(try !folder.files.contains("cut.db"), "\(size)")
    }
  }

  @Test("checks a dump without restoring it")
  func dryRun() throws {
    let folder = try DumpTests.sample()
    try folder.run("dump", "shop.tgz").exits(0)
    let other = try TestFolder()
    let dump = try folder.bytes("shop.tgz")
    let run = try other.run("restore", "-", "--dry-run", input: .bytes(dump)).exits(0)
    #expect(
      run.errors == "6 records of 4 schemas would be restored\n1 user needs a new password\n")
    #expect(try other.files == [])
    #expect(try other.run("restore", "-", "--dry-run", input: .bytes(dump.dropLast(9))).status == 6)
    try other.run("list", "todo").exits(7)
  }
}
