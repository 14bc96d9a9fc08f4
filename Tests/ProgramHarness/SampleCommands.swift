/// Commands that create schemas and save records, for tests in the process and with processes.
package struct SampleCommands: Sendable {
  package let commands: [(arguments: [String], input: Input)]

  /// The fields of the schema `todo`, which most tests use.
  package static let todoFields = [
    "title:text!", "done:boolean", "priority:integer", "price:number", "due:datetime", "tags:text+",
  ]

  /// The schema `todo` without records.
  package static let todoSchema = SampleCommands(commands: [
    (["schema", "create", "todo"] + todoFields, .nothing)
  ])

  /// The schemas `person`, `book` and `shelf`, with records that refer to each other.
  package static let library = SampleCommands(commands: [
    (["schema", "create", "person", "name:text", "boss:person"], .nothing),
    (
      [
        "schema", "create", "book", "title:text!", "price:number", "pages:integer", "lent:boolean",
        "tags:text+", "author:person",
      ], .nothing
    ),
    (["schema", "create", "shelf", "books:book+", "keeper:person"], .nothing),
    (
      ["save", "person"],
      .text(
        """
        {"person_id":"ann","name":"Ann"} {"person_id":"bob","name":"Bob","boss":"ann"}
        """)
    ),
    (
      ["save", "book"],
      .text(
        """
        {"book_id":"a","title":"Tea","price":4.5,"pages":100,"lent":true,"tags":["hot"],"author":"ann"}
        {"book_id":"b","title":"Bread","price":2,"pages":50,"lent":false,"author":"bob"}
        {"book_id":"c","title":"Élan","pages":50,"tags":["hot","new"],"author":"ann"}
        {"book_id":"d","title":"1984","price":9,"lent":false}
        """)
    ),
    (["save", "shelf"], .text(#"{"shelf_id":"s","books":["b","a"],"keeper":"bob"}"#)),
  ])
}
