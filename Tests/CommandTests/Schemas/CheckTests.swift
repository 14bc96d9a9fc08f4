import Foundation
import ProgramHarness
import Testing

@Suite("schema export --check and --from", .onEveryStore)
struct CheckTests {
  @Test("reports a file as up to date, and exits with 1 when it is stale")
  func files() throws {
    let place = try Place()
    try place.declareTodos()
    for format in ["typescript", "sql", "meta", "json"] {
      let text = try place.run("schema", "export", "--format", format).exits(0).output
      try place.write("exported", text)
      let check = ["schema", "export", "--format", format, "--check", "exported"]
      try place.program.run(check).exits(0).printsNothing().says("exported is up to date")
      try place.write("exported", text + "\n")
      try place.program.run(check).exits(1).printsNothing()
        .says("exported: stale", "datactl schema export --format \(format) > FILE")
      #expect(try place.bytes("exported") == Array((text + "\n").utf8))
    }
  }

  @Test("compares a folder file by file")
  func folders() throws {
    let place = try Place()
    try place.declareTodos()
    try place.prepare("schema", "create", "step", "title:text")
    try place.prepare("schema", "export", "schemas")
    try place.run("schema", "export", "--check", "schemas").exits(0).printsNothing()
    try place.write("schemas/other.json", "{}")
    try FileManager.default.removeItem(atPath: place.path("schemas/step.json"))
    try place.write("schemas/todo.json", "{}")
    let run = try place.run("schema", "export", "--check", "schemas").exits(1).printsNothing()
    #expect(
      run.errors == """
        datactl: schemas/step.json: the file is missing
        datactl: schemas/todo.json: stale: differs from the current schemas
          datactl schema export schemas
        datactl: schemas/other.json: there is no such schema any more

        """)
  }

  @Test("never exits with 0 or 1 when the check fails")
  func failures() throws {
    let place = try Place()
    try place.run("schema", "export", "--check", "none").exits(7)
    try place.declareTodos()
    try place.run("schema", "export", "--check", "none").exits(3)
    try place.run("schema", "export", "--format", "dot", "--check", ".").exits(2)
    try place.run("schema", "export", "schemas", "--check", "schemas").exits(2)
    try place.run("schema", "export", "schemas", "--format", "dot").exits(2).printsNothing()
    try place.run("schema", "export", "--engine", "sqlite").exits(2)
    let memory = place.program.with(["DATACTL_STORE": "memory:"])
    try memory.run(["schema", "export", "--format", "sql"]).exits(2).says("--engine")
    try memory.run(["schema", "export", "--format", "sql", "--engine", "sqlite"]).exits(0)
  }

  @Test("exports schema files without a store")
  func from() throws {
    let place = try Place()
    try place.declareTodos()
    try place.prepare("schema", "export", "schemas")
    let away = place.program.with(["DATACTL_STORE": "sqlite:none.db"])
    let stored = try place.run("schema", "export").exits(0).output
    for path in ["schemas", "schemas/todo.json"] {
      try away.run(["schema", "export", "--from", path]).exits(0).prints(stored)
    }
    try away.run(["schema", "export", "--from", "-"], input: .text(stored)).exits(0).prints(stored)
    try away.run(["schema", "export", "--format", "meta"]).exits(0).saysNothing()
    try away.run(["schema", "export", "--from", "nowhere"]).exits(3)
    try place.write("bad.json", "{}")
    try away.run(["schema", "export", "--from", "bad.json"]).exits(6).printsNothing()
  }
}
