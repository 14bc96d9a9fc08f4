import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: configuration and secrets")
struct ConfigurationTests {
  @Test(
    "takes the store from --store, DATACTL_STORE, datactl.json or the default, in this order",
    .contract(45),
    arguments: Subject.inTier)
  func order(_ subject: Subject) throws {
    try subject.checkContract(45) { folder in
      let bare = folder.datactl.with(["DATACTL_STORE": nil])
      for store in ["option", "environment", "project"] {
        let program = bare.with(["DATACTL_STORE": "sqlite:\(store).db"])
        try Self.mark(program, store)
      }
      try Self.mark(bare, "default")
      let data = bare.environment["XDG_DATA_HOME"] ?? ""
      guard FileManager.default.fileExists(atPath: "\(data)/datactl/datactl.db") else {
        throw Violation("the default store is not in XDG_DATA_HOME/datactl")
      }
      let subject = folder.program.with(["DATACTL_STORE": nil])
      let environment = subject.with(["DATACTL_STORE": "sqlite:environment.db"])
      try Self.expectMark("default", subject, [])
      let project =
        #"{"store": "dev", "stores": {"dev": "sqlite:project.db", "other": "sqlite:option.db"}}"#
      try folder.write("datactl.json", project)
      try FileManager.default.createDirectory(
        atPath: folder.path("deep/er"), withIntermediateDirectories: true)
      try Self.expectMark("project", subject, [])
      try Self.expectMark("project", subject.inside(folder.path("deep/er")), [])
      try Self.expectMark("environment", environment, [])
      try Self.expectMark("option", environment, ["--store", "sqlite:option.db"])
      try Self.expectMark("option", environment, ["--store", "other"])
    }
  }

  /// Creates a record that contains the name of the store, so that a test can tell which store was
  /// read.
  private static func mark(_ program: Program, _ name: String) throws {
    try program.run(["schema", "create", "mark", "name:text"]).exits(0)
    try program.run(["save", "mark", "m", "name=\(name)", "-o", "none"]).exits(0)
  }

  private static func expectMark(_ name: String, _ program: Program, _ arguments: [String]) throws {
    try program.run(["get", "mark", "m", "--fields", "name"] + arguments).exits(0)
      .prints("{\"mark_id\":\"m\",\"name\":\"\(name)\"}\n")
  }

  @Test(
    "uses the XDG folders, and needs neither HOME nor a writable disk", .contract(46),
    arguments: Subject.inTier)
  func folders(_ subject: Subject) throws {
    try subject.checkContract(46) { folder in
      try folder.saveTodos()
      let before = try folder.files
      try folder.program.with(["HOME": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil])
        .run(["list", "todo", "-o", "ids"]).exits(0).prints("a\nb\nc\n")
      let relative = folder.program.with([
        "XDG_DATA_HOME": "relative", "XDG_CONFIG_HOME": "relative", "DATACTL_STORE": nil,
      ])
      try relative.run(["schema", "create", "mark", "name:text"]).exits(0)
      guard try folder.files == before else { throw Violation("a relative folder was used") }
      let home = folder.datactl.environment["HOME"] ?? ""
      guard FileManager.default.fileExists(atPath: "\(home)/.local/share/datactl/datactl.db")
      else { throw Violation("the store in HOME was expected") }
      let reader = try folder.unprivileged()
      try folder.makeReadOnly()
      try reader.with(["HOME": "/nonexistent", "TMPDIR": "/nonexistent"])
        .run(["list", "todo", "-o", "ids"]).exits(0).prints("a\nb\nc\n")
    }
  }

  @Test(
    "reports an unknown key in datactl.json with the line number", .contract(47),
    arguments: Subject.inTier)
  func unknownKeys(_ subject: Subject) throws {
    try subject.checkContract(47) { folder in
      let program = folder.program.with(["DATACTL_STORE": nil])
      try folder.saveTodos()
      try folder.write("datactl.json", "{\n  \"store\": \"sqlite:shop.db\",\n  \"stor\": 1\n}\n")
      try program.run(["list", "todo"]).exits(6).printsNothing()
        .reports("datactl.json:3", "stor", "store")
      try folder.write("datactl.json", "{\"store\": \"$(touch ran)`touch ran`\"}\n")
      try program.run(["list", "todo"]).fails()
      guard try !folder.files.contains("ran") else { throw Violation("datactl.json ran something") }
    }
  }

  @Test(
    "writes no secret to the output, errors, process title or files", .contract(48),
    arguments: Subject.inTier)
  func secrets(_ subject: Subject) throws {
    try subject.checkContract(48) { folder in
      try PasswordCanary(folder: folder).checkEveryCommand()
    }
  }

  @Test(
    "rejects credentials that other users can read, and a datactl.json that other users can change",
    .contract(49),
    arguments: Subject.inTier)
  func credentials(_ subject: Subject) throws {
    try subject.checkContract(49) { folder in
      try folder.prepare("schema", "create", "user", "--user")
      try folder.prepare(
        "save", "user", input: .text(#"{"username":"ann","password":"pass word"}"#))
      let login = ["login", "--username", "ann", "--password-stdin"]
      try folder.program.run(login, input: .text("wrong\n")).exits(4).printsNothing()
      try folder.program.run(login, input: .text("pass word\n")).exits(0)
      let whoami = try folder.run("whoami").exits(0)
      try whoami.requires(whoami.output.contains("ann"), "ann was expected")
      let directory = (folder.datactl.environment["XDG_CONFIG_HOME"] ?? "") + "/datactl"
      let file = "\(directory)/credentials.json"
      let modes = [try TestFolder.permissions(directory), try TestFolder.permissions(file)]
      guard modes == [0o700, 0o600] else {
        throw Violation("permissions \(modes.map { String($0, radix: 8) })")
      }
      let inside = try FileManager.default.contentsOfDirectory(atPath: directory)
      guard inside == ["credentials.json"] else { throw Violation("left behind: \(inside)") }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      try folder.run("whoami").exits(4).reports("credentials.json")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      try folder.run("whoami", "--store", "sqlite:other.db").fails()
      try folder.run("logout").exits(0).printsNothing()
      try folder.run("whoami").exits(4)

      try folder.write("datactl.json", #"{"store": "sqlite:shop.db"}"#)
      let open = [FileAttributeKey.posixPermissions: 0o666]
      try FileManager.default.setAttributes(open, ofItemAtPath: folder.path("datactl.json"))
      try folder.program.with(["DATACTL_STORE": nil]).run(["list", "user"]).fails()
        .reports("datactl.json")
    }
  }
}
