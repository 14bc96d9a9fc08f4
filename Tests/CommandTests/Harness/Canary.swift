import Foundation
import ProgramHarness

/// Passes a password to many commands, and checks that it appears nowhere in output or files.
struct Canary {
  let place: Place
  private let password = "canary-7f3c9e-password"

  func flyThroughEveryPath() throws {
    try place.prepare("schema", "create", "user", "--user", "age:integer")
    var runs: [Run] = []
    let record = #"{"username":"ann","password":"\#(password)"}"#
    runs.append(try place.run("save", "user", "--verbose", input: .text(record)))
    runs.append(try place.run("save", "user", "-o", "json", input: .text(record)))
    let wrong = #"{"username":"bob","password":"\#(password)","age":"old"}"#
    for extra in [[], ["--errors", "json"], ["--dry-run"], ["--replace"]] {
      runs.append(try place.program.run(["save", "user"] + extra, input: .text(wrong)))
    }
    runs.append(
      try place.run(
        "save", "user", "--skip-invalid", "--rejects", "rejects.ndjson", input: .text(wrong)))
    for format in ["json", "ndjson", "csv", "table", "ids"] {
      runs.append(try place.run("list", "user", "-o", format))
    }
    runs.append(try place.run("get", "user", "ann", "--fields", "password"))
    runs.append(try place.run("list", "user", "--order", "password"))
    runs.append(try place.run("list", "user", "password=\(password)"))
    runs.append(try place.run("schema", "show", "user"))
    let login = ["login", "--username", "ann", "--password-stdin"]
    runs.append(try place.program.run(login, input: .text("\(password)\n")))
    runs.append(try place.program.run(login, input: .text("not-\(password)\n")))
    runs.append(try place.run("whoami"))
    let typed = try place.run(
      "login", "--username", "ann", input: .typed("\(password)\n"), output: .terminal,
      errors: .terminal)
    runs.append(typed)
    runs.append(try place.run("logout"))
    let address = "postgres://ann:\(password)@127.0.0.1:1/shop"
    runs.append(try place.run("list", "user", "--store", address))

    for run in runs where run.output.contains(password) || run.errors.contains(password) {
      throw Violation("the password is in what was put out: \(run.report)")
    }
    try lookIntoFiles()
    try lookIntoStore()
  }

  /// Checks that no file contains the password, not even the rejects file.
  private func lookIntoFiles() throws {
    let all = FileManager.default.enumerator(atPath: place.outside)
    while let name = all?.nextObject() as? String {
      let path = "\(place.outside)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      if data.range(of: Data(password.utf8)) != nil {
        throw Violation("the password is in the file \(name)")
      }
    }
  }

  /// Checks that the store contains exactly one argon2id hash.
  private func lookIntoStore() throws {
    let dump = try place.dump()
    let count = dump.components(separatedBy: "$argon2id$").count - 1
    guard count == 1 else { throw Violation("argon2id stands \(count) times in the store") }
  }
}
