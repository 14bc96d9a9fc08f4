import Foundation
import ProgramHarness
import Testing

@Suite("Plugins")
struct PluginTests {
  private static let report = """
    #!/bin/sh
    echo "$# $*"
    echo "store=$DATACTL_STORE bin=$DATACTL_BIN other=$OTHER" >&2
    read line && echo "read $line"
    exit 42

    """

  @Test("runs an unknown command as a program, with its arguments, streams and exit status")
  func run() throws {
    let program = try PluginProgram(["counts": Self.report])
    try program.run(
      ["counts", "a b", "--store", "other.db", "-x", "--", "--help"], ["OTHER": "x y"],
      input: .text("line\n")
    )
    .exits(42).prints("6 a b --store other.db -x -- --help\nread line\n")
    .reports("store=\(program.folder.address) bin=/", "/datactl other=x y\n")
    try program.run(["--store=dev", "counts"]).exits(42).reports("store=dev ")
    try program.run(["--store", "a.db", "counts"], ["DATACTL_STORE": nil])
      .exits(42).reports("store=a.db ")
    try program.run(["counts"], ["DATACTL_STORE": nil]).reports("store= ")
    for line in [["help", "counts"], ["-h", "counts"], ["--help", "counts", "more"]] {
      try program.run(line).exits(42).prints("1 --help\n")
    }
    try program.run(["counts", "--version"]).exits(42).prints("1 --version\n")
    try program.run(["counts", "--bad"]).exits(42).prints("1 --bad\n")
  }

  @Test("restores the default effect of SIGPIPE for a plugin")
  func signals() throws {
    let program = try PluginProgram(["pipe": "#!/bin/sh\nkill -PIPE $$\n"])
    try program.run(["pipe"]).exits(141).reportsNothing()
  }

  @Test("prefers its own commands, and ignores other files and relative folders")
  func search() throws {
    let program = try PluginProgram(
      ["list": Self.report, "schema": Self.report, "stores": Self.report, "help": Self.report])
    let folder = program.folder
    try folder.saveTodos()
    try program.run(["list", "todo", "--count"]).exits(0).prints("3\n")
    try program.run(["schema", "nope"]).exits(2).reports("unknown command schema nope")
    try program.run(["help", "stores"]).exits(0).reportsNothing()
    let help = try program.run(["help"]).exits(0)
    #expect(help.output.contains("\nPlugins:\n  stores\n"))
    let candidates = try program.run(["completion", "candidates", "1", "--", "help", "stor"])
    #expect(candidates.lines.filter { $0.contains("\tstores\t") }.count == 1)
    try folder.write("datactl-here", Self.report)
    try folder.tool("chmod", "+x", "datactl-here")
    let path = folder.datactl.environment["PATH"] ?? ""
    for relative in ["", ".", "./", "../work"] {
      try folder.datactl.with(["PATH": "\(relative):\(path):"]).run(["here"])
        .exits(2).reports("unknown command here")
    }
    try folder.datactl.with(["PATH": folder.directory]).run(["here"], input: .text("x\n")).exits(42)
    try folder.datactl.with(["PATH": folder.directory]).run(["../work/datactl-here"])
      .exits(2).reports("unknown command ../work/datactl-here")
    try folder.tool("chmod", "-x", "datactl-here")
    try folder.datactl.with(["PATH": folder.directory]).run(["here"]).exits(2)
    try folder.datactl.with(["PATH": nil]).run(["here"]).exits(2)
    try program.run(["liste"]).exits(2).reports("did you mean list?")
    for line in [["storse"], ["help", "storse"]] {
      try program.run(line).exits(2).reports("did you mean stores?")
    }
  }

  @Test("reports a plugin that cannot be run, and an option that has no effect on it")
  func failures() throws {
    let program = try PluginProgram([
      "broken": "\u{1}\u{2}", "missing": "#!/no/such/program\n", "counts": Self.report,
    ])
    try program.run(["broken"]).exits(1)
      .reports(
        "datactl: cannot run \(program.folder.root)/plugins/datactl-broken: ",
        "begin a script with #! and the program that runs it")
    try program.run(["missing"]).exits(1)
      .reports("datactl-missing: its interpreter is missing\n", "begin a script with #!")
    for line in [["--store", "a", "--store", "b"], ["--store=a", "--store=a"]] {
      try program.run(line + ["counts"]).exits(2).printsNothing().reports("--store is given twice")
    }
    for line in [["--store", ""], ["--store="], ["--store", "a.db", "--store="]] {
      try program.run(line + ["counts"]).exits(2).printsNothing()
        .reports("the store address is empty")
    }
    for word in ["more", "--json", "-x"] {
      try program.run(["help", "counts", word]).exits(2).printsNothing()
        .reports("unexpected \"\(word)\" for help, because counts is a plugin")
      try program.run(["help", "cuonts", word]).exits(2)
    }
    try program.run(["--quiet", "counts"]).exits(2)
      .reports("--quiet before counts has no effect, because counts is a plugin")
    let json = try program.run(["--errors", "json", "counts"]).exits(2)
    #expect(json.errors.contains(#""code":"usage""#))
  }

