import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Conventions: help and manual pages")
struct DocumentsTests {
  @Test(
    "prints short help when a command or subcommand is missing", .contract(22),
    arguments: Subject.withoutServer)
  func bare(_ subject: Subject) throws {
    try subject.checkContract(22) { folder in
      let bare = try folder.run().exits(0).reportsNothing()
      try bare.requires(
        bare.output.contains("list") && bare.output.contains("schema"), "help was expected")
      let group = try folder.run("schema").exits(0).reportsNothing()
      try group.requires(group.output.contains("create"), "help was expected")
    }
  }

  @Test(
    "prints help with all its sections in at most 80 columns", .contract(23),
    arguments: Subject.withoutServer)
  func help(_ subject: Subject) throws {
    try subject.checkContract(23) { folder in
      let tree = try CommandTree(try folder.run("help", "--json").exits(0).json)
      for command in tree.commands {
        let arguments = command.name.split(separator: " ").map(String.init)
        let help = try folder.program.run(["help"] + arguments).exits(0)
        for part in ["usage", "examples", "exit status", "see also"] {
          try help.requires(
            help.output.lowercased().contains(part), "a part called \(part) was expected")
        }
        for option in command.options {
          try help.requires(help.output.contains(option.name), "\(option.name) was expected")
        }
        let widest = help.lines.map(DisplayWidth.of).max() ?? 0
        try help.requires(widest <= 80, "80 columns at most were expected, found \(widest)")
        guard command.examples.count >= 2, command.examples.allSatisfy({ $0.contains("datactl") })
        else { throw Violation("\(command.name): at least two examples were expected") }
      }
    }
  }

  @Test(
    "prints the text of every help topic in at most 80 columns", .contract(24),
    arguments: Subject.withoutServer)
  func topics(_ subject: Subject) throws {
    try subject.checkContract(24) { folder in
      let names = [
        "exit-codes", "environment", "conditions", "formats", "schema-files", "lint", "stores",
      ]
      for name in names {
        let help = try folder.run("help", name).exits(0).printsSomething().reportsNothing()
        let widest = help.lines.map(DisplayWidth.of).max() ?? 0
        try help.requires(widest <= 80, "80 columns at most were expected, found \(widest)")
      }
    }
  }

  @Test(
    "lists every option of a command on its manual page", .contract(25),
    arguments: Subject.withoutServer)
  func manual(_ subject: Subject) throws {
    try subject.checkContract(25) { folder in
      let tree = try CommandTree(try folder.run("help", "--json").exits(0).json)
      for command in tree.commands {
        let page = "datactl-" + command.name.replacingOccurrences(of: " ", with: "-")
        let manual = try Self.rendered("man/\(page).1", folder)
        for option in command.options {
          guard manual.contains(option.name) else {
            throw Violation("\(page)(1) does not have \(option.name)")
          }
        }
      }
      for page in ["datactl.1", "datactl-schema.5", "datactl-conditions.7"] {
        _ = try Self.rendered("man/\(page)", folder)
      }
    }
  }

  @Test(
    "fits all manual pages into 80 and 60 columns, except literal text",
    .needs(
      FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "groff is not installed"),
    arguments: [80, 60])
  func widths(columns: Int) throws {
    let folder = try TestFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: Binary.file("man")).sorted() {
      var isLiteral = false
      let page = try String(contentsOfFile: Binary.file("man/\(name)"), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { line in
          if line.hasPrefix(".Bd -literal") { isLiteral = true }
          defer { if line.hasPrefix(".Ed") { isLiteral = false } }
          return !isLiteral
        }
      try folder.write(name, page.joined(separator: "\n"))
      let width = "\(columns)n"
      let groff = try folder.tool(
        "groff", "-ww", "-mandoc", "-Tutf8", "-rLL=\(width)", "-rLT=\(width)", "-P-cbou",
        folder.path(name))
      try groff.reportsNothing()
      for line in Self.withoutOverstriking(groff.outputBytes).split(separator: "\n") {
        #expect(line.unicodeScalars.count <= columns, "\(name): \(line)")
      }
    }
  }

  /// Returns a manual page as text. mandoc and groff must format it without warnings.
  private static func rendered(_ page: String, _ folder: TestFolder) throws -> String {
    guard FileManager.default.fileExists(atPath: Binary.file(page)) else {
      throw Violation("there is no \(page)")
    }
    let lint = try folder.tool("mandoc", "-Tlint", "-Wwarning", Binary.file(page))
    try lint.requires(lint.outputBytes.isEmpty, "no warning was expected")
    let groff = try folder.tool("groff", "-ww", "-mandoc", "-Tutf8", Binary.file(page))
    try groff.reportsNothing()
    let text = try folder.tool("mandoc", "-Tascii", "-Owidth=200", Binary.file(page)).outputBytes
    return Self.withoutOverstriking(text)
  }

  /// Removes overstriking, in which a bold letter is printed as the letter, a backspace and the
  /// same letter.
  private static func withoutOverstriking(_ bytes: [UInt8]) -> String {
    var plain: [UInt8] = []
    for byte in bytes {
      if byte == 8 {
        plain.removeLast()
      } else {
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  @Test(
    "describes all commands when given help --json", .contract(26),
    arguments: Subject.withoutServer)
  func tree(_ subject: Subject) throws {
    try subject.checkContract(26) { folder in
      let tree = try CommandTree(try folder.run("help", "--json").exits(0).json)
      let names = Set(tree.commands.map(\.name))
      let expected: Set = [
        "get", "list", "save", "delete", "login", "logout", "whoami", "passwd", "help",
        "completion",
        "schema list", "schema show", "schema create", "schema apply", "schema drop",
        "schema export", "schema lint", "schema infer", "schema types", "schema plan",
        "schema diff", "schema rename", "schema log",
      ]
      guard names.isSuperset(of: expected) else {
        throw Violation("help --json lacks \(expected.subtracting(names).sorted())")
      }
      guard Set(tree.exitStatuses) == [0, 1, 2, 3, 4, 5, 6, 7, 130, 141, 143] else {
        throw Violation("help --json has the statuses \(tree.exitStatuses)")
      }
      guard (tree.options + tree.commands.flatMap(\.options)).allSatisfy(\.isTyped) else {
        throw Violation("an option without a type")
      }
      for command in tree.commands {
        let arguments = command.name.split(separator: " ").map(String.init)
        try folder.program.run(arguments + ["--help"]).exits(0)
      }
    }
  }
}
