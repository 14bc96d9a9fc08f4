import DataClient
import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Calls of the library on a file, on a database and on a server", .onEveryStore)
struct LibraryCallTests {
  struct Note: Codable, Hashable, Sendable {
    var noteID: String
    var text: String?
    var owner: ReferenceTo<Person>?
  }

  struct Person: Codable, Hashable, Sendable {
    var personID: String
    var name: String
  }

  struct Chapter: Codable, Hashable, Sendable {
    var chapterID: RecordID?
    var title: String
    var notes: [Note] = []
  }

  struct Book: Codable, Hashable, Sendable {
    var bookID: String
    var author: Person
    var chapters: [Chapter] = []
    var editor: ReferenceTo<Person>?
  }

  /// A type whose properties do not match the fields of `note`.
  struct WrongNote: Codable, Sendable, Recorded {
    static var schema: String { "note" }
    var noteID: String
    var text: Int?
  }

  /// A store, a client of the store, and a client of a server of the same store.
  private struct Stores {
    let folder: TestFolder
    let server: TestServer
    let local: Client
    let remote: Client
    var clients: [Client] { [local, remote] }

    init() async throws {
      folder = try TestFolder()
      local = try await Stores.open(folder)
      try await local.applySchemas([
        """
        {"schema": "user", "kind": "user", "roles": "roles",
         "fields": {"username": {"type": "id"}, "password": {"type": "password"},
                    "roles": {"type": "[text]"}}}
        """
      ])
      try await local.records("user").save([
        ["username": "root", "password": "canary99", "roles": ["admin"]],
        ["username": "ann", "password": "canary98"],
      ])
      try await local.createSchema(for: Book.self)
      try await local.createSchema("page", ["scan:file"])
      try await local.records(of: Person.self).save(Person(personID: "ann", name: "Ann"))
      server = try TestServer(folder)
      remote = try await Client.open(server.address)
      try await remote.logIn("root", password: "canary99")
    }

    /// Opens a further client of the store.
    static func open(_ folder: TestFolder) async throws -> Client {
      let file = "sqlite:\(folder.path("shop.db"))"
      return try await Client.open(folder.address.hasPrefix("postgres") ? folder.address : file)
    }

    var place: StorePlace { StorePlace(database: folder.database, file: folder.path("shop.db")) }
  }

  /// The database or the file of a store.
  private struct StorePlace {
    let database: String?
    let file: String

    /// The number of connections to the database, or of open files of this process.
    func connectionCount() throws -> Int {
      if let database {
        let query = """
          select count(*) from pg_stat_activity where datname = '\(database)' \
          and application_name = 'datactl'
          """
        return Int(try PostgresServer.shared.get().run(query)) ?? -1
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return files.count { file in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(file)")
        return target == self.file
      }
    }
  }

  private func code(_ call: () async throws -> Void) async -> ErrorCode? {
    do {
      try await call()
      return nil
    } catch {
      return (error as? DataError)?.code
    }
  }

  private func notes(_ count: Int) -> [Note] {
    (1...count).map { Note(noteID: "n\($0)", text: "text \($0)", owner: $0 == 1 ? "ann" : nil) }
  }

