import Foundation
import ProgramHarness

/// Two equal stores: a file that commands open, and a file that a server serves to commands. The
/// administrator `root` is logged in to both.
final class RemotePair {
  let local: TestFolder
  let remote: TestFolder
  private let served: TestFolder
  let server: TestServer

  static let schemas = """
    {"schema": "user", "kind": "user", "roles": "roles",
     "fields": {"user_id": {"type": "id"}, "password": {"type": "password"},
       "roles": {"type": "[text]"}},
     "access": {"read": "users"}}
    {"schema": "person",
     "fields": {"person_id": {"type": "id"}, "name": {"type": "text", "required": true},
       "boss": {"type": "relation", "to": "person"}},
     "access": {"read": ["person_id = :user", "role:staff"]}}
    {"schema": "todo",
     "fields": {"todo_id": {"type": "id"}, "title": {"type": "text", "required": true},
       "done": {"type": "boolean"}, "price": {"type": "number", "min": 0},
       "stock": {"type": "integer"}, "due": {"type": "datetime"}, "tags": {"type": "[text]"},
       "place": {"type": "geopoint"}, "any": {"type": "json"},
       "code": {"type": "text", "unique": true},
       "owner": {"type": "relation", "to": "person", "on_delete": "nullify"},
       "photo": {"type": "file"}}}

    """

  static let records = """
    {"todo_id":"tea","title":"Buy tea","done":false,"price":4.5,"stock":10,"due":"2026-12-24T10:00:00Z","tags":["hot","new"],"owner":"ann","code":"t1"}
    {"todo_id":"milk","title":"Élan","done":true,"price":2,"stock":3,"place":{"lat":47.37,"lon":8.54}}
    {"todo_id":"bread","title":"bread \\u001b[31m","any":{"a":[1,2]},"owner":"bob","tags":[]}
    {"todo_id":"a b/c","title":"odd id","stock":0,"code":"x"}

    """

  init(_ arguments: String...) throws {
    local = try TestFolder()
    served = try TestFolder()
    for folder in [local, served] {
      try folder.prepare("schema", "apply", "-", input: .text(Self.schemas))
      try folder.prepare("save", "user", "root", "password@=-", input: .text("canary99"))
      try folder.prepare("save", "user", "root", "roles+=admin")
      try folder.prepare(
        "save", "person",
        input: .text(
          """
          {"person_id":"ann","name":"Ann"} {"person_id":"bob","name":"Bob","boss":"ann"}
          """))
      try folder.prepare("save", "todo", input: .text(Self.records))
      try folder.prepare(
        "save", "function",
        input: .text(
          #"{"function_id":"open","item_type":"todo","function":{"selectCore":"from todo t where t.done = false"}}"#
        ))
    }
    server = try TestServer(served, arguments: arguments)
    remote = try TestFolder(store: server.address)
    for folder in [local, remote] {
      try folder.prepare("login", "-u", "root", "--password-stdin", input: .text("canary99\n"))
    }
  }

  /// Writes a file to the working folders of the commands.
  func write(_ name: String, _ text: String) throws {
    for folder in [local, remote] { try folder.write(name, text) }
  }

  /// Creates a folder in the working folders of the commands.
  func makeFolder(_ name: String) throws {
    for folder in [local, remote] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  /// Runs a command line on both stores. The word `STORE` is the address of the store. Throws a violation unless both do the same.
  @discardableResult
  func compare(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured, with variables: [String: String] = [:]
  ) throws -> Run {
    let runs = try [local, remote].map { folder in
      try folder.program.with(variables.mapValues { $0 }).run(
        arguments.map { $0 == "STORE" ? folder.address : $0 }, input: input, output: output,
        errors: errors)
    }
    let texts = try zip(runs, [local, remote]).map { run, folder in
      try """
      status \(run.status)
      \(normalized(run.output, folder))
      errors \(normalized(run.errors, folder))
      echo \(normalized(run.echo, folder))
      \(files(folder))
      """
    }
    guard texts[0] == texts[1] else {
      throw Violation("\(arguments)\n--- local\n\(texts[0])\n--- remote\n\(texts[1])")
    }
    return runs[1]
  }

  /// Returns a text without what differs between two stores: addresses, times and generated ids.
  private func normalized(_ text: String, _ folder: TestFolder) -> String {
    let isFile = folder.address == "sqlite:shop.db"
    let address = isFile ? "sqlite:\(folder.directory)/shop.db" : folder.address
    return text.replacing(address, with: "STORE").replacing(folder.directory, with: "FOLDER")
      .replacing(/20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-9:.]+Z/, with: "TIME")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
  }

  /// Returns the names and contents of the files that commands have written.
  private func files(_ folder: TestFolder) throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: folder.directory).sorted()
      .filter { !$0.hasPrefix("shop.db") }
      .map { name in
        let data = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
        return "\(name): \(normalized(String(decoding: data, as: UTF8.self), folder))"
      }.joined(separator: "\n")
  }
}
