import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl schema lint`: checks schema files for errors and likely mistakes.
struct SchemaLintCommand: Command {
  let paths: [String]
  let against: String?
  let failsFrom: LintRule.Level
  let format: ReportFormat

  static let declaration = CommandDeclaration<any Command>(
    "lint", "Check schema files for mistakes.",
    discussion: [
      """
      Reads schema files and reports errors in them, and what is valid but rarely intended. With \
      `--against` it also reports changes that break programs using the deployed schemas. No store \
      is changed, and none is needed.
      """,
      """
      Each finding has the file, the line, a level and, in brackets, a code; `datactl help lint` \
      explains for each code why it matters and what to do. Notes are for information and never \
      cause a failure.
      """,
      """
      Without a path, the folder is the one that `schemas` in `datactl.json` names, or else \
      `./schemas`. A folder covers a whole store: the targets of its relations must exist in it, \
      or in what `--against` names. A single file is checked without other schemas.
      """,
    ],
    inputs: .schemaPaths,
    .option(
      "--against", value: "STORE", kind: .store,
      "The deployed schemas: a store, or a folder of schema files."),
    .choice(
      "--fail-on", value: "LEVEL", of: [.warning, .error], default: LintRule.Level.warning,
      "Exit with 1 if there is a finding of this level or a higher one."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: ReportFormat.allCases,
      default: ReportFormat.text, "How to print the findings."),
    examples: [
      Example("datactl schema lint", "Check the files of the project."),
      Example(
        "datactl schema lint schemas --against shop.db --fail-on error",
        "Check whether the files break deployed programs."),
      Example("datactl schema lint -o json | jq -r '.[].code'", "Print only the codes."),
    ],
    exitStatuses: [.done, .findings, .usage, .notFound, .forbidden, .invalid, .store, .brokenPipe],
    seeAlso: ["schema apply", "lint", "schema-files"]
  ) { paths, against, failsFrom, format in
    SchemaLintCommand(paths: paths, against: against, failsFrom: failsFrom, format: format)
  }
}

extension SchemaLintCommand {
  func run(with context: CommandContext) async throws {
    try await context.check {
      let files = try context.schemaFiles(paths)
      let findings = try await findings(in: files, with: context)
      let report = LintReport(findings, of: files)
      try report.print(as: format, on: context.console)
      try context.console.output.flush()
      if report.has(failsFrom) { throw report.error }
      try context.printMessage(report.summary)
    }
  }

  private func findings(
    in files: SchemaFiles, with context: CommandContext
  ) async throws -> [LintFinding] {
    let deployed = try await deployed(with: context)
    let declared = Set(files.schemas.map(\.schema.name) + files.invalidSchemaNames)
    let isKnown = files.reading == .complete || deployed != nil
    let practices = Lint(
      of: files.schemas, targets: isKnown ? declared.union((deployed ?? []).map(\.name)) : nil)
    let changes = SchemaChanges(from: deployed ?? [], to: files.schemas)
    var findings = files.problems.map(LintFinding.init)
    for source in files.schemas {
      let found = practices.findings(in: source) + changes.findings(in: source)
      findings += found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
    switch files.reading {
    case .complete: findings += changes.removals(except: files.invalidSchemaNames)
    case .partial: break
    }
    return findings
  }

  /// Returns the schemas that `--against` specifies, from a store or a folder, or nil without the
  /// option.
  private func deployed(with context: CommandContext) async throws -> [Schema]? {
    guard let against else { return nil }
    if context.isFolder(against) || against.hasSuffix(".json") {
      return try context.declaredFiles([against]).schemas.map(\.schema)
    }
    if context.settings.store != nil {
      throw DataError(.usage, "--against \(against) and --store cannot be used together")
    }
    return try await context.open(against, for: .reading).schemas()
  }
}