  @Test("reads 150 lists at once on few connections, with a call inside of each")
  func manyLists() async throws {
    let stores = try await Stores()
    let notes = stores.local.records(of: Note.self)
    try await notes.save(self.notes(60))
    let place = stores.place
    let before = try place.connectionCount()
    let most = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<150 {
        group.addTask {
          var list = notes.list(
            order: "note_id", expanding: index.isMultiple(of: 3) ? "owner" : ""
          ).makeAsyncIterator()
          var count = 0
          var most = 0
          while let note = try await list.next() {
            if count == 1 {
              #expect(note.owner == nil)
              #expect(try await notes.get("n7", expanding: "owner")?.text == "text 7")
              most = try place.connectionCount()
            }
            if count == 0, index.isMultiple(of: 3) {
              #expect(note.owner?.record?.name == "Ann")
            }
            count += 1
          }
          #expect(count == 60)
          return most
        }
      }
      return try await group.reduce(0, max)
    }
    // Each client has at most eight, and the server has some of its own.
    #expect(most <= before + 8)
    // A server answers each of them from its own connections.
    let remote = stores.remote.records(of: Note.self)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<150 {
        group.addTask {
          var count = 0
          for try await _ in remote.list() { count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 150 * 60)
  }

  @Test("reads twelve lists and contents in turn in one task, with calls in between")
  func interleaved() async throws {
    let stores = try await Stores()
    for client in stores.clients {
      let notes = client.records(of: Note.self)
      try await notes.save(self.notes(500))
      try await client.records("page").save(["page_id": "p1"])
      let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
      for _ in 0..<300 { continuation.yield(Array(repeating: 7, count: 1_024)) }
      continuation.finish()
      try await client.records("page").setContent("scan", of: "p1", from: stream, name: "a.bin")
      let restricted = client.acting(as: "root").records(of: Note.self)
      var lists = (0..<12).map { index in
        (index.isMultiple(of: 2) ? notes : restricted).list(
          order: "note_id", expanding: index.isMultiple(of: 3) ? "owner" : ""
        ).makeAsyncIterator()
      }
      var contents: [FileContents.Iterator] = []
      for index in lists.indices {
        #expect(try await lists[index].next()?.noteID == "n1")
        contents.append(
          try #require(await client.records("page").content("scan", of: "p1")).makeAsyncIterator())
        #expect(try await contents[index].next()?.isEmpty == false)
        #expect(try await notes.get("n\(index + 2)")?.text == "text \(index + 2)")
        #expect(try await notes.page(limit: 3, order: "note_id").records.count == 3)
        try await notes.save(Note(noteID: "n500", text: "\(index)"))
      }
      for index in lists.indices {
        var rest = 1
        while try await lists[index].next() != nil { rest += 1 }
        #expect(rest == 500)
        var size = 0
        while let piece = try await contents[index].next() { size += piece.count }
        #expect(size < 300 * 1_024)
      }
      // The lists have ended, so that others can be read directly again.
      for _ in 0..<20 { for try await _ in notes.list() { break } }
      #expect(try await notes.count() == 500)
    }
  }

  @Test("throws an error when a client is used after it was closed")
  func closed() async throws {
    let stores = try await Stores()
    try await stores.local.records(of: Note.self).save(notes(3))
    let remote = try await Client.open(stores.server.address)
    try await remote.logIn("root", password: "canary99")
    for client in [try await Stores.open(stores.folder), remote] {
      let notes = client.records(of: Note.self)
      let acting = client.acting(as: "root")
      await acting.close()
      await client.dryRun().close()
      #expect(try await notes.count() == 3)
      var list = notes.list().makeAsyncIterator()
      #expect(try await list.next() != nil)
      await client.close()
      await client.close()
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await notes.get("n1") }, { _ = try await notes.count() },
        { for try await _ in notes.list() {} }, { _ = try await notes.page(limit: 1) },
        { _ = try await notes.groups(by: "text") }, { try await notes.delete("n1") },
        { try await notes.save(Note(noteID: "n9")) }, { _ = try await client.schemas() },
        { try await client.batch { $0.get("n1", in: "note") } },
        { try await client.createSchema("other", ["a:text"]) },
        { _ = try await client.whoAmI() }, { try await client.logIn("ann", password: "canary98") },
        { _ = try await acting.records("note").count() },
        { _ = try await client.dryRun().records("note").get("n1") },
        { _ = try await client.records("page").content("scan", of: "p1") },
      ]
      for (index, call) in calls.enumerated() {
        do {
          try await call()
          Issue.record("call \(index) does not fail")
        } catch let error as DataError {
          #expect(error.code == .usage, "call \(index): \(error)")
          #expect(error.problems[0].message == "the client is closed", "call \(index)")
        }
      }
    }
    #expect(try await stores.local.records("note").count() == 3)
  }

