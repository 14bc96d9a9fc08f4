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
}
