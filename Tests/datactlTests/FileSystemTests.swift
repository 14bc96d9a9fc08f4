import Foundation
import Platform
import Testing

@Suite("File system")
struct FileSystemTests {
  @Test("renames a file unless a file or a link exists at the new path")
  func moveWithoutReplacing() throws {
    let session = try TestSession()
    try session.write("new", "new")
    try session.write("old", "old")
    try FileManager.default.createSymbolicLink(
      atPath: session.folder + "/link", withDestinationPath: "nowhere")
    for name in ["old", "link"] {
      #expect(throws: SystemCallError(number: EEXIST)) {
        try FileSystem.moveWithoutReplacing(
          session.folder + "/new", to: "\(session.folder)/\(name)")
      }
    }
    #expect(try String(contentsOfFile: session.folder + "/old", encoding: .utf8) == "old")
    try FileSystem.moveWithoutReplacing(session.folder + "/new", to: session.folder + "/newer")
    #expect(try session.files == ["link", "newer", "old", "schemas"])
  }

  @Test("keeps the old file until the complete new version replaces it")
  func replacement() throws {
    let session = try TestSession()
    let path = session.folder + "/file"
    try session.write("file", "old")
    do {
      let abandoned = try FileReplacement(of: path, permissions: .restricted)
      try Descriptor.writeAll(abandoned.descriptor, Array("abandoned".utf8).span)
      let published = try FileReplacement(of: path, permissions: .copied)
      try Descriptor.writeAll(published.descriptor, Array("new".utf8).span)
      #expect(try session.files == [".file.new-1", ".file.new-2", "file", "schemas"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      try published.publish()
      #expect(try session.files == [".file.new-1", "file", "schemas"])
    }
    #expect(try session.files == ["file", "schemas"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  @Test(
    "removes the temporary file of a killed process, but not a link with such a name")
  func staleReplacement() throws {
    let session = try TestSession()
    try session.write(".file.new-1", "stale")
    try FileManager.default.createSymbolicLink(
      atPath: session.folder + "/.other.new-1", withDestinationPath: "schemas")
    try FileReplacement(of: session.folder + "/file", permissions: .restricted).publish()
    try FileReplacement(of: session.folder + "/other", permissions: .restricted).publish()
    #expect(try session.files == [".other.new-1", "file", "other", "schemas"])
    #expect(try FileStatus(session.folder + "/file").permissions == 0o600)
  }
}
