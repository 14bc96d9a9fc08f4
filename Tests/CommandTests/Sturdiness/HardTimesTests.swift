import Foundation
import Glibc
import ProgramHarness
import Testing

@Suite("Scarce resources and damaged stores")
struct HardTimesTests {
  @Test(
    "exits with 7 and loses nothing when the file size limit is reached",
    arguments: [4, 16, 64, 200])
  func longestFile(_ blocks: Int) throws {
    let place = try Place()
    try place.keepTodos()
    let before = try place.todos
    let limit = "ulimit -f \(blocks); exec \"$@\""
    let limited = place.program.behind(["/bin/bash", "-c", limit, "bash"])
    let run = try limited.run(
      ["save", "todo", "-o", "none"], input: .bytes(Place.todos(20_000)))
    try run.exits(7).printsNothing().says("datactl: ")
    #expect(try place.todos == before)
    try place.run("save", "todo", "d", "title=dates").exits(0)
    try place.checkStore()
  }

  @Test("relative paths do not resolve to the root when the working folder is deleted")
  func lostFolder() throws {
    let place = try Place()
    let kept = place.path("kept.db")
    try place.prepare("schema", "create", "todo", "title:text", "--store", kept)
    let lost = """
      mkdir lost && cd lost && rmdir ../lost
      "$@" schema create todo title:text --store lost-store.db; echo $?
      "$@" save todo --file etc/hostname --store "\(kept)"; echo $?
      "$@" schema list -o ids --store "\(kept)"; echo $?
      ls /lost-store.db 2>&-
      """
    let run = try place.program.behind(["/bin/bash", "-c", lost, "bash"]).run([]).says(
      "the working directory no longer exists",
      "etc/hostname: No such file or directory")
    #expect(run.lines == ["7", "3", "todo", "0"])
  }

  @Test(
    "exits with 7 and loses nothing when the file system is full",
    .enabled(if: getuid() == 0, "only root can make a small file system"))
  func fullFileSystem() throws {
    let place = try Place()
    try place.write("many.ndjson", String(decoding: Place.todos(40_000), as: UTF8.self))
    try place.write(
      "steps.sh",
      """
      mkdir small && mount -t tmpfs -o size=1m none small && cd small || exit 99
      "$@" schema create todo title:text! priority:integer && "$@" save todo kept title=x -o none
      "$@" save todo --file ../many.ndjson
      echo "status $?"
      "$@" list todo -o ids
      sqlite3 shop.db 'pragma integrity_check'

      """)
    let steps = place.program.behind(["/usr/bin/unshare", "-m", "/bin/sh", "steps.sh"])
    let run = try steps.run([])
    try run.holds(run.status != 99, "a small file system was expected")
    try run.prints("status 7\nkept\nok\n")
  }

  @Test(
    "reports a full file system when reading needs space",
    .enabled(if: getuid() == 0, "only root can make a small file system"))
  func readingFullFileSystem() throws {
    let place = try Place()
    try place.write(
      "steps.sh",
      """
      mkdir small && mount -t tmpfs -o size=1m none small && cd small || exit 99
      "$@" schema create todo title:text! && "$@" save todo kept title=x -o none
      cat /dev/zero > filling 2> /dev/null
      "$@" list todo -o ids
      echo "status $?"
      rm filling
      "$@" list todo -o ids

      """)
    let steps = place.program.behind(["/usr/bin/unshare", "-m", "/bin/sh", "steps.sh"])
    let run = try steps.run([])
    try run.holds(run.status != 99, "a small file system was expected")
    try run.prints("status 7\nkept\n").says(
      "shop.db: the disk is full\n",
      "  even reading needs about 32 KB of free space: free some on the disk of the file\n")
  }

  @Test("reports a lack of memory without crashing", arguments: [100, 200, 400])
  func littleMemory(_ megabytes: Int) throws {
    let place = try Place()
    try place.keepTodos()
    let before = try place.todos
    let limit = "ulimit -v \(megabytes * 1000); exec \"$@\""
    let limited = place.program.behind(["/bin/bash", "-c", limit, "bash"])
    let run = try limited.run(
      ["save", "todo", "-o", "none"], input: .bytes(Place.todos(50_000)))
    if run.status == 0 {
      #expect(try place.todoCount == 50_003)
    } else {
      #expect(run.status == 7 || run.status == 1 || run.status == 127, "\(run.report)")
      #expect(try place.todos == before)
    }
  }

  @Test(
    "rejects a gigabyte in one JSON string with any amount of memory",
    arguments: [60, 100, 150, 300, 1_000])
  func gigabyte(_ megabytes: Int) throws {
    let place = try Place()
    try place.declareTodos()
    for beginning in [#"{"title":""#, #"{""#, #"[{"tags":[""#] {
      let line = """
        { printf '%s' '\(beginning)'; head -c 1000000000 /dev/zero | tr '\\0' x; } 2>/dev/null |
        { ulimit -v \(megabytes * 1_000); datactl save todo -o none; }
        """
      try place.shell(line).exits(6).printsNothing()
        .says("datactl: standard input:1: ", "a record exceeds ", " MiB of text")
    }
    #expect(try place.todoCount == 0)
  }

  @Test("leaves foreign, damaged and newer stores unchanged")
  func strangeStores() throws {
    let place = try Place()
    try place.write("text.db", String(repeating: "no database at all. ", count: 500))
    try place.tool("sqlite3", "other.db", "create table t (a); insert into t values (1)")
    try place.prepare("schema", "create", "todo", "title:text", "--store", "sqlite:new.db")
    try place.tool("sqlite3", "new.db", "pragma user_version = 1000000")
    try FileManager.default.createDirectory(
      atPath: place.path("folder.db"), withIntermediateDirectories: true)
    for name in ["text.db", "other.db", "new.db", "folder.db"] {
      let before = FileManager.default.contents(atPath: place.path(name))
      for words in [
        ["list", "todo"], ["save", "todo", "a", "title=x"], ["schema", "create", "x"],
      ] {
        let run = try place.program.run(words + ["--store", "sqlite:\(name)"]).exits(7)
        try run.printsNothing().says(name)
        #expect(run.errorLines.count <= 2)
      }
      #expect(FileManager.default.contents(atPath: place.path(name)) == before)
    }
    #expect(
      try place.files.filter { !$0.hasSuffix("-lock") } == [
        "folder.db", "new.db", "other.db", "text.db",
      ])
  }
}
