import DataClient
import TestSupport
import Testing

@Suite("Choosing the store")
struct StoreChoiceTests {
  private let home = ["HOME": "/home/ann"]

  private func chosen(
    _ option: String? = nil, _ environment: [String: String], in folder: String = "/nowhere"
  ) throws -> [String] {
    let choice = try StoreChoice.find(
      option: option, in: Shop.environment(environment, folder: folder))
    return [choice.address.description, "\(choice.origin)"]
  }

  @Test("takes the store from the option, environment, project file or default, in this order")
  func order() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"store": "project.db"}"#, to: "datactl.json")
    let environment = ["DATACTL_STORE": "environment.db"]
    #expect(
      try chosen("option.db", environment, in: folder.path)
        == ["sqlite:\(folder.path)/option.db", "option"])
    #expect(
      try chosen(nil, environment, in: folder.path)
        == ["sqlite:\(folder.path)/environment.db", "environment"])
    #expect(
      try chosen(nil, ["DATACTL_STORE": ""], in: folder.path)
        == ["sqlite:\(folder.path)/project.db", "project"])
    #expect(
      try chosen(nil, home) == ["sqlite:/home/ann/.local/share/datactl/datactl.db", "defaultStore"])
  }

  @Test("ignores a relative path in XDG_DATA_HOME")
  func xdg() throws {
    #expect(
      try chosen(nil, home.merging(["XDG_DATA_HOME": "/data"]) { $1 })
        == ["sqlite:/data/datactl/datactl.db", "defaultStore"])
    #expect(
      try chosen(nil, home.merging(["XDG_DATA_HOME": "data"]) { $1 })
        == ["sqlite:/home/ann/.local/share/datactl/datactl.db", "defaultStore"])
  }

  @Test("requires HOME only for the default store")
  func noHome() throws {
    #expect(try chosen("a.db", [:]) == ["sqlite:/nowhere/a.db", "option"])
    let error = try #require(throws: DataError.self) { try chosen(nil, [:]) }
    #expect(
      error
        == DataError(
          .invalidConfiguration,
          "no folder for your default store: neither XDG_DATA_HOME nor HOME is set",
          hint: "set XDG_DATA_HOME to an absolute path"))
  }

  @Test("resolves a store name in the project file to an address relative to the file's folder")
  func names() throws {
    let folder = try TemporaryFolder()
    let text = #"{"store": "dev", "stores": {"dev": "sqlite:dev.db", "live": "/live.db"}}"#
    try folder.write(text, to: "datactl.json")
    let below = folder.path + "/a/b"
    #expect(try chosen(nil, [:], in: below) == ["sqlite:\(folder.path)/dev.db", "project"])
    #expect(try chosen("live", [:], in: below) == ["sqlite:/live.db", "option"])
    #expect(try chosen("live.db", [:], in: below) == ["sqlite:\(below)/live.db", "option"])
    #expect(
      try chosen(nil, ["DATACTL_STORE": "live"], in: below) == ["sqlite:/live.db", "environment"])
  }

  @Test("rejects a name that the project file does not define when no file has this name")
  func unknownNames() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"stores": {"dev": "/dev.db"}}"#, to: "datactl.json")
    #expect(
      throws: DataError(
        .usage, "\(folder.path)/datactl.json defines no store \"live\", and no file has this name",
        hint: "to create a new file, write sqlite:live")
    ) { try chosen(nil, ["DATACTL_STORE": "live"], in: folder.path) }
    for name in ["live.db", "./live", "sqlite:live"] {
      #expect(try chosen(name, [:], in: folder.path)[1] == "option")
    }
    let other = try TemporaryFolder()
    #expect(try chosen("live", [:], in: other.path) == ["sqlite:\(other.path)/live", "option"])
  }

  @Test("suggests a similarly named store from the project file when no file has the given name")
  func nearNames() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"stores": {"live": "/live.db"}}"#, to: "datactl.json")
    #expect(
      throws: DataError(
        .usage, "\(folder.path)/datactl.json defines no store \"liv\", and no file has this name",
        hint: "did you mean live? to create a new file, write sqlite:liv")
    ) { try chosen("liv", [:], in: folder.path) }
    try folder.write("", to: "liv")
    #expect(try chosen("liv", [:], in: folder.path) == ["sqlite:\(folder.path)/liv", "option"])
    #expect(
      try chosen("sqlite:lif", [:], in: folder.path) == ["sqlite:\(folder.path)/lif", "option"])
  }
}
