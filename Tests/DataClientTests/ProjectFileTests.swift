import DataClient
import Foundation
import TestSupport
import Testing

@Suite("Project file")
struct ProjectFileTests {
  @Test("parses the named stores and the schema folder in a project file")
  func contents() throws {
    let folder = try TemporaryFolder()
    let text = #"{"store": "dev", "stores": {"dev": "dev.db"}, "schemas": "model"}"#
    try folder.write(text, to: "datactl.json")
    let file = try #require(try nearest(folder.path))
    #expect(file.path == folder.path + "/datactl.json")
    #expect(file.store == "dev")
    #expect(file.stores.map(\.name) == ["dev"])
    #expect(file.stores.map(\.address) == ["dev.db"])
    #expect(file.schemaFolder == folder.path + "/model")
  }

  @Test("uses the folder named schemas if datactl.json names no schema folder")
  func schemas() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "datactl.json")
    #expect(try nearest(folder.path)?.schemaFolder == folder.path + "/schemas")
  }

  @Test(
    "reports invalid content of datactl.json with the line number",
    arguments: [
      ("{\n  \"stor\": \"a.db\"\n}", "unknown key stor", "did you mean store?", 2),
      ("{\"stores\": {\n\"a\": 1}}", "a: expected text, found a number", nil, 2),
      ("[]", "the file: expected a JSON object, found an array", nil, 1),
    ] as [(String, String, String?, Int)])
  func invalidContent(text: String, message: String, hint: String?, line: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "datactl.json")
    let error = try #require(throws: DataError.self) { try nearest(folder.path) }
    let expected = Problem(
      .invalidConfiguration, message, hint: hint, file: folder.path + "/datactl.json", line: line)
    #expect(error == DataError(expected))
  }

  @Test("rejects a project file that other users can write", arguments: [0o664, 0o646, 0o666])
  func writable(permissions: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "datactl.json", permissions: permissions)
    let path = folder.path + "/datactl.json"
    let error = try #require(throws: DataError.self) { try nearest(folder.path) }
    let expected = Problem(
      .invalidConfiguration, "the project file is not used: writable by other users",
      hint: "run chmod go-w \(path)", file: path)
    #expect(error == DataError(expected))
  }

  @Test("rejects a project file that is a dangling symbolic link")
  func danglingLink() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/datactl.json"
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/none.json")
    let error = try #require(throws: DataError.self) { try nearest(folder.path) }
    let expected = Problem(
      .invalidConfiguration,
      "the project file is not used: the target of the symbolic link does not exist",
      hint: "remove the link", file: path)
    #expect(error == DataError(expected))
  }

  @Test("rejects a project file owned by another user, but accepts one owned by root")
  func owner() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "datactl.json")
    var environment = Shop.environment(folder: folder.path)
    environment.userID = getuid() + 1
    guard getuid() != 0 else {
      #expect(try ProjectFile.nearest(in: environment) != nil)
      return
    }
    let error = try #require(throws: DataError.self) {
      try ProjectFile.nearest(in: environment)
    }
    #expect(
      error.problems.map(\.message) == [
        "the project file is not used: owned by another user"
      ])
  }

  private func nearest(_ folder: String) throws -> ProjectFile? {
    try ProjectFile.nearest(in: Shop.environment(folder: folder))
  }
}
