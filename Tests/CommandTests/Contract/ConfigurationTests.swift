import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: configuration and secrets")
struct ConfigurationTests {
  @Test(
    "contract 45: precedence is option, environment, project file, default",
    arguments: Subject.allCases)
  func order(_ subject: Subject) throws {
    try subject.keeps(45) { place in
      let bare = place.datactl.with(["DATACTL_STORE": nil])
      for store in ["option", "environment", "project"] {
        let program = bare.with(["DATACTL_STORE": "sqlite:\(store).db"])
        try Self.mark(program, store)
      }
      try Self.mark(bare, "default")
      let data = bare.environment["XDG_DATA_HOME"] ?? ""
      guard FileManager.default.fileExists(atPath: "\(data)/datactl/datactl.db") else {
        throw Violation("the default store is not in XDG_DATA_HOME/datactl")
      }
      let subject = place.program.with(["DATACTL_STORE": nil])
      let environment = subject.with(["DATACTL_STORE": "sqlite:environment.db"])
      try Self.isMarked("default", subject, [])
      let project =
        #"{"store": "dev", "stores": {"dev": "sqlite:project.db", "other": "sqlite:option.db"}}"#
      try place.write("datactl.json", project)
      try FileManager.default.createDirectory(
        atPath: place.path("deep/er"), withIntermediateDirectories: true)
      try Self.isMarked("project", subject, [])
      try Self.isMarked("project", subject.inside(place.path("deep/er")), [])
      try Self.isMarked("environment", environment, [])
      try Self.isMarked("option", environment, ["--store", "sqlite:option.db"])
      try Self.isMarked("option", environment, ["--store", "other"])
    }
  }

  /// Creates a store that contains its own name.
  private static func mark(_ program: Program, _ name: String) throws {
    try program.run(["schema", "create", "mark", "name:text"]).exits(0)
    try program.run(["save", "mark", "m", "name=\(name)", "-o", "none"]).exits(0)
  }

  private static func isMarked(_ name: String, _ program: Program, _ words: [String]) throws {
    try program.run(["get", "mark", "m", "--fields", "name"] + words).exits(0)
      .prints("{\"mark_id\":\"m\",\"name\":\"\(name)\"}\n")
  }

  @Test(
    "contract 46: uses the XDG folders, and needs neither HOME nor a writable disk",
    arguments: Subject.allCases)
  func folders(_ subject: Subject) throws {
    try subject.keeps(46) { place in
      try place.keepTodos()
      let before = try place.files
      try place.program.with(["HOME": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil])
        .run(["list", "todo", "-o", "ids"]).exits(0).prints("a\nb\nc\n")
      let relative = place.program.with([
        "XDG_DATA_HOME": "relative", "XDG_CONFIG_HOME": "relative", "DATACTL_STORE": nil,
      ])
      try relative.run(["schema", "create", "mark", "name:text"]).exits(0)
      guard try place.files == before else { throw Violation("a relative folder was used") }
      let home = place.datactl.environment["HOME"] ?? ""
      guard FileManager.default.fileExists(atPath: "\(home)/.local/share/datactl/datactl.db")
      else { throw Violation("the store in HOME was expected") }
      let reader = try place.unprivileged()
      try place.protect()
      try reader.with(["HOME": "/nonexistent", "TMPDIR": "/nonexistent"])
        .run(["list", "todo", "-o", "ids"]).exits(0).prints("a\nb\nc\n")
    }
  }

  @Test(
    "contract 47: reports an unknown key in datactl.json with its line",
    arguments: Subject.allCases)
  func unknownKeys(_ subject: Subject) throws {
    try subject.keeps(47) { place in
      let program = place.program.with(["DATACTL_STORE": nil])
      try place.keepTodos()
      try place.write("datactl.json", "{\n  \"store\": \"sqlite:shop.db\",\n  \"stor\": 1\n}\n")
      try program.run(["list", "todo"]).exits(6).printsNothing()
        .says("datactl.json:3", "stor", "store")
      try place.write("datactl.json", "{\"store\": \"$(touch ran)`touch ran`\"}\n")
      try program.run(["list", "todo"]).fails()
      guard try !place.files.contains("ran") else { throw Violation("datactl.json ran something") }
    }
  }

  @Test(
    "contract 48: secrets appear in no output, error, process title or file",
    arguments: Subject.allCases)
  func secrets(_ subject: Subject) throws {
    try subject.keeps(48) { place in
      try Canary(place: place).flyThroughEveryPath()
    }
  }

  @Test(
    "contract 49: rejects credentials and project files that others may access",
    arguments: Subject.allCases)
  func credentials(_ subject: Subject) throws {
    try subject.keeps(49) { place in
      try place.prepare("schema", "create", "user", "--user")
      try place.prepare("save", "user", input: .text(#"{"username":"ann","password":"pass word"}"#))
      let login = ["login", "--username", "ann", "--password-stdin"]
      try place.program.run(login, input: .text("wrong\n")).exits(4).printsNothing()
      try place.program.run(login, input: .text("pass word\n")).exits(0)
      let whoami = try place.run("whoami").exits(0)
      try whoami.holds(whoami.output.contains("ann"), "ann was expected")
      let folder = (place.datactl.environment["XDG_CONFIG_HOME"] ?? "") + "/datactl"
      let file = "\(folder)/credentials.json"
      let modes = [try Place.permissions(folder), try Place.permissions(file)]
      guard modes == [0o700, 0o600] else {
        throw Violation("permissions \(modes.map { String($0, radix: 8) })")
      }
      let inside = try FileManager.default.contentsOfDirectory(atPath: folder)
      guard inside == ["credentials.json"] else { throw Violation("left behind: \(inside)") }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      try place.run("whoami").exits(4).says("credentials.json")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      try place.run("whoami", "--store", "sqlite:other.db").fails()
      try place.run("logout").exits(0).printsNothing()
      try place.run("whoami").exits(4)

      try place.write("datactl.json", #"{"store": "sqlite:shop.db"}"#)
      let open = [FileAttributeKey.posixPermissions: 0o666]
      try FileManager.default.setAttributes(open, ofItemAtPath: place.path("datactl.json"))
      try place.program.with(["DATACTL_STORE": nil]).run(["list", "user"]).fails()
        .says("datactl.json")
    }
  }
}