  @Test("asks the store for the session at each call of whoAmI")
  func endedSession() async throws {
    let stores = try await Stores()
    let remote = try await Client.open(stores.server.address)
    for client in [try await Stores.open(stores.folder), remote] {
      #expect(try await client.whoAmI() == nil)
      try await client.logIn("ann", password: "canary98", sessionName: "one")
      #expect(try await client.whoAmI()?.user == "ann")
      try await stores.local.endSessions(of: "ann")
      do {
        let logIn = try await client.whoAmI()
        Issue.record("\(logIn as Any)")
      } catch let error as DataError {
        #expect(error.code == .notLoggedIn)
        #expect(error.problems.map(\.message) == ["the session of ann has ended or is unknown"])
      }
      // A client that ends its own session is not logged in any more.
      try await client.logIn("ann", password: "canary98", sessionName: "one")
      try await client.logIn("ann", password: "canary98", sessionName: "two")
      #expect(try await client.endSessions(of: "ann", named: "one") == 1)
      #expect(try await client.whoAmI()?.user == "ann")
      #expect(try await client.endSessions(of: "ann", named: "two") == 1)
      #expect(try await client.whoAmI() == nil)
      try await client.logIn("ann", password: "canary98")
      #expect(try await client.endSessions(of: "ann") == 1)
      #expect(try await client.whoAmI() == nil)
    }
  }

