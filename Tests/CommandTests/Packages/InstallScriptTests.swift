import Foundation
import Glibc
import ProgramHarness
import TestSupport
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
    for arguments in ["--help", "a b", "--uninstall a b"] {
      try folder.tool("sh", "-c", "sh new/install.sh \(arguments) 2>&1 || [ $? = 2 ]").prints(
        "usage: new/install.sh [--uninstall] [PREFIX]\n")
    }
    try folder.tool("ln", "-s", "new/install.sh", "link")
    try folder.tool("sh", "link", "linked").prints(
      "datactl is installed in \(folder.directory)/linked/bin.\n")
  }

  /// Each of the commands lets an installation fail over one that exists.
  static let failures = [
    // A folder where a file belongs, in the last of the folders.
    (
      "rm usr/share/man/man1/datactl.1; mkdir usr/share/man/man1/datactl.1", ":",
      "usr/share/man/man1/datactl.1 is a folder: a file was expected.\n"
    ),
    ("rm usr/bin/datactl; mkdir usr/bin/datactl", ":", "usr/bin/datactl is a folder: "),
    // A file where a folder belongs.
    ("rm -r usr/share/man; touch usr/share/man", ":", "usr/share/man is not a folder.\n"),
    (
      "rm -r usr/share/man; ln -s /nonexistent usr/share/man", ":",
      "usr/share/man is not a folder.\n"
    ),
    // The second file cannot be renamed.
    (
      ":",
      """
      mv() {
        if [ -e moved ] && [ ! -e no ]; then touch no; echo stopped >&2; exit 1; fi
        touch moved; command mv "$@"
      }
      """,
      "stopped\n"
    ),
    (":", #"mv() { command mv "$@"; kill -TERM $$; }"#, ""),
    (":", #"cp() { case $1 in *.1) echo full >&2; return 1;; esac; command cp "$@"; }"#, "full\n"),
  ]

  @Test("leaves everything as it was if it fails, and says so", arguments: failures)
  func failure(before: String, function: String, message: String) throws {
    let folder = try TestFolder()
    try folder.tool(
      "sh", "-euc", Self.archive(program: "echo first", obsolete: "share/doc/datactl/old"))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    try folder.tool("sh", "new/install.sh", "usr")
    try folder.tool("sh", "-euc", before)
    let state = "find usr -printf '%m %p %l\\n' | sort; cat usr/bin/datactl usr/share/doc/datactl/*"
    let installed = try folder.tool("sh", "-c", "\(state); :").output
    try folder.tool(
      "sh", "-euc",
      "rm -r new/share; " + Self.archive(program: "echo second", obsolete: "share/doc/datactl/new")
        + "\nmkdir new/lib/datactl; echo library > new/lib/datactl/library")
    try folder.write("functions.sh", "\(function)\n")
    let line =
      "cat functions.sh new/install.sh > new/failing.sh; sh new/failing.sh usr 2>&1 && exit 9; :"
    let run = try folder.tool("sh", "-c", line)
    #expect(message.isEmpty || run.output.contains(message))
    #expect(run.lines.filter { $0.hasPrefix("mkdir:") }.count <= 1)
    #expect(run.output.hasSuffix("Nothing was installed in \(folder.directory)/usr.\n"))
    #expect(try folder.tool("sh", "-c", "\(state); :").output == installed)
    // The first installation into a folder that does not exist leaves no folder.
    if before == ":" {
      try folder.tool(
        "sh", "-c", "rm -f new/moved new/no; sh new/failing.sh other 2>&1; [ ! -e other ]")
    }
  }

  @Test("leaves nothing if a signal comes when something is created")
  func signals() throws {
    let folder = try TestFolder()
    try folder.tool("sh", "-euc", Self.archive(program: "echo first", obsolete: nil))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    try folder.write(
      "steps.sh",
      """
      mkdir programs temporary
      sh new/install.sh old
      find old -type f | sort > before
      for call in mktemp-1 mkdir-1 mkdir-2 mkdir-4 cp-1 cp-3 ln-2; do
        rm -f programs/*
        printf '%s\\n' '#!/bin/sh' "/usr/bin/${call%-*} \\"\\$@\\"" "echo >> '$PWD/calls'" \\
          "[ \\$(wc -l < '$PWD/calls') != ${call#*-} ] || kill -TERM \\$PPID" \\
          > programs/${call%-*}
        chmod +x programs/*
        for prefix in some/usr old; do
          rm -f calls
          TMPDIR=$PWD/temporary PATH=$PWD/programs:$PATH sh new/install.sh $prefix || ls some
          rm -rf some
        done
        find old -type f | sort | diff before -
      done
      ls temporary
      """)
    let run = try folder.tool("sh", "-c", "sh steps.sh 2>/dev/null | grep -v 'is installed in'; :")
    #expect(run.output == "")
  }

  @Test("accepts no prefix with a line break, and removes no file outside of the prefix")
  func paths() throws {
    let folder = try TestFolder()
    try folder.tool("sh", "-euc", Self.archive(program: "echo first", obsolete: nil))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    try folder.tool("sh", "-c", "sh new/install.sh 'a\nb' 2>&1 || [ $? = 2 ]").prints(
      "PREFIX must not contain a line break.\n")
    try folder.write("mine", "a file")
    let files = "../mine\nbin/../../mine\n\(folder.path("mine"))\n"
    for option in ["", "--uninstall"] {
      try folder.tool("sh", "new/install.sh", "usr")
      try folder.tool("sh", "-c", "printf '\(files)' >> usr/share/doc/datactl/files")
      try folder.tool("sh", "-c", "sh new/install.sh \(option) usr")
      #expect(try folder.files.contains("mine"))
    }
    #expect(try folder.tool("find", "usr").lines == ["usr"])
  }

  @Test("can be run twice at once")
  func concurrency() throws {
    let folder = try TestFolder()
    try folder.tool("sh", "-euc", Self.archive(program: "echo first", obsolete: nil))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    for name in ["a", "b", "c", "d"] {
      let line = "sh new/install.sh \(name) 2>&1 & sh new/install.sh \(name) 2>&1; wait"
      #expect(
        try folder.tool("sh", "-c", line).lines
          == Array(repeating: "datactl is installed in \(folder.directory)/\(name)/bin.", count: 2))
    }
  }

  @Test("writes through no symbolic link, and replaces one")
  func links() throws {
    let folder = try TestFolder()
    try folder.tool("sh", "-euc", Self.archive(program: "echo first", obsolete: nil))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    try folder.write("other", "another file")
    try folder.tool("mkdir", "-p", "usr/bin", "usr/share/doc/datactl", "usr/share/man/man1")
    for path in [
      "bin/datactl", "bin/datactl.new", "share/doc/datactl/files.new",
      "share/man/man1/datactl.1.new",
    ] {
      try folder.tool("ln", "-s", folder.path("other"), "usr/\(path)")
    }
    try folder.tool("sh", "new/install.sh", "usr")
    #expect(String(decoding: try folder.bytes("other"), as: UTF8.self) == "another file")
    #expect(try folder.tool("usr/bin/datactl", "--version").output == "first\n")
  }

  @Test(
    "installs nothing on a full file system, and removes nothing from one that is read-only",
    .needs(getuid() == 0, "only root can make a small file system"))
  func fileSystems() throws {
    let folder = try TestFolder()
    try folder.tool("sh", "-euc", Self.archive(program: "echo first", obsolete: nil))
    try folder.tool("cp", Binary.file("Tests/Packaging/install.sh"), "new/install.sh")
    try folder.tool("dd", "if=/dev/zero", "of=new/lib/large", "bs=1k", "count=900")
    try folder.write(
      "steps.sh",
      """
      mkdir usr && mount -t tmpfs -o size=800k none usr || exit 99
      sh new/install.sh usr 2>&1 && exit 1
      find usr -mindepth 1
      mount -o remount,size=2m usr && sh new/install.sh usr || exit 1
      mount -o remount,ro usr && sh new/install.sh --uninstall usr 2>&1 && exit 1
      find usr -name datactl.1
      sh new/install.sh usr/other 2>&1 && exit 1
      exit 0
      """)
    let run = try folder.tool("unshare", "-m", "sh", "steps.sh")
    #expect(
      run.lines.map { $0.replacing(folder.directory, with: "") }.dropFirst() == [
        "Nothing was installed in /usr.", "datactl is installed in /usr/bin.",
        "Nothing was removed: /usr cannot be written.",
        "usr/share/man/man1/datactl.1", "Nothing was installed: /usr cannot be written.",
        #"Run the script with sudo, or install datactl for yourself: new/install.sh "$HOME/.local""#,
      ])
    #expect(run.lines.first?.hasSuffix("No space left on device") == true)
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
