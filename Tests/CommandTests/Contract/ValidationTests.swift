import ProgramHarness
import Testing

@Suite("Validation of names and values")
struct ValidationTests {
  @Test("suggests a valid name when a name breaks the naming rules")
  func names() throws {
    let folder = try TestFolder()
    try folder.run("schema", "create", "BlogPost", "title:text").exits(6).reports("blog_post")
    try folder.run("schema", "create", "person", "yearBorn:integer").exits(6).reports("year_born")
    try folder.run("schema", "create", "person", "URLPath:text").exits(6).reports("url_path")
    for name in ["sqlite_x", "_own", "function", "text", "integer"] {
      try folder.run("schema", "create", name, "title:text").exits(6).reports(name)
    }
    #expect(try folder.files == [])
  }

  @Test("shows the line to add when a schema file has no primary key")
  func primaryKey() throws {
    let folder = try TestFolder()
    try folder.write("todo.json", #"{"schema": "todo", "fields": {"title": {"type": "text"}}}"#)
    try folder.run("schema", "apply", "todo.json").exits(6).printsNothing()
      .reports("todo.json", #""todo_id": {"type": "id"}"#)
    try folder.write(
      "todo.json", #"{"schema": "todo", "fields": {"title": {"type": "text", "requird": true}}}"#)
    try folder.run("schema", "apply", "todo.json").exits(6).reports("requird", "required")
  }

  @Test("requires a username and a password in the user schema")
  func userSchema() throws {
    let folder = try TestFolder()
    try folder.run("schema", "create", "user", "email:text", "--user").exits(0)
    try folder.run("save", "user", input: .text(#"{"password":"word"}"#)).exits(6)
      .printsNothing().reports("username")
    try folder.run("schema", "create", "member", "--user").fails().reports("user")
    let other = folder.program.with(["DATACTL_STORE": "sqlite:other.db"])
    try other.run(["schema", "create", "member", "nick:id", "--user"]).exits(0)
    try other.run(
      ["save", "member", "-o", "ids"], input: .text(#"{"nick":"ann","password":"password"}"#)
    )
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
      ("friend", #""unknown""#), ("friends", #"["f1","f1"]"#), ("friends", "null"),
      ("texts", "[1]"), ("texts", "[null]"), ("wholes", "[1.5]"), ("reals", #"["x"]"#),
      ("yeses", "[0]"), ("times", #"["soon"]"#), ("sample_id", #""a\nb""#), ("sample_id", #""""#),
    ])
  func wrongValues(_ field: String, _ value: String) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "friend", "name:text")
    try folder.prepare("save", "friend", "f1", "name=x")
    try folder.write("sample.json", SampleStore.schema)
    try folder.prepare("schema", "apply", "sample.json")
    try folder.run("save", "sample", input: .text("{\"\(field)\":\(value)}")).exits(6)
      .printsNothing().reports(field, ":1")
    try folder.run("list", "sample", "--count").prints("0\n")
  }
}
