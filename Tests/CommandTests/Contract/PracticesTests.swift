import ProgramHarness
import Testing

@Suite("Validation of names and values")
struct PracticesTests {
  @Test("suggests a valid name when a name breaks the naming rules")
  func names() throws {
    let place = try Place()
    try place.run("schema", "create", "BlogPost", "title:text").exits(6).says("blog_post")
    try place.run("schema", "create", "person", "yearBorn:integer").exits(6).says("year_born")
    try place.run("schema", "create", "person", "URLPath:text").exits(6).says("url_path")
    for name in ["sqlite_x", "_own", "function", "text", "integer"] {
      try place.run("schema", "create", name, "title:text").exits(6).says(name)
    }
    #expect(try place.files == [])
  }

  @Test("shows the line to add when a schema file has no primary key")
  func primaryKey() throws {
    let place = try Place()
    try place.write("todo.json", #"{"schema": "todo", "fields": {"title": {"type": "text"}}}"#)
    try place.run("schema", "apply", "todo.json").exits(6).printsNothing()
      .says("todo.json", #""todo_id": {"type": "id"}"#)
    try place.write(
      "todo.json", #"{"schema": "todo", "fields": {"title": {"type": "text", "requird": true}}}"#)
    try place.run("schema", "apply", "todo.json").exits(6).says("requird", "required")
  }

  @Test("requires a username and a password in the user schema")
  func userSchema() throws {
    let place = try Place()
    try place.run("schema", "create", "user", "email:text", "--user").exits(0)
    try place.run("save", "user", input: .text(#"{"password":"word"}"#)).exits(6)
      .printsNothing().says("username")
    try place.run("schema", "create", "member", "--user").fails().says("user")
    let other = place.program.with(["DATACTL_STORE": "sqlite:other.db"])
    try other.run(["schema", "create", "member", "nick:id", "--user"]).exits(0)
    try other.run(["save", "member", "-o", "ids"], input: .text(#"{"nick":"ann","password":"w"}"#))
      .exits(0).prints("ann\n")
  }

  @Test(
    "names the field when a value is invalid for its type",
    arguments: [
      ("text", "5"), ("whole", "1.5"), ("whole", #""4 euro""#), ("real", #""much""#),
      ("yes", "1"), ("yes", #""yes""#), ("at", #""2013-02-31""#), ("at", #""09/09/2013""#),
      ("at", #""2026-11-20T10:00:00""#), ("at", #""0000-01-01""#),
      ("place", #"{"lat":91,"lon":0}"#),
      ("place", #"{"lat":1}"#), ("photo", #"{"name":"x"}"#), ("friend", "true"),
      ("friend", #""nobody""#), ("friends", #"["f1","f1"]"#), ("friends", "null"),
      ("texts", "[1]"), ("texts", "[null]"), ("wholes", "[1.5]"), ("reals", #"["x"]"#),
      ("yeses", "[0]"), ("times", #"["soon"]"#), ("sample_id", #""a\nb""#), ("sample_id", #""""#),
    ])
  func wrongValues(_ field: String, _ value: String) throws {
    let place = try Place()
    try place.prepare("schema", "create", "friend", "name:text")
    try place.prepare("save", "friend", "f1", "name=x")
    try place.write("sample.json", SampleStore.schema)
    try place.prepare("schema", "apply", "sample.json")
    try place.run("save", "sample", input: .text("{\"\(field)\":\(value)}")).exits(6)
      .printsNothing().says(field, ":1")
    try place.run("list", "sample", "--count").prints("0\n")
  }
}
