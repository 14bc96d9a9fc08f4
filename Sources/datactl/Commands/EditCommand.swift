import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import Platform
import Synchronization

/// `datactl edit`: changes records in an editor.
struct EditCommand: DeclaredCommand {
  /// The number of errors after which the editor is not opened again: a script that is used as an
  /// editor could make a new error each time.
  private static let maxAttempts = 100

  var schemaName = ""
  var ids: [String] = []
  /// The fields whose values are given as operands (`--by`), or nil if the operands are ids.
  var identifying: String?
  /// The fields to edit (`--fields`), or nil for all fields.
  var fields: String?
  /// The relations and inverses whose records are shown inside the records (`--expand`).
  var expansion: String?
  var isCreating = false
  /// The text to edit again (`--resume`).
  var keptPath: String?
  var wait = WriteWait.standard

  static let declaration = CommandDeclaration(
    EditCommand.self, "edit", "Change records in an editor.",
    discussion: [
      """
      Opens the records in an editor, as indented JSON below the list of their fields. When the \
      editor ends with exit status 0, the changes are saved in one transaction and printed on \
      standard error. If nothing was changed, nothing is saved.
      """,
      """
      The editor is the command in `VISUAL`, or else in `EDITOR`, or else `vi`. An editor with a \
      window must not end before the file is closed: `EDITOR='code --wait'`.
      """,
      .heading("The text"),
      """
      Lines that begin with `//`, also after spaces or tabs, are ignored. Null clears a field. A \
      field or a record that is removed from the text keeps its values. Passwords are not shown; to \
      change one, add it to the record. The content of a file cannot be changed.
      """,
      """
      The `revision` of each record is a part of the text. If another program changes the record \
      meanwhile, nothing is saved. To save your changes nevertheless, set `revision` to the number \
      that the error shows. Only the fields that you change are saved, and only the records that \
      you change are checked, also of nested records. If another program has added or removed nested \
      records, do the same in the text: it must not undo this.
      """,
      .heading("Errors"),
      """
      If the records cannot be saved, the editor opens again, with each error as a comment above its \
      record. To give up, close the file without changing it. The command then exits with the \
      status of the error, such as 6, or 5 for a conflict.
      """,
      """
      The file is `$XDG_DATA_HOME/datactl/edit/SCHEMA-…/SCHEMA.jsonc`, or is in \
      `~/.local/share/datactl/edit`. Only you can read it. It is removed when its changes are saved. \
      If they are not, because of an error or a signal, the file is kept with those that the editor \
      has left next to it, and the command is printed that opens it again:
      """,
      .literal("datactl edit SCHEMA --resume FILE --store ADDRESS"),
      """
      It saves what differs from the records as they were first read, with the same checks. With \
      `--create`, it also creates records again that were deleted meanwhile. While another command \
      has the file open, it does nothing. Without a terminal, the editor is not opened a second \
      time.
      """,
    ],
    inputs: [
      .operand("SCHEMA", \.schemaName, kind: .schema, "The schema of the records."),
      .operands(
        "ID", \.ids, kind: .id,
        """
        The ids of at most \(EditedRecords.maxCount) records, or `-` to read ids from standard \
        input, one per line. Can be omitted with `--create`.
        """),
      .option(
        "--by", \.identifying, value: "FIELDS", kind: .fieldsFor(.identifying),
        "Look up records by these comma-separated fields instead of by their ids, as `get` does."),
      .option(
        "--fields", \.fields, value: "FIELDS", kind: .fields,
        "Show only these comma-separated fields, the primary key and `revision`."),
      .option(
        "--expand", \.expansion, value: "RELATIONS", kind: .relations,
        """
        Show the records of these comma-separated relations and inverses inside the records, and \
        save them too. A part that is removed from an owned list is deleted (see `datactl help \
        graphs`).
        """),
      .flag(
        "--create", \.isCreating,
        """
        Create records with the given ids, or one with a new id. The text begins with a record for \
        each, with the defaults of its fields except `:user`. You can add other records.
        """),
      .option(
        "--resume", \.keptPath, value: "FILE", kind: .file,
        "Open a text again that was kept because it could not be saved."),
      .wait(\.wait),
    ],
    rules: [
      .atMostOne(["--by", "--create"]),
      .excludes("--resume", ["ID", "--by", "--fields"]),
    ],
    examples: [
      Example("datactl edit todo tea", "Edit a record."),
      Example("datactl edit todo --create --fields title,done", "Write a new record."),
      Example("datactl edit user ann --expand todos", "Edit a user together with their todos."),
      Example(
        "datactl list todo done=false -o ids | EDITOR=nano datactl edit todo -",
        "Edit the records whose ids another command prints, with nano."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["get", "save", "environment"])
}

extension EditCommand {
  /// The commands that read and save the records open the store.
  var storeUse: StoreUse { .none }

  func validate() throws(UsageError) {
    if ids.isEmpty, !isCreating, keptPath == nil {
      throw UsageError("edit needs an ID", hint: "or pass --create")
    }
    // A kept text can contain records that were deleted while it was edited.
    if isCreating, expansion != nil, keptPath == nil {
      throw UsageError("--expand and --create cannot be used together")
    }
  }

  func run(with context: CommandContext) async throws {
    let ids = try ids(with: context)
    if ids.isEmpty, !isCreating, keptPath == nil {
      return try context.printMessage("Nothing to edit: no ids.")
    }
    if let choice = context.storeChoice() { try context.announce(choice) }
    if let keptPath {
      let file = try EditFile(kept: keptPath, named: schemaName, in: context.environment)
      var command = self
      if let expansion, expansion != file.expansion {
        throw DataError(
          .usage,
          "--expand: the records of this text were read "
            + (file.expansion.map { "with --expand \($0)" } ?? "without it"),
          hint: "leave out --expand")
      }
      command.expansion = file.expansion
      let schema = try await command.schema(context)
      guard let records = try? EditedRecords(file.original, of: schema, restoring: isCreating)
      else { throw file.damage(of: schemaName) }
      return try await command.edit(records, from: file.read(), in: file, context)
    }
    let schema = try await schema(context)
    let names = try schema.names(fields)
    var original = schema.templates(ids: ids, names)
    if !isCreating {
      let shown = (names + ["created_at", "revision"]).joined(separator: ",")
      original = try await context.output(
        of: ["get", "--fields", shown, "-o", "json"]
          + (identifying.map { ["--by", $0] } ?? []) + (expansion.map { ["--expand", $0] } ?? [])
          + ["--", schemaName] + ids)
    }
    let records = try EditedRecords(original, of: schema)
    let file = try EditFile(
      of: original, expanding: expansion, named: schemaName, in: context.environment)
    do {
      try file.write(records.text)
    } catch {
      file.remove()
      throw error
    }
    try await edit(records, from: records.text, in: file, context)
  }

  /// Reads the schema, and those of the records that can be nested in its records.
  private func schema(_ context: CommandContext) async throws -> EditedSchema {
    do {
      let text = try await context.output(of: ["schema", "show", "--", schemaName])
      let all = expansion == nil ? [] : try await context.output(of: ["schema", "export"])
      return try EditedSchema(parsing: text, among: all)
    } catch let error as DataError where keptPath != nil {
      throw error.withEditorHints
    }
  }

  /// Reads the records again if their changes depend on what other programs have changed.
  private func stored(
    _ records: EditedRecords, _ context: CommandContext
  ) async throws -> [UInt8] {
    guard !records.isCreating, expansion != nil || records.isRestoring else { return [] }
    return try await context.output(
      of: ["list", "--where", records.condition, "--fields", records.schema.key, "-o", "json"]
        + (expansion.map { ["--expand", $0] } ?? []) + ["--", schemaName])
  }

  /// Returns the ids or values that the operands specify.
  private func ids(with context: CommandContext) throws(DataError) -> [String] {
    var ids: [String] = []
    let next = context.chunks(of: self.ids, identifying == nil ? .ids : .values)
    while let chunk = try next() {
      ids += chunk
      if ids.count > EditedRecords.maxCount {
        throw DataError(
          .usage, "edit accepts at most \(EditedRecords.maxCount) records",
          hint: "to change many, use save --where, or a pipe: list | … | save")
      }
    }
    return ids
  }

  /// Edits the records until they can be saved. If that fails, and the user may have typed text,
  /// keeps the file and throws an error that contains the command to open it again.
  ///
  /// - Parameter typed: The text that the file contains.
  private func edit(
    _ records: EditedRecords, from typed: [UInt8], in file: EditFile, _ context: CommandContext
  ) async throws {
    var attempt = Attempt(typed: typed, written: records.text)
    do {
      SignalHandler.printAtExit(
        """
        datactl: the text is kept in \(file.path)
          to edit it again: \(resumeCommand(file.path, context))

        """)
      if try await !editUntilSaved(records, &attempt, in: file, context) {
        try keep(attempt, of: records, in: file)
        try context.printMessage("Nothing was changed.")
        if try records.hasNewLines(file.read()) || file.hasOtherFiles {
          let paths = file.keptPaths
          try context.printNotice("The text is kept in \(paths.first ?? file.folder).")
          for hint in resumeHints(paths.prefix(1), context) { try context.printNotice("  \(hint)") }
          return try note(paths.dropFirst(), context)
        }
      }
    } catch {
      let error = error as? DataError ?? DataError(.failed, "\(error)")
      do throws(DataError) {
        try keep(attempt, of: records, in: file)
      } catch let failure {
        // An error would contain only the start of the text.
        let text = String(decoding: attempt.typed, as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
          try context.printNotice(String(line))
        }
        throw error.keeping("the text cannot be kept: \(failure.problems[0].message)")
      }
      // An editor that was interrupted may have kept what was typed in a file of its own.
      let text = try? file.read()
      // A text that cannot be read can have been typed.
      let isTyped =
        text.map { error.code == .interrupted || $0 != records.text } ?? !file.keptPaths.isEmpty
      guard isTyped || file.hasOtherFiles else {
        file.remove()
        throw error
      }
      let paths = file.keptPaths
      try note(paths.dropFirst(), context)
      let path = paths.first ?? file.folder
      let hints = ["the text is kept in \(path)"] + resumeHints(paths.prefix(1), context)
      throw error.keeping(hints.joined(separator: "\n"), in: path)
    }
    try note(file.removeSaved()[...], context)
  }

  /// Prints the paths of other files that are kept, and the commands that open texts again.
  private func note(_ paths: ArraySlice<String>, _ context: CommandContext) throws(DataError) {
    for path in paths {
      let text = EditFile.isText(path) ? "text is kept: \(resumeCommand(path, context))" : nil
      try context.printNotice("Another \(text ?? "file is kept: \(path)")")
    }
  }

  /// Returns a line for each text, with the command that opens it again.
  private func resumeHints(
    _ paths: ArraySlice<String>, _ context: CommandContext
  ) -> [String] {
    paths.filter(EditFile.isText).map { "to edit it again: \(resumeCommand($0, context))" }
  }

  /// Returns the command that opens a text again, in any folder and environment. It contains no
  /// password of an address: the other environment has to provide it.
  private func resumeCommand(_ path: String, _ context: CommandContext) -> String {
    let choice = context.storeChoice()
    let store = choice.map { "\($0.address)".replacing(":***@", with: "@") }
    let words =
      ["datactl", "edit", schemaName, "--resume", path]
      + (expansion.map { ["--expand", $0] } ?? [])
      + (isCreating && keptPath != nil ? ["--create"] : [])
      + (store.map { ["--store", $0] } ?? [])
    // The token must not be sent to an address because a project file contains it.
    let hasToken =
      choice?.isFromProjectFile == true && context.console.variable("DATACTL_TOKEN") != nil
    return ((hasToken ? ["env", "-u", "DATACTL_TOKEN"] : []) + words)
      .map(ShellText.word).joined(separator: " ")
  }

  /// What the user has typed.
  private struct Attempt {
    /// The last text that was typed, or else the initial one.
    var typed: [UInt8]
    /// The text with which the editor was opened.
    var written: [UInt8]
  }

  /// Returns false if there is nothing to save.
  private func editUntilSaved(
    _ records: EditedRecords, _ attempt: inout Attempt, in file: EditFile,
    _ context: CommandContext
  ) async throws -> Bool {
    var rejection: DataError?
    var attempts = 0
    while true {
      try Editor.open(file.path, on: context.console)
      let text = try file.read()
      do {
        if text != attempt.written,
          let changes = try records.changes(in: text, stored: try await stored(records, context))
        {
          try await save(changes, of: records, with: context)
          return true
        }
      } catch {
        attempt.typed = text
        guard let failure = (error as? DataError)?.withEditorHints, failure.canBeCorrected
        else { throw error }
        attempts += 1
        if attempts == Self.maxAttempts || !TerminalProgram.hasTerminal { throw failure }
        rejection = failure
        attempt.written = records.annotated(text, with: failure)
        // If the text cannot be written, the file still contains what the user has typed.
        do { try file.write(attempt.written) } catch { throw failure }
        continue
      }
      guard let rejection else { return false }
      // The lines in the error are those of the text without its comments.
      throw rejection
    }
  }

  /// Keeps a text that was rejected. If the editor has left another text in the file, it is kept
  /// too.
  private func keep(
    _ attempt: Attempt, of records: EditedRecords, in file: EditFile
  ) throws(DataError) {
    let text = try? file.read()
    if attempt.typed == records.text || attempt.typed == text { return }
    if let text, records.hasNewLines(text, besides: attempt.written) {
      try file.writeRejected(attempt.typed)
    } else {
      do { try file.write(attempt.typed) } catch { try file.writeRejected(attempt.typed) }
    }
  }

  /// Saves records, and prints the changes on stderr.
  private func save(
    _ changes: [UInt8], of records: EditedRecords, with context: CommandContext
  ) async throws {
    var console = context.console
    let input = try AnonymousTempFile()
    try input.write(changes.span)
    console.input = try input.input()
    console.output = console.errors.buffered
    let mode = records.isCreating ? ["--create"] : records.isRestoring ? [] : ["--update"]
    try await context.run(
      [
        "save", "--file", "-", "--input", "json", "--wait", "\(wait)", "--same-record", "--output",
        context.isQuiet ? "none" : "diff",
      ] + mode + (expansion == nil ? [] : ["--deep"]) + ["--", schemaName], on: console)
  }
}

extension CommandContext {
  /// Runs another command on the same store, and returns its output.
  fileprivate func output(of line: [String]) async throws -> [UInt8] {
    let bytes = CollectedBytes()
    var console = console
    console.input = try AnonymousTempFile().input()
    console.output = OutputStream("standard output") { bytes.append($0) }
    try await run(line, on: console)
    return bytes.all
  }

  /// Runs another command on the same store, which is already announced.
  fileprivate func run(_ line: [String], on console: Console) async throws {
    var settings = settings
    if settings.verbosity == .verbose { settings.verbosity = .normal }
    try await Program.run(line, with: CommandContext(console: console, settings: settings))
  }
}

private final class CollectedBytes: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  var all: [UInt8] { bytes.withLock { $0 } }

  func append(_ span: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.append(copying: span)
    bytes.withLock { [copy] in $0 += copy }
  }
}
