import ProgramHarness

extension TestFolder {
  /// The fields of the schema `todo`, which most tests use.
  static let todoFields = [
    "title:text!", "done:boolean", "priority:integer", "price:number", "due:datetime", "tags:text+",
  ]

  /// Creates the schema `todo` without records.
  func createTodoSchema() throws {
    let run = try datactl.run(["schema", "create", "todo"] + Self.todoFields)
    guard run.status == 0 else { throw PreparationError(report: run.report) }
  }

  /// Creates `todo` and saves three records: `a`, `b` and `c`.
  func saveTodos() throws {
    try createTodoSchema()
    try prepare(
      "save", "todo",
      input: .text(
        """
        {"todo_id":"a","title":"tea","done":false,"priority":1,"price":4.5}
        {"todo_id":"b","title":"bread","done":true,"priority":3,"tags":["x","y"]}
        {"todo_id":"c","title":"cheese","due":"2026-11-20T03:05:00Z"}

        """))
  }

  /// Creates `todo` and saves the given number of records in it.
  func saveManyTodos(_ count: Int, title: String = "a title of some length") throws {
    try createTodoSchema()
    try prepare("save", "todo", "-o", "none", input: .bytes(Self.todos(count, title: title)))
  }

  /// Returns todos as NDJSON, with ascending ids.
  static func todos(_ count: Int, title: String = "a title of some length") -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * (title.utf8.count + 60))
    for number in 0..<count {
      let id = String(1_000_000_000 + number)
      bytes += "{\"todo_id\":\"\(id)\",\"title\":\"\(title)\",\"priority\":\(number)}\n".utf8
    }
    return bytes
  }

  /// The number of todos in the store, according to the program.
  var todoCount: Int {
    get throws {
      let text = try prepare("list", "todo", "--count").output
      guard let count = Int(text.dropLast()) else { throw PreparationError(report: text) }
      return count
    }
  }

  /// All todos with their system fields, as NDJSON.
  var todos: String {
    get throws { try prepare("list", "todo", "-o", "ndjson").output }
  }
}

extension TestFolder {
  /// Creates the schemas `person`, `book` and `shelf`, and saves records that refer to each other.
  func saveLibrary() throws {
    try prepare("schema", "create", "person", "name:text", "boss:person")
    try prepare(
      "schema", "create", "book", "title:text!", "price:number", "pages:integer", "lent:boolean",
      "tags:text+", "author:person")
    try prepare("schema", "create", "shelf", "books:book+", "keeper:person")
    try prepare(
      "save", "person",
      input: .text(
        """
        {"person_id":"ann","name":"Ann"} {"person_id":"bob","name":"Bob","boss":"ann"}
        """))
    try prepare(
      "save", "book",
      input: .text(
        """
        {"book_id":"a","title":"Tea","price":4.5,"pages":100,"lent":true,"tags":["hot"],"author":"ann"}
        {"book_id":"b","title":"Bread","price":2,"pages":50,"lent":false,"author":"bob"}
        {"book_id":"c","title":"Élan","pages":50,"tags":["hot","new"],"author":"ann"}
        {"book_id":"d","title":"1984","price":9,"lent":false}
        """))
    try prepare(
      "save", "shelf", input: .text(#"{"shelf_id":"s","books":["b","a"],"keeper":"bob"}"#))
  }

  /// Returns the ids of the records that `list` prints, in order and separated by spaces.
  func ids(_ arguments: String...) throws -> String {
    try datactl.run(["list"] + arguments + ["-o", "ids"]).exits(0).lines.joined(separator: " ")
  }
}
