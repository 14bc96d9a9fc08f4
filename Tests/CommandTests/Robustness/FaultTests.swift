import Foundation
import Glibc
import ProgramHarness
import Testing

@Suite("Failing system calls")
struct FaultTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveTodos()
    return folder
  }

  // MARK: Files and folders

  @Test("fails when a folder of schema files cannot be read completely")
  func unreadableFolder() throws {
    let folder = try folder()
    try folder.prepare("schema", "export", "schemas")
    let failing = folder.failing("getdents64:error=EIO")
    for arguments in [["schema", "apply", "schemas"], ["schema", "export", "schemas"]] {
      try failing.run(arguments).exits(7).reports("schemas: Input/output error")
    }
    #expect(try folder.todoCount == 3)
  }

  @Test("reports the system error when stat fails for the schema folder")
  func unknownFolder() throws {
    let folder = try folder()
    try folder.prepare("schema", "export", "schemas")
    let failing = folder.failing("?stat,newfstatat:error=ENOMEM", on: folder.path("schemas"))
    for arguments in [["schema", "apply", "schemas"], ["schema", "export", "schemas"]] {
      try failing.run(arguments).exits(7).reports("schemas: Cannot allocate memory")
    }
  }

  @Test(
    "keeps an exported file unchanged if its new version cannot be written",
    arguments: [
      "?rename,?renameat,renameat2:error=EIO", "fsync:error=EIO", "close:error=EIO:when=1",
    ])
  func failedExport(_ fault: String) throws {
    let folder = try folder()
    try folder.prepare("schema", "export", "schemas")
    let path = folder.path("schemas/todo.json")
    try folder.prepare("schema", "create", "item")
    try folder.write("schemas/todo.json", "{}")
    // Before the file is closed at the end, a duplicate of its descriptor is closed.
    let on = fault.hasPrefix("close") ? folder.path("schemas/.todo.json.new-1") : nil
    let run = try folder.failing(fault, on: on).run(["schema", "export", "schemas"]).exits(1)
    #expect(run.errors.contains("schemas/"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("schemas"))
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("removes the temporary file of a killed command when a later command writes the same file")
  func killedReplacement() throws {
    let folder = try folder()
    let names = {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("schemas")).sorted()
    }
    try folder.prepare("schema", "export", "schemas")
    try Self.kill(folder, ["schema", "export", "schemas"])
    #expect(try names() == [".todo.json.new-1", "todo.json"])
    try folder.run("schema", "export", "schemas").exits(0)
    #expect(try names() == ["todo.json"])
    let save = ["save", "todo", "--skip-invalid", "--rejects", "bad.ndjson", "-o", "none"]
    try Self.kill(folder, save, input: .text("{}\n"))
    #expect(try folder.files.contains(".bad.ndjson.new-1"))
    try folder.program.run(save, input: .text("{}\n")).exits(6)
    #expect(try folder.files.filter { $0.contains("bad") } == ["bad.ndjson"])
  }

  /// Runs a command and kills it when it renames a file.
  private static func kill(
    _ folder: TestFolder, _ arguments: [String], input: Input = .nothing
  ) throws {
    let run = try folder.failing("?rename,?renameat,renameat2:error=EIO:signal=KILL")
      .run(arguments, input: input)
    try run.requires(run.status != 0, "the command was to be killed")
  }

  @Test("retries opening a file when a signal interrupts openat but does not stop the program")
  func interruptedOpening() throws {
    let folder = try folder()
    try folder.prepare("schema", "export", "schemas")
    try folder.write("input.ndjson", #"{"todo_id":"d","title":"dates"}"#)
    for (path, arguments) in [
      ("input.ndjson", ["save", "todo", "--file", "input.ndjson", "-o", "none"]),
      ("schemas", ["schema", "apply", "schemas"]), ("schemas", ["schema", "export", "schemas"]),
      ("schemas/todo.json", ["schema", "apply", "schemas"]),
    ] {
      try folder.failing("openat:error=EINTR:when=1", on: folder.path(path)).run(arguments)
        .exits(0)
    }
    #expect(try folder.todoCount == 4)
  }

  @Test("exits with 7 when a configuration file cannot be opened")
  func configuration() throws {
    let folder = try folder()
    try folder.write("datactl.json", "{}")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("datactl.json"))
    for fault in ["EIO", "EMFILE"] {
      let failing = folder.failing(
        "openat:error=\(fault)", on: folder.path("datactl.json"))
      var program = failing
      program.environment["DATACTL_STORE"] = nil
      try program.run(["list", "todo"]).exits(7).reports("the project file is not used")
      let credentials = "\(folder.root)/config/datactl/credentials.json"
      try folder.failing("openat:error=\(fault)", on: credentials).run(["whoami"]).exits(7)
        .reports("the sessions cannot be read")
    }
  }

  // MARK: Sessions

  private func userFolder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", "-o", "none",
      input: .text(#"{"username":"ann","password":"right one"}"#))
    return folder
  }

  private static let logIn = ["login", "-u", "ann", "--password-stdin"]

  private func sessionCount(_ folder: TestFolder) throws -> String {
    try folder.tool("sqlite3", "shop.db", "select count(*) from _session").output
  }

  @Test("ends the new session in the store when login cannot save the token")
  func failedLogIn() throws {
    let folder = try userFolder()
    try folder.failing("?rename,?renameat,renameat2:error=EIO")
      .run(Self.logIn, input: .text("right one\n")).exits(7)
      .reports("the session cannot be saved: Input/output error")
    #expect(try sessionCount(folder) == "0\n")
  }

  @Test("reports that logout ended the session although the token file cannot be changed")
  func failedLogOut() throws {
    let folder = try userFolder()
    try folder.program.run(Self.logIn, input: .text("right one\n")).exits(0)
    #expect(try sessionCount(folder) == "1\n")
    try folder.failing("?rename,?renameat,renameat2:error=EIO").run(["logout"]).exits(7)
      .reports(
        "the session cannot be deleted: Input/output error",
        "the session has ended in the store; log out again later to delete its token")
    #expect(try sessionCount(folder) == "0\n")
    try folder.run("logout").exits(0)
  }

  @Test("deletes the temporary token file of a killed login at the next login")
  func killedLogIn() throws {
    let folder = try userFolder()
    let names = {
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.root)/config/datactl").sorted()
    }
    try Self.kill(folder, Self.logIn, input: .text("right one\n"))
    #expect(try names() == [".credentials.json.new-1"])
    try folder.program.run(Self.logIn, input: .text("right one\n")).exits(0)
    #expect(try names() == ["credentials.json"])
  }

  @Test("does not report a wrong password when there is too little memory to hash it")
  func logInWithoutMemory() throws {
    let folder = try userFolder()
    try folder.write(
      "login.sh",
      """
      ulimit -v $(($1 * 1000)); shift
      exec "$@"

      """)
    var isReported = false
    for megabytes in stride(from: 60, through: 400, by: 20) {
      let run = try folder.program.prefixed(["/bin/bash", "login.sh", "\(megabytes)"])
        .run(Self.logIn + ["--print-token"], input: .text("right one\n"))
      #expect(run.status != 4, "\(run.report)")
      if run.errors.contains("not enough memory to hash a password") {
        isReported = true
        #expect(run.status == 1)
      }
    }
    #expect(isReported)
  }

  @Test("hashes a password again when there was too little memory for the first attempt")
  func memoryLackingOnce() throws {
    let folder = try userFolder()
    let arguments = Self.logIn + ["--print-token"]
    // A fault that never occurs, so that the calls are recorded.
    try folder.failing("mmap:error=ENOMEM:when=65535")
      .run(arguments, input: .text("right one\n")).exits(0)
    let calls = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
      .split(separator: "\n")
    // Hashing takes 64 MiB. Faults are counted for each thread.
    let hashing = try #require(calls.firstIndex { $0.contains(/mmap\(NULL, 671[0-9]{5},/) })
    let thread = calls[hashing].prefix { $0 != " " }
    let number = calls[...hashing].count { $0.hasPrefix("\(thread) ") }
    let run = try folder.failing("mmap:error=ENOMEM:when=\(number)")
      .run(arguments, input: .text("right one\n")).exits(0)
    #expect(run.lines[0].utf8.count == 64, "\(run.report)")
    try folder.failing("mmap:error=ENOMEM:when=\(number)")
      .run(arguments, input: .text("wrong one\n")).exits(4)
  }

  @Test("reports that the server may have executed the command if waiting for the response fails")
  func failedWait() throws {
    let server = try TestServer(try folder())
    let client = try TestFolder(store: server.address)
    let failing = client.failing("?poll,?ppoll:error=ENOMEM:when=1")
    try failing.run(["schema", "create", "item"]).exits(7).reports(
      "libcurl cannot wait for the response", "the server may have completed the command")
    // A change with a key is sent again.
    let run = try failing.run(["save", "todo", "d", "title=x"])
    #expect(!run.errors.contains("libcurl"), "\(run.report)")
  }

  // MARK: The store

  @Test("neither saves nor deletes anything when the disk is full during save --prune")
  func fullDiskWithPrune() throws {
    let folder = try folder()
    try folder.write("todos.ndjson", #"{"todo_id":"new","title":"x"}"#)
    try folder.failing("pwrite64:error=ENOSPC", on: folder.path("shop.db-wal")).run([
      "save", "todo", "--file", "todos.ndjson", "--prune", "true", "--yes",
    ]).exits(7).printsNothing()
    #expect(try folder.todoCount == 3)
  }

  @Test("reports an unknown outcome when a commit cannot be synced to disk")
  func unsyncedCommit() throws {
    let folder = try folder()
    for arguments in [
      ["save", "todo", "d", "title=x", "-o", "none"], ["delete", "todo", "a"],
      ["schema", "create", "item"],
    ] {
      try folder.failing("fdatasync:error=EIO").run(arguments + ["--errors", "json"]).exits(7)
        .reports(
          #""code":"outcome_unknown""#,
          "the outcome of the commit is unknown",
          "check whether the changes were committed before you run the command again")
    }
    try folder.checkIntegrity()
  }

  @Test("reports the last saved line when the disk becomes full after the first commits")
  func fullDiskInParts() throws {
    let folder = try folder()
    let run = try folder.failing("pwrite64:error=ENOSPC:when=60+", on: folder.path("shop.db-wal"))
      .run(
        ["save", "todo", "--commit-every", "1", "-o", "none"], input: .bytes(TestFolder.todos(40)))
    try run.exits(7).reports("the disk is full", "everything up to line ")
    #expect(!run.errors.contains("nothing was changed"))
    let whole = try folder.failing("pwrite64:error=ENOSPC", on: folder.path("shop.db-wal"))
      .run(["save", "todo", "z", "title=z", "-o", "none"])
    try whole.exits(7).reports("the disk is full", "nothing was changed")
  }

  @Test("reports a read error instead of a damaged store when a read fails", arguments: 1...6)
  func failedRead(_ number: Int) throws {
    let folder = try folder()
    let failing = folder.failing(
      "pread64:error=EIO:when=\(number)", on: folder.path("shop.db"))
    for arguments in [["list", "todo"], ["save", "todo", "d", "title=x"]] {
      let run = try failing.run(arguments)
      #expect(!run.errors.contains("damaged") && !run.errors.contains("code "), "\(run.report)")
      guard run.status != 0 else { continue }
      try run.exits(7).reports("shop.db: reading failed: Input/output error")
    }
  }

  @Test("reports the actual cause when a file of the store cannot be opened")
  func failedOpening() throws {
    let cause = ": Too many open files"
    // If only the first call fails, SQLite opens the database for reading. It tries other files
    // twice, and reports the second error.
    for (suffix, calls, reason) in [
      ("-wal", "", cause), ("-wal", ":when=1", ""), ("-shm", "", cause), ("-shm", ":when=1", ""),
      ("", ":when=1", " for writing\(cause)"),
    ] {
      let folder = try folder()
      let run = try folder.failing(
        "openat:error=EMFILE\(calls)", on: folder.path("shop.db\(suffix)")
      ).run(["save", "todo", "d", "title=x"])
      try run.exits(7).reports("shop.db: cannot be opened\(reason)")
      #expect(!run.errors.contains("No such file"), "\(run.report)")
      #expect(!run.errors.contains("permissions"), "\(run.report)")
    }
  }

  @Test(
    "creates a store in WAL mode or leaves no files, whichever system call fails",
    arguments: [
      ("fsync,fdatasync:error=EIO", 8), ("?rename,?renameat,renameat2:error=EIO", 1),
      ("pwrite64:error=EIO", 16), ("pwrite64:error=ENOSPC", 16),
    ])
  func failedCreation(_ fault: String, _ count: Int) throws {
    let cause = fault.hasSuffix("EIO") ? "failed: Input/output error" : "the disk is full"
    for number in 1...count {
      let folder = try TestFolder()
      let run = try folder.failing("\(fault):when=\(number)").run(["schema", "create", "todo"])
      let files = try folder.files.filter { $0 != "calls.txt" }
      if run.status == 0 || run.errors.contains("shop.db: created, but syncing the folder") {
        #expect(files == ["shop.db", "shop.db-lock"])
        try folder.tool("sqlite3", "shop.db", "pragma journal_mode").prints("wal\n")
      } else {
        #expect(files == ["shop.db-lock"], "\(run.report)")
      }
      guard run.status != 0 else { continue }
      let isCreated = files.contains("shop.db")
      try run.exits(7).reports(
        isCreated ? "the changes are committed" : "nothing was changed",
        fault.contains("rename") ? "cannot be created: Input/output error" : cause)
    }
  }

  @Test("creates a store in WAL mode even if a killed command left an incomplete store file")
  func killedCreation() throws {
    let folder = try TestFolder()
    try Self.kill(folder, ["schema", "create", "todo", "title:text"])
    #expect(try folder.files.contains("shop.db-new"))
    try folder.prepare("schema", "create", "todo", "title:text")
    #expect(
      try folder.files.filter { $0 != "calls.txt" } == ["shop.db", "shop.db-lock"])
    try folder.tool("sqlite3", "shop.db", "pragma journal_mode").prints("wal\n")
  }

  @Test("removes shop.db-new only if it is a hard link to the store shop.db")
  func secondName() throws {
    let folder = try folder()
    try folder.tool("ln", "shop.db", "shop.db-new")
    try folder.run("save", "todo", "d", "title=x").exits(0)
    #expect(try !folder.files.contains("shop.db-new"))
    try folder.tool("cp", "shop.db", "shop.db-new")
    try folder.run("save", "todo", "e", "title=x").exits(0)
    #expect(try folder.files.contains("shop.db-new"))
  }

  @Test("waits for a lock of SQLite as long as --wait specifies")
  func lockTimeout() throws {
    let folder = try folder()
    try folder.tool("mkfifo", "go")
    try folder.write("editor.sh", "sed -i s/tea/chai/ \"$1\"; echo ready >&2; read line < go\n")
    let edit = try folder.program.with(["VISUAL": "sh editor.sh"])
      .start(["edit", "todo", "a", "--wait", "1"])
    try edit.wait(for: "the editor") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let descriptor = unsafe open(folder.path("shop.db"), O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    // The bytes that SQLite locks to exclude all other connections.
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 1_073_741_824
    lock.l_len = 512
    #expect(unsafe fcntl(descriptor, F_SETLK, &lock) == 0)
    let clock = ContinuousClock()
    let start = clock.now
    for arguments in [
      ["save", "todo", "d", "title=x"], ["delete", "todo", "a"], ["schema", "create", "item"],
    ] {
      try folder.program.run(arguments + ["--wait", "1"]).exits(7).reports("pass --wait SECONDS")
    }
    try folder.write("go", "\n")
    try edit.finish().exits(7).reports("pass --wait SECONDS", "the text is kept in ")
    #expect(clock.now - start < .seconds(12))
    lock.l_type = Int16(F_UNLCK)
    _ = unsafe fcntl(descriptor, F_SETLK, &lock)
  }

  // MARK: Output

  @Test("reports what was committed when the output cannot be written")
  func failedOutput() throws {
    let folder = try folder()
    try folder.write("batch.ndjson", #"{"save":"todo","record":{"title":"x"}}"#)
    try folder.program.run(["batch", "batch.ndjson"], output: .file("/dev/full")).exits(1)
      .reports(
        "standard output: No space left on device",
        "datactl: the operations are committed, but the output is incomplete")
    #expect(try folder.todoCount == 4)
    for (arguments, change) in [
      (["delete", "todo", "a"], "1 record is deleted"),
      (["save", "todo", "b", "title=y", "-o", "none"], "1 record is saved"),
      (["schema", "create", "item"], "the schemas are changed"),
      (["schema", "rename", "item", "thing"], "the schemas are changed"),
    ] {
      let run = try folder.failing("write:error=EIO:when=1").run(arguments).exits(1)
      try run.reports(
        "standard error: Input/output error", "\(change), but the output is incomplete")
    }
    #expect(try folder.todoCount == 3)
    let dry = try folder.failing("write:error=EIO:when=1").run(["delete", "todo", "b", "-n"])
    #expect(!dry.errors.contains("incomplete"))
  }

  // MARK: Libraries

  @Test("reports the system's reason when a library cannot be loaded")
  func failedLibrary() throws {
    let folder = try userFolder()
    let run = try folder.failing(
      "openat:error=EMFILE", on: "/lib/x86_64-linux-gnu/libsodium.so.23",
      "/usr/lib/x86_64-linux-gnu/libsodium.so.23"
    ).run(Self.logIn, input: .text("right one\n"))
    try run.exits(1).reports("libsodium, which cannot be loaded: ", "Too many open files")
    #expect(!run.errors.contains("install"))
  }
}

extension TestFolder {
  /// Returns the program under test, run with `strace` so that system calls fail.
  ///
  /// - Parameters:
  ///   - fault: The calls and what happens in them, in the form of `strace --inject`.
  ///   - paths: The paths of the files whose calls fail; all files if there are none or if they are
  ///     nil.
  func failing(_ fault: String, on paths: String?...) -> Program {
    let paths = paths.compactMap(\.self).flatMap { ["-P", $0] }
    let calls = fault.prefix { $0 != ":" }
    return program.prefixed(
      [
        "/usr/bin/strace", "-f", "-qq", "-o", "calls.txt", "-e", "trace=\(calls)", "-e",
        "inject=\(fault)",
      ] + paths)
  }
}
