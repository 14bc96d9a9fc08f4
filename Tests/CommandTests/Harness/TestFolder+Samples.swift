import ProgramHarness

extension TestFolder {
  /// Runs the commands that create a sample store.
  func save(_ sample: SampleCommands) throws {
    for command in sample.commands {
      let run = try datactl.run(command.arguments, input: command.input)
      guard run.status == 0 else { throw PreparationError(report: run.report) }
    }
  }

  /// Creates the schema `todo` without records.
  func createTodoSchema() throws { try save(.todoSchema) }

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
  func saveLibrary() throws { try save(.library) }

  /// Returns the ids of the records that `list` prints, in order and separated by spaces.
  func ids(_ arguments: String...) throws -> String {
    try datactl.run(["list"] + arguments + ["-o", "ids"]).exits(0).lines.joined(separator: " ")
  }
}
