import Foundation
import ProgramHarness
import Testing

@Suite("schema export --check and --from", .onEveryStore)
struct ExportCheckTests {
  @Test("exits with 0 when the exported file is up to date, and with 1 when the file is outdated")
  func files() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    for format in ["typescript", "sql", "meta", "json"] {
      let text = try folder.run("schema", "export", "--format", format).exits(0).output
      try folder.write("exported", text)
      let check = ["schema", "export", "--format", format, "--check", "exported"]
      try folder.program.run(check).exits(0).printsNothing().reports("exported is up to date")
      try folder.write("exported", text + "\n")
      // Only the content of schema files is compared.
      if format == "json" {
        try folder.program.run(check).exits(0).reports("exported is up to date")
        continue
      }
      try folder.program.run(check).exits(1).printsNothing()
        .reports("exported: out of date", "datactl schema export --format \(format) > FILE")
      #expect(try folder.bytes("exported") == Array((text + "\n").utf8))
    }
  }

  @Test("compares each file of an exported folder with the current schemas")
  func folders() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("schema", "create", "step", "title:text")
    try folder.prepare("schema", "export", "schemas")
    try folder.run("schema", "export", "--check", "schemas").exits(0).printsNothing()
    try folder.write("schemas/other.json", "{}")
    try FileManager.default.removeItem(atPath: folder.path("schemas/step.json"))
    try folder.write("schemas/todo.json", "{}")
    let run = try folder.run("schema", "export", "--check", "schemas").exits(1).printsNothing()
    #expect(
      run.errors == """
        datactl: schemas/step.json: the file is missing
        datactl: schemas/todo.json: out of date: differs from the current schemas
          update the folder: datactl schema export schemas
        datactl: schemas/other.json: the schema no longer exists

        """)
  }

  @Test("accepts exported files with another format, as schema diff does")
  func formatting() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("schema", "export", "schemas")
    let compact = try folder.tool("jq", "-c", ".", folder.path("schemas/todo.json")).output
    try folder.write("schemas/todo.json", compact)
    try folder.run("schema", "diff").exits(0)
    for path in ["schemas", "schemas/todo.json"] {
      try folder.run("schema", "export", "--check", path).exits(0).printsNothing()
    }
    try folder.write(
      "schemas/todo.json", compact.replacingOccurrences(of: "\"title\":{", with: "\"name\":{"))
    try folder.run("schema", "diff").exits(1)
    for path in ["schemas", "schemas/todo.json"] {
      try folder.run("schema", "export", "--check", path).exits(1)
        .reports("schemas/todo.json: out of date")
    }
  }

  @Test("exits with a status above 1 when --check cannot compare the exported files with the store")
  func failures() throws {
    let folder = try TestFolder()
    try folder.run("schema", "export", "--check", "none").exits(7)
    try folder.createTodoSchema()
    try folder.run("schema", "export", "--check", "none").exits(3)
    try folder.run("schema", "export", "--format", "dot", "--check", ".").exits(2)
    try folder.run("schema", "export", "schemas", "--check", "schemas").exits(2)
    try folder.run("schema", "export", "schemas", "--format", "dot").exits(2).printsNothing()
    try folder.run("schema", "export", "--engine", "sqlite").exits(2)
    let memory = folder.program.with(["DATACTL_STORE": "memory:"])
    try memory.run(["schema", "export", "--format", "sql"]).exits(2).reports("--engine")
    try memory.run(["schema", "export", "--format", "sql", "--engine", "sqlite"]).exits(0)
  }

  @Test("exports the schemas in the files given by --from when there is no store")
  func from() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("schema", "export", "schemas")
    let away = folder.program.with(["DATACTL_STORE": "sqlite:none.db"])
    let stored = try folder.run("schema", "export").exits(0).output
    for path in ["schemas", "schemas/todo.json"] {
      try away.run(["schema", "export", "--from", path]).exits(0).prints(stored)
    }
    try away.run(["schema", "export", "--from", "-"], input: .text(stored)).exits(0).prints(stored)
    try away.run(["schema", "export", "--format", "meta"]).exits(0).reportsNothing()
    try away.run(["schema", "export", "--from", "nowhere"]).exits(3)
    try folder.write("bad.json", "{}")
    try away.run(["schema", "export", "--from", "bad.json"]).exits(6).printsNothing()
  }
}
