import Foundation
import Glibc
import ProgramHarness

extension Place {
  /// The program under test as a user who has no more rights than others.
  func unprivileged() throws -> Program {
    guard getuid() == 0 else { return program }
    let copy = "\(outside)/datactl"
    let files = FileManager.default
    if !files.fileExists(atPath: copy) {
      // A file that this process wrote could not be run while another test starts a child.
      _ = try tool("cp", Binary.path, copy)
    }
    var user = program.behind([
      "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
    ])
    // A stand-in lies where others may not look, so it is copied beside the program.
    let scripts = "\(outside)/stand-ins"
    if !files.fileExists(atPath: scripts) {
      _ = try tool("cp", "-r", Binary.file("Tests/CommandTests/StandIns"), scripts)
    }
    user.words = user.words.map { word in
      if word == Binary.path { return copy }
      return word.hasSuffix("/StandIns/broken.sh") ? "\(scripts)/broken.sh" : word
    }
    return user
  }

  /// Takes away the right to write in the working folder, until the end of the test.
  func protect() throws {
    for name in try files + [""] {
      let mode = name.isEmpty ? 0o555 : 0o444
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
  }

  /// The permissions of a file or folder.
  static func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
