import ProgramHarness

extension TestFolder {
  /// Saves people, books that refer to them, and shelves that refer to books.
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

  /// Returns the ids that a query finds, in order.
  func ids(_ arguments: String...) throws -> String {
    try datactl.run(["list"] + arguments + ["-o", "ids"]).exits(0).lines.joined(separator: " ")
  }
}
