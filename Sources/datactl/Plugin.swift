import CommandSyntax
import DataModel
import Platform

/// A program `datactl-NAME` in a folder of `PATH`, which provides the command NAME.
struct Plugin {
  private static let prefix = "datactl-"
  /// The variable that is set while a plugin completes a word.
  private static let completing = "DATACTL_COMPLETING"
  /// The time in seconds after which a plugin that completes a word is killed, because the user is
  /// waiting for it.
  private static let completionSeconds = 0.1
  /// The maximum number of bytes that a plugin may print for a completion.
  private static let maxCompletionSize = 256 << 10

  private let name: String
  private let path: String

  /// Searches the program of a command. Returns nil if there is none.
  private init?(_ name: String, in console: Console) {
    guard Self.isName(name),
      let path = Self.folders(in: console).lazy.map({ "\($0)/\(Self.prefix)\(name)" })
        .first(where: FileSystem.isExecutable)
    else { return nil }
    self.name = name
    self.path = path
  }

  /// Returns the names of all plugins, sorted.
  static func names(in console: Console) -> [String] {
    var names: Set<String> = []
    for folder in folders(in: console) {
      for file in (try? FileSystem.names(in: folder)) ?? [] where file.hasPrefix(prefix) {
        let name = String(file.dropFirst(prefix.count))
        let isOwn = Program.declaration.undeclaredCommand(in: [name]) == nil
        if isName(name), !isOwn, FileSystem.isExecutable("\(folder)/\(file)") {
          names.insert(name)
        }
      }
    }
    return names.sorted()
  }

  /// Replaces this process with the plugin that a command line runs, or whose help it prints.
  /// Returns if the command has no plugin.
  static func runIfFound(for words: [String], with context: CommandContext) throws(DataError) {
    guard let command = Program.declaration.undeclaredCommand(in: words),
      let plugin = Plugin(command.name, in: context.console)
    else { return }
    if let option = command.options.first(where: { $0.name != "--store" })?.name {
      throw DataError(
        .usage, "\(option) before \(plugin.name) has no effect, because \(plugin.name) is a plugin",
        hint: "write it after \(plugin.name), if the plugin has this option")
    }
    if let word = command.unexpected {
      throw DataError(
        .usage, "unexpected \(Excerpt.quoted(word)) for help, because \(plugin.name) is a plugin",
        hint: "write datactl help \(plugin.name)")
    }
    try context.console.checkEncoding()
    try plugin.setVariables(for: command)
    let error = CurrentProcess.run(plugin.path, arguments: command.arguments ?? ["--help"])
    throw DataError(
      .failed,
      "cannot run \(plugin.path): \(error.isMissing ? "its interpreter is missing" : error.text)",
      hint: error.isUnknownFormat || error.isMissing
        ? "begin a script with #! and the program that runs it, such as #!/bin/sh" : nil)
  }

  /// Returns the lines for the completion scripts if a line runs a plugin. Returns nil for other
  /// lines, and if a plugin that completes a word runs this program, so that no plugin asks itself.
  static func candidates(for line: CompletionLine, with context: CommandContext) -> String? {
    guard context.console.variable(Self.completing) == nil,
      let command = Program.declaration.undeclaredCommand(in: line.before),
      let arguments = command.arguments, let plugin = Plugin(command.name, in: context.console)
    else { return nil }
    let text = plugin.completion(of: arguments + [line.current], in: command, context.console)
    let candidates = text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return Candidate(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return Completion(typed: line.current).text(answers: candidates)
  }

  /// Returns what the plugin prints for the last of the words. Returns an empty text if it fails or
  /// takes too long.
  private func completion(
    of words: [String], in command: UndeclaredCommand, _ console: Console
  ) -> String {
    let end = console.stopwatch() + Self.completionSeconds
    guard (try? setVariables(for: command)) != nil,
      (try? CurrentProcess.setVariable(Self.completing, to: "1")) != nil,
      let input = try? OpenFile("/dev/null", for: .reading),
      var process = try? ChildProcess(
        path, arguments: ["--complete"] + words, input: input.descriptor, grace: 0)
    else { return "" }
    var (output, errors): ([UInt8], [UInt8]) = ([], [])
    while console.stopwatch() < end, output.count <= Self.maxCompletionSize {
      let ending = process.advance(output: &output, errors: &errors, alarm: -1)
      guard let ending else { continue }
      guard case .exited(status: 0) = ending else { break }
      return String(decoding: output, as: UTF8.self)
    }
    return ""
  }

  /// Sets the variables from which the plugin's own commands get the store and the program.
  private func setVariables(for command: UndeclaredCommand) throws(DataError) {
    let stores = command.options.filter { $0.name == "--store" }.map(\.value)
    let store = stores.last
    // The plugin would ignore an empty variable, and use another store.
    if store == "" { throw DataError(.usage, "the store address is empty") }
    if stores.count > 1 { throw DataError(.usage, "--store is given twice") }
    do throws(SystemCallError) {
      try CurrentProcess.setVariable("DATACTL_BIN", to: CurrentProcess.programPath)
      if let store {
        try CurrentProcess.setVariable("DATACTL_STORE", to: store)
      }
    } catch {
      throw DataError(.failed, "cannot run \(path): \(error.text)")
    }
  }

  /// The absolute folders of `PATH`. Others depend on the working directory, which can belong to
  /// another person.
  private static func folders(in console: Console) -> [String] {
    (console.variable("PATH") ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
  }

  /// Returns whether a text can be the name of a plugin: ASCII letters, digits, `-` and `_`,
  /// beginning with a letter or digit.
  private static func isName(_ text: String) -> Bool {
    let isAlphanumeric = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    return text.utf8.first.map(isAlphanumeric) == true
      && text.utf8.allSatisfy { isAlphanumeric($0) || [0x2D, 0x5F].contains($0) }
  }
}