  @Test("throws an error in each call of a task that is canceled")
  func cancellation() async throws {
    let stores = try await Stores()
    try await stores.local.records(of: Note.self).save(notes(3))
    try await stores.local.records("page").save(["page_id": "p1"])
    let empty = AsyncStream<[UInt8]> { stream in
      stream.yield([1, 2, 3])
      stream.finish()
    }
    try await stores.local.records("page").setContent("scan", of: "p1", from: empty, name: "a")
    for client in stores.clients {
      let notes = client.records(of: Note.self)
      let content = try #require(try await client.records("page").content("scan", of: "p1"))
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await notes.get("n1") }, { _ = try await notes.get(["n1"], expanding: "owner") },
        { _ = try await notes.count() }, { for try await _ in notes.list() {} },
        { _ = try await notes.page(limit: 1) }, { _ = try await notes.groups(by: "text") },
        { try await notes.delete("n1") }, { try await notes.deleteAll() },
        { try await notes.save(Note(noteID: "n9")) },
        { try await notes.updateAll(["text": "x"], where: "text != ''") },
        { try await client.batch { $0.save(["note_id": "n1", "text": "x"], in: "note") } },
        { _ = try await client.records("page").content("scan", of: "p1") },
        { _ = try await content.bytes() }, { _ = try await client.schemas() },
        { try await client.createSchema("other", ["a:text"]) }, { _ = try await client.whoAmI() },
      ]
      for (index, call) in calls.enumerated() {
        let task = Task { () -> ErrorCode? in
          // The call begins after the cancellation.
          while !Task.isCancelled { await Task.yield() }
          return await self.code(call)
        }
        task.cancel()
        #expect(await task.value == .interrupted, "call \(index)")
      }
      // A list ends at its next record.
      let (began, continuation) = AsyncStream<Void>.makeStream()
      let task = Task { () -> (ErrorCode?, Int) in
        var count = 0
        let code = await self.code {
          for try await _ in notes.list() {
            count += 1
            continuation.yield()
            while !Task.isCancelled { await Task.yield() }
          }
        }
        return (code, count)
      }
      for await _ in began { break }
      task.cancel()
      #expect(await task.value == (.interrupted, 1))
      #expect(try await notes.count(where: "text like 'text%'") == 3)
    }
  }

  @Test("reads the content of a file again in each iteration, unless the file was changed")
  func contentTwice() async throws {
    let stores = try await Stores()
    for client in stores.clients {
      let pages = client.records("page")
      try await pages.save(["page_id": "p1"])
      func set(_ text: String) async throws {
        let stream = AsyncStream<[UInt8]> { stream in
          stream.yield(Array(text.utf8))
          stream.finish()
        }
        try await pages.setContent("scan", of: "p1", from: stream, name: "a.txt")
      }
      try await set("hello")
      let content = try #require(try await pages.content("scan", of: "p1"))
      let part = try #require(try await pages.content("scan", of: "p1", range: 1..<3))
      for _ in 1...3 {
        #expect(try await content.bytes() == Array("hello".utf8))
        #expect(try await part.bytes() == Array("el".utf8))
      }
      var iterator = content.makeAsyncIterator()
      while try await iterator.next() != nil {}
      #expect(try await iterator.next() == nil)
      try await set("other")
      #expect(await code { _ = try await content.bytes() } == .changed)
      try await pages.delete("p1")
      #expect(await code { _ = try await content.bytes() } == .notFound)
    }
  }

  @Test("rejects a model type that does not match its schema in every call")
  func mismatch() async throws {
    let stores = try await Stores()
    try await stores.local.records(of: Note.self).save(notes(3))
    for client in stores.clients {
      let wrong = client.records(of: WrongNote.self)
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await wrong.get("n1") }, { for try await _ in wrong.list() {} },
        { _ = try await wrong.page(limit: 1) }, { _ = try await wrong.count() },
        { _ = try await wrong.groups(by: "text") }, { try await wrong.deleteAll() },
        { try await wrong.delete(where: "text != ''") }, { try await wrong.delete("n1") },
        { try await wrong.delete(["n1"]) }, { try await wrong.save(WrongNote(noteID: "n1")) },
      ]
      for (index, call) in calls.enumerated() {
        #expect(await code(call) == .usage, "call \(index)")
      }
      #expect(try await client.records("note").count() == 3)
    }
  }

  @Test("returns records inside of a value with the ids that a save has assigned")
  func assignedIDs() async throws {
    let stores = try await Stores()
    for client in stores.clients {
      let books = client.records(of: Book.self)
      let book = Book(
        bookID: "b1", author: Person(personID: "ann", name: "Ann"),
        chapters: [
          Chapter(title: "One", notes: [Note(noteID: "x", text: "x")]), Chapter(title: "Two"),
        ])
      let saved = try await books.save(book)
      #expect(saved.chapters.map { $0.chapterID != nil } == [true, true])
      #expect(try await books.get("b1") == saved)
      // The ids identify the records, so that saving the value again creates none.
      #expect(try await books.save(saved) == saved)
      #expect(try await client.records("chapter").count() == 2)
      try await books.delete("b1")
      try await client.records("chapter").deleteAll()
    }
  }

  @Test("lists values with the records inside of them when further relations are expanded")
  func expandedTrees() async throws {
    let stores = try await Stores()
    let book = Book(
      bookID: "b1", author: Person(personID: "ann", name: "Ann"),
      chapters: [
        Chapter(chapterID: "c1", title: "One", notes: [Note(noteID: "x", text: "x", owner: "ann")])
      ],
      editor: "ann")
    try await stores.local.records(of: Book.self).save(book)
    for client in stores.clients {
      let books = client.records(of: Book.self)
      for relations in ["", "editor", "author,editor", "chapters", "chapters.notes.owner"] {
        let got = try await books.get("b1", expanding: relations)
        let page = try await books.page(limit: 1, expanding: relations).records
        var listed: [Book] = []
        for try await book in books.list(expanding: relations) { listed.append(book) }
        for found in [[got].compactMap(\.self), page, listed] {
          #expect(found == [book], "\(relations)")
          let editor = found.first?.editor?.record?.name
          #expect(editor == (relations.contains("editor") ? "Ann" : nil), "\(relations)")
          let owner = found.first?.chapters.first?.notes.first?.owner?.record?.name
          #expect(owner == (relations.hasSuffix("owner") ? "Ann" : nil), "\(relations)")
        }
      }
    }
  }

  @Test("names arguments of the library in hints, not options of the command")
  func hints() async throws {
    let stores = try await Stores()
    try await stores.local.records(of: Note.self).save(notes(1))
    for client in stores.clients {
      func hints(_ call: () async throws -> Void) async -> [String?] {
        do {
          try await call()
          return []
        } catch {
          return (error as? DataError)?.problems.map(\.hint) ?? []
        }
      }
      let notes = client.records("note")
      let missing = await hints { _ = try await notes.count(where: "text = :text") }
      #expect(
        missing.map { $0?.split(separator: "\n").last } == [
          "pass parameters: [\"text\": VALUE]"
        ])
      #expect(
        await hints { try await notes.save(["note_id": "n1", "text": "x", "revision": 7]) }
          == ["read the record again, or save it without its revision"])
      #expect(
        await hints { try await notes.save(["note_id": "n1", "color": "red"]) }
          == ["see schema(\"note\")"])
    }
    // A server hides the schema from this caller.
    do {
      try await stores.local.acting(as: nil).records("note").save(["note_id": "n1"])
      Issue.record("the save does not fail")
    } catch let error as DataError {
      #expect(error.problems.map(\.hint) == ["log in with logIn(_:password:)"])
    }
  }
}
