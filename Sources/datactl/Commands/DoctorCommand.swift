import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl doctor`: finds what is wrong with a store, and repairs some of it.
struct DoctorCommand: DeclaredCommand {
  var schemaNames: [String] = []
  var isComplete = false
  var fixes = false
  var concernsSecurity = false
  var printsDigests = false
  var allowedTables: [String] = []
  var format = ReportFormat.text

  static let declaration = CommandDeclaration(
    DoctorCommand.self, "doctor", "Find damage and invalid data in a store.",
    discussion: [
      """
      Compares the tables of a store with its schemas, and the records with their types, rules and \
      references, in one snapshot. Other commands can read and write the store meanwhile. Without \
      `--fix`, the command changes nothing. It also works if the file is damaged, or if another \
      program has changed the store.
      """,
      """
      The exit status is 0 if nothing is wrong, 1 if there are findings, and 7 if the store could \
      not be inspected.
      """,
      .heading("Findings"),
      """
      Each finding is printed with its schema, its record, its field and, in brackets, its code. Of \
      each code and field, at most 20 records are printed, and the number of the others:
      """,
      .literal(
        """
        todo tea: owner: there is no user "bob" [dangling-reference]
          Save the missing record, or clear the relation.
        """),
      .definitions(
        Finding.Code.allCases.filter { !$0.concernsSecurity }.map(\.definition)),
      "With `--security`, there are also these findings:",
      .definitions(Finding.Code.allCases.filter(\.concernsSecurity).map(\.definition)),
      .heading("Repairs"),
      """
      `--fix` makes only changes that lose nothing: it creates missing indexes, replaces wrong ones, \
      deletes contents and links that belong to no record, and upgrades an older format. It never \
      changes a value. If the file is damaged, it changes nothing.
      """,
    ],
    inputs: [
      .operands("SCHEMA", \.schemaNames, kind: .schema, "Inspect only these schemas."),
      .flag(
        "--full", \.isComplete,
        "Also compare the entries of indexes and the contents of files with the records."),
      .flag("--fix", \.fixes, "Repair what can be repaired without loss, then inspect the store."),
      .flag(
        "--security", \.concernsSecurity,
        """
        Also inspect the permissions of the files, the access rules and the saved sessions, and \
        list the administrators with their sessions on stderr.
        """),
      .flag(
        "--digest", \.printsDigests,
        """
        Instead of inspecting the store, print the digest of each schema, as `datactl copy` does. \
        Stores with the same digests have the same records. This also works with a store on a         server.
        """),
      .repeatedOption(
        "--allow", \.allowedTables, value: "NAME", kind: .text,
        "Do not report this table of another program. You can repeat the option."),
      .choice("--output", letter: "o", \.format, value: "FORMAT", "The output format."),
    ],
    rules: [
      .atMostOne(["--digest", "--full"]), .atMostOne(["--digest", "--fix"]),
      .atMostOne(["--digest", "--allow"]), .atMostOne(["--digest", "--security"]),
    ],
    examples: [
      Example("datactl doctor --store shop.db", "Inspect a store."),
      Example("datactl doctor --fix", "Repair the indexes of the store, and inspect it."),
      Example(
        "datactl doctor --security", "Also find permissions and rules that give too much."),
      Example("datactl doctor -o json | jq -r '.[].code'", "Print only the codes of the findings."),
    ],
    exitStatuses: [
      .done, .findings, .usageOfOptions, .schemaNotFound, .forbidden, .store, .interrupted,
      .brokenPipe, .terminated,
    ],
    seeAlso: ["backup", "restore", "schema diff", "stores"])

  var storeUse: StoreUse { .none }
}

extension DoctorCommand {
  func run(with context: CommandContext) async throws {
    try await context.check {
      if !printsDigests, let address = context.storeChoice()?.address, address.server != nil {
        throw DataError(
          .usage, "cannot inspect a store on a server: \(address)",
          hint:
            "run doctor on the machine of the server, with the address of its store; only --digest "
            + "can be used here")
      }
      if printsDigests { return try await printDigests(with: context) }
      try await inspect(with: context)
    }
  }

  private var request: InspectionRequest {
    var request = InspectionRequest()
    request.schemas = schemaNames.isEmpty ? nil : schemaNames
    request.isComplete = isComplete
    request.concernsSecurity = concernsSecurity
    request.allowedTables = Set(allowedTables)
    return request
  }

  private func inspect(with context: CommandContext) async throws {
    var inspection = try await inspection(
      of: context.open(for: .reading, unfinishedCopies: .accepted), with: context)
    if fixes, !inspection.repairs.isEmpty {
      let repairs = inspection.repairs
      await context.closeClients()
      try await context.open(for: .writing).repair(inspection)
      await context.closeClients()
      try context.printMessage(repairs.map { "Repaired: \($0.description)" })
      inspection = try await self.inspection(of: context.open(for: .reading), with: context)
    }
    try context.console.print(inspection.findings, as: format)
    try context.console.output.flush()
    try context.printMessage(inspection.administrators.flatMap(\.lines))
    guard inspection.findings.isEmpty else {
      let repairs = inspection.repairs.count
      throw DataError(
        .findings, inspection.findings.count.counted("finding"),
        hint: repairs > 0 && !fixes
          ? "run datactl doctor --fix\(isComplete ? " --full" : "") to repair some of them" : nil)
    }
    try context.printMessage("Nothing is wrong with \(context.storeAddress()).")
  }

  private func inspection(
    of client: Client, with context: CommandContext
  ) async throws(DataError) -> StoreInspection {
    try await context.showingProgress { monitor throws(DataError) in
      try await client.inspect(request, monitor: monitor)
    }
  }

  private func printDigests(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let summary = try await context.showingProgress { monitor throws(DataError) in
      try await client.digests(
        of: request.schemas, alarm: SignalHandler.alarm, monitor: monitor)
    }
    try summary.print(to: context.answerOutput, as: format == .json ? .json : nil)
    try context.console.output.flush()
    try context.printMessage(summary.lines("read"))
  }
}

extension Finding.Code {
  fileprivate var definition: Definition { Definition(rawValue, "\(facts.title) \(facts.fix)") }
}

extension Administrator {
  /// The user and the sessions of the user, as lines for stderr.
  fileprivate var lines: [String] {
    let count = sessions.isEmpty ? "no session" : sessions.count.counted("session")
    let state = isDisabled ? ", disabled" : ""
    return ["administrator \(user)\(state): \(count)"]
      + sessions.map { session in
        "  \(session.created)  until \(session.expires)\(session.name.map { "  " + $0 } ?? "")"
      }
  }
}
