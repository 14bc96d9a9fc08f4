import ProgramHarness

extension Place {
  /// The fields of the todos that most tests work with.
  static let todoFields = [
    "title:text!", "done:boolean", "priority:integer", "price:number", "due:datetime", "tags:text+",
  ]

  /// Declares the schema `todo`, without a record.
  func declareTodos() throws {
    let run = try datactl.run(["schema", "create", "todo"] + Self.todoFields)
    guard run.status == 0 else { throw Unprepared(report: run.report) }
  }

  /// Declares `todo` and saves three of them: `a`, `b` and `c`.
  func keepTodos() throws {
    try declareTodos()
    try prepare(
      "save", "todo",
      input: .text(
        """
        {"todo_id":"a","title":"tea","done":false,"priority":1,"price":4.5}
        {"todo_id":"b","title":"bread","done":true,"priority":3,"tags":["x","y"]}
        {"todo_id":"c","title":"cheese","due":"2026-11-20T03:05:00Z"}

        """))
  }

  /// Declares `todo` and saves many of them.
  func keepManyTodos(_ count: Int, title: String = "a title of some length") throws {
    try declareTodos()
    try prepare("save", "todo", "-o", "none", input: .bytes(Self.todos(count, title: title)))
  }

  /// Todos as NDJSON, with ids that rise.
  static func todos(_ count: Int, title: String = "a title of some length") -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * (title.utf8.count + 60))
    for number in 0..<count {
      let id = String(1_000_000_000 + number)
      bytes += "{\"todo_id\":\"\(id)\",\"title\":\"\(title)\",\"priority\":\(number)}\n".utf8
    }
    return bytes
  }

  /// The number of todos in the store, as the program itself counts them.
  var todoCount: Int {
    get throws {
      let text = try prepare("list", "todo", "--count").output
      guard let count = Int(text.dropLast()) else { throw Unprepared(report: text) }
      return count
    }
  }

  /// All todos with their system fields, as they stand.
  var todos: String {
    get throws { try prepare("list", "todo", "-o", "ndjson").output }
  }
}
