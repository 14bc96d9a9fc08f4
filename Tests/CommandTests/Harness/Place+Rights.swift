import Foundation
import Glibc
import ProgramHarness

extension TestFolder {
  /// Returns the program under test run as a user without privileges.
  func unprivileged() throws -> Program {
    guard getuid() == 0 else { return program }
    let copy = "\(root)/datactl"
    let files = FileManager.default
    if !files.fileExists(atPath: copy) {
      // Copy with `cp`: if this process wrote the file, a concurrent fork could make executing it
      // fail.
      _ = try tool("cp", Binary.path, copy)
    }
    var user = program.prefixed([
      "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
    ])
    // The script of a fake may be unreadable for that user, so it is copied next to the program.
    let scripts = "\(root)/stand-ins"
    if !files.fileExists(atPath: scripts) {
      _ = try tool("cp", "-r", Binary.file("Tests/CommandTests/StandIns"), scripts)
    }
    user.command = user.command.map { word in
      if word == Binary.path { return copy }
      return word.hasSuffix("/StandIns/broken.sh") ? "\(scripts)/broken.sh" : word
    }
    return user
  }

  /// Makes the working folder and its files read-only until the end of the test.
  func makeReadOnly() throws {
    for name in try files + [""] {
      let mode = name.isEmpty ? 0o555 : 0o444
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
  }

  /// Returns the permissions of a file or folder.
  static func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
