import Foundation
import ProgramHarness

/// Passes a password to many commands, and checks that no output and no file contains it.
struct PasswordCanary {
  let folder: TestFolder
  private let password = "canary-7f3c9e-password"

  func checkEveryCommand() throws {
    try folder.prepare("schema", "create", "user", "--user", "age:integer")
    var runs: [Run] = []
    let record = #"{"username":"ann","password":"\#(password)"}"#
    runs.append(try folder.run("save", "user", "--verbose", input: .text(record)))
    runs.append(try folder.run("save", "user", "-o", "json", input: .text(record)))
    let wrong = #"{"username":"bob","password":"\#(password)","age":"old"}"#
    for extra in [[], ["--errors", "json"], ["--dry-run"], ["--replace"]] {
      runs.append(try folder.program.run(["save", "user"] + extra, input: .text(wrong)))
    }
    runs.append(
      try folder.run(
        "save", "user", "--skip-invalid", "--rejects", "rejects.ndjson", input: .text(wrong)))
    for format in ["json", "ndjson", "csv", "table", "ids"] {
      runs.append(try folder.run("list", "user", "-o", format))
    }
    runs.append(try folder.run("get", "user", "ann", "--fields", "password"))
    runs.append(try folder.run("list", "user", "--order", "password"))
    runs.append(try folder.run("list", "user", "password=\(password)"))
    runs.append(try folder.run("schema", "show", "user"))
    let login = ["login", "--username", "ann", "--password-stdin"]
    runs.append(try folder.program.run(login, input: .text("\(password)\n")))
    runs.append(try folder.program.run(login, input: .text("not-\(password)\n")))
    runs.append(try folder.run("whoami"))
    let typed = try folder.run(
      "login", "--username", "ann", input: .typed("\(password)\n"), output: .terminal,
      errors: .terminal)
    runs.append(typed)
    runs.append(try folder.run("logout"))
    let address = "postgres://ann:\(password)@127.0.0.1:1/shop"
    runs.append(try folder.run("list", "user", "--store", address))

    for run in runs where run.output.contains(password) || run.errors.contains(password) {
      throw Violation("the password is in what was put out: \(run.report)")
    }
    try checkFiles()
    try checkHashInStore()
  }

  /// Checks that no file in the test folder contains the password. This includes the rejects file.
  private func checkFiles() throws {
    let all = FileManager.default.enumerator(atPath: folder.root)
    while let name = all?.nextObject() as? String {
      let path = "\(folder.root)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      if data.range(of: Data(password.utf8)) != nil {
        throw Violation("the password is in the file \(name)")
      }
    }
  }

  /// Checks that the store contains exactly one password hash (argon2id).
  private func checkHashInStore() throws {
    let dump = try folder.dump()
    let count = dump.components(separatedBy: "$argon2id$").count - 1
    guard count == 1 else { throw Violation("argon2id occurs \(count) times in the store") }
  }
}
