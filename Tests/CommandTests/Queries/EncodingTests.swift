import Foundation
import ProgramHarness
import Testing

@Suite("Arguments and paths that are not UTF-8")
struct EncodingTests {
  private func store() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "note", "title:text")
    return folder
  }

  @Test(
    "rejects an argument that is not UTF-8 and changes nothing",
    arguments: [
      ("save note a title=$'caf\\xe9'", "argument 4, which begins with title=caf, is not UTF-8"),
      ("save note $'\\xe9' title=x", "argument 3 is not UTF-8"),
      ("list note --where $'title = \\'\\xff\\''", "argument 4, which begins with title = '"),
      ("list note -q $'--store=postgres://u:canary\\xe9@h/d'", "argument 4 is not UTF-8"),
      ("save note -f $'n\\xe9.json'", "argument 4, which begins with n, is not UTF-8"),
    ])
  func arguments(line: String, message: String) throws {
    let folder = try store()
    let run = try folder.shell("datactl \(line)").exits(2).printsNothing().reports(message)
    try run.requires(!run.errors.contains("canary"), "no password was expected")
    #expect(try folder.prepare("list", "note", "--count").output == "0\n")
  }

  @Test("rejects environment variables and paths that are not UTF-8, except when help is requested")
  func environment() throws {
    let folder = try store()
    try folder.shell("DATACTL_STORE=$'x\\xff.db' datactl list note").exits(2).reports(
      "the variable DATACTL_STORE is not UTF-8")
    try folder.shell("mkdir $'d\\xe9' && cd $'d\\xe9' && datactl schema create a x:text").exits(2)
      .reports("the path of the working directory is not UTF-8")
    try folder.shell("datactl list $'\\xe9' --help").exits(0).printsSomething()
    try folder.shell("mkdir s && touch $'s/\\xe9.json' && datactl schema apply s").fails()
  }

  @Test("does not follow a symbolic link to a path that is not UTF-8")
  func links() throws {
    let folder = try store()
    try folder.shell("mv shop.db $'\\xe9.db' && ln -s $'\\xe9.db' shop.db && datactl list note")
      .exits(7).reports("not UTF-8")
  }
}