  @Test("lists plugins in help, but not in the JSON of help")
  func help() throws {
    let program = try PluginProgram(
      ["counts": Self.report, "a-b_2": Self.report, "list": Self.report, "no.t": Self.report])
    let help = try program.run(["help"]).exits(0)
    #expect(help.output.contains("\nPlugins:\n  a-b_2, counts\n"))
    let plain = try program.run(["help"], ["PATH": "/nowhere"]).exits(0)
    #expect(!plain.output.contains("Plugins:"))
    let json = try program.run(["help", "--json"]).exits(0)
    #expect(!json.output.contains("counts"))
  }

  @Test("completes the names of plugins, and their arguments with the plugin")
  func completion() throws {
    let program = try PluginProgram([
      "counts": """
      #!/bin/sh
      [ "$1" = --complete ] || exit 1
      shift
      printf 'all\\tof %s\\n' "$#"
      printf '%s\\n' alpha 'be\u{7}ta' gamma "$1-x"
      """,
      "slow": "#!/bin/sh\ntrap '' TERM\necho early\nsleep 60\n",
      "failing": "#!/bin/sh\necho early\nexit 1\n",
      "asking": """
      #!/bin/sh
      echo run >> asked
      exec "$DATACTL_BIN" completion candidates 1 -- asking ''
      """,
    ])
    func candidates(_ words: String...) throws -> [String] {
      // A plugin can take longer than it may while other tests run.
      for _ in 1...20 {
        let run = try program.run(
          ["completion", "candidates", "\(words.count - 1)", "--"] + words)
        if try !run.exits(0).reportsNothing().lines.isEmpty { return run.lines }
      }
      return []
    }
    #expect(try candidates("cou") == ["word\tcounts\t"])
    #expect(try candidates("help", "cou") == ["word\tcounts\t"])
    #expect(
      try candidates("counts", "") == [
        "word\tall\tof 1", "word\talpha\t", "word\tgamma\t", "word\t-x\t",
      ])
    #expect(try candidates("counts", "y", "a") == ["word\tall\tof 2", "word\talpha\t"])
    #expect(try candidates("--store", "x.db", "counts", "g") == ["word\tgamma\t", "word\tg-x\t"])
    #expect(try candidates("failing", "e") == [])
    try program.run(["completion", "candidates", "1", "--", "asking", ""]).exits(0).printsNothing()
    #expect(try program.folder.bytes("asked") == Array("run\n".utf8))
    try program.run(["completion", "candidates", "2", "--", "--store=", "counts", ""]).exits(0)
      .printsNothing()
    let run = try program.run(["completion", "candidates", "1", "--", "slow", "e"])
    #expect(run.lines == [])
    #expect(run.seconds < 5)
  }

  @Test("never runs a plugin for a request to a server")
  func server() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let program = try PluginProgram(["counts": "#!/bin/sh\necho ran\n"])
    let server = try TestServer(folder)
    let status = try folder.tool(
      "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST",
      "\(server.address)/v1/commands/counts")
    #expect(status.output == "404")
    try program.run(["--store", server.address, "counts"]).exits(0).prints("ran\n")
  }
}

/// datactl with plugins in a folder of `PATH`.
private struct PluginProgram {
  let folder: TestFolder
  private let program: Program

  /// - Parameter plugins: The text of each plugin by its name.
  init(_ plugins: [String: String]) throws {
    folder = try TestFolder()
    let path = "\(folder.root)/plugins"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for (name, text) in plugins {
      let file = "\(path)/datactl-\(name)"
      try Data(text.utf8).write(to: URL(filePath: file))
      try folder.tool("chmod", "+x", file)
    }
    let other = folder.datactl.environment["PATH"] ?? ""
    program = folder.datactl.with(["PATH": "\(path):\(other)"])
  }

  func run(
    _ arguments: [String], _ variables: [String: String?] = [:], input: Input = .nothing
  ) throws -> Run {
    try program.with(variables).run(arguments, input: input)
  }
}
