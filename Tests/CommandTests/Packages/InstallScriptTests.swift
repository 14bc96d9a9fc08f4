import Foundation
import ProgramHarness
import Testing

@Suite("The script that installs an archive")
struct InstallScriptTests {
  @Test("installs files with their permissions, replaces older ones, and removes exactly these")
  func install() throws {
    let folder = try TestFolder()
    try folder.tool(
      "sh", "-euc", Self.archive(program: "echo first", obsolete: "share/doc/datactl/old"))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    // A folder and a program that lead to other places.
    try folder.tool("mkdir", "-p", "usr/share", "usr/bin", "elsewhere/man")
    try folder.tool("ln", "-s", "../../elsewhere/man", "usr/share/man")
    try folder.write("other", "another program")
    try folder.tool("ln", "-s", "../../other", "usr/bin/datactl")
    try folder.write("usr/bin/mine", "a program")

    try folder.tool("sh", "new/install.sh", "usr").prints(
      "datactl is installed in \(folder.directory)/usr/bin.\n")
    #expect(String(decoding: try folder.bytes("other"), as: UTF8.self) == "another program")
    #expect(
      try folder.tool("find", "usr", "elsewhere", "-type", "f", "-printf", "%m %p\\n").lines
        .sorted() == [
          "644 elsewhere/man/man1/datactl.1", "644 usr/bin/mine",
          "644 usr/share/doc/datactl/files", "644 usr/share/doc/datactl/old",
          "755 usr/bin/datactl",
        ])

    // The program is replaced while it runs.
    let running = try Program(
      [folder.path("usr/bin/datactl")], environment: ["PATH": "/usr/bin:/bin"],
      directory: folder.directory
    ).start([], input: .open)
    try running.wait(for: "the program") { !$0.outputBytes.isEmpty }
    try folder.tool(
      "sh", "-euc", "rm -r new/share; " + Self.archive(program: "echo second", obsolete: nil))
    try folder.tool("sh", "new/install.sh", "\(folder.directory)/usr")
    #expect(try folder.tool("usr/bin/datactl", "--version").output == "second\n")
    #expect(try !folder.tool("find", "usr", "-name", "old").output.contains("old"))

    try folder.tool("sh", "new/install.sh", "--uninstall", "usr").prints(
      "datactl is removed from \(folder.directory)/usr.\n")
    #expect(
      try folder.tool("find", "usr", "elsewhere").lines.sorted() == [
        "elsewhere", "elsewhere/man", "usr", "usr/bin", "usr/bin/mine", "usr/share",
        "usr/share/man",
      ])
    try folder.tool("sh", "-c", "! sh new/install.sh --uninstall usr 2>&1").prints(
      "install.sh has not installed datactl in \(folder.directory)/usr.\n")
    try folder.tool("sh", "-c", "! sh new/install.sh --help 2>&1").prints(
      "usage: new/install.sh [--uninstall] [PREFIX]\n")
  }

  /// Commands that make the folder `new`, unpacked with the umask 077.
  private static func archive(program: String, obsolete: String?) -> String {
    """
    umask 077
    mkdir -p new/bin new/lib new/share/man/man1 new/share/doc/datactl
    printf '#!/bin/sh\\n%s\\n[ "${1-}" = --version ] || read line\\n' '\(program)' > new/bin/datactl
    chmod +x new/bin/datactl
    echo manual > new/share/man/man1/datactl.1
    \(obsolete.map { "echo old > new/\($0)" } ?? ":")
    """
  }
}
