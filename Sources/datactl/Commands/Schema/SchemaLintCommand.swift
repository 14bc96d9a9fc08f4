import ClientCore
import CommandSyntax
import Conditions
import DataModel
import DataOutput
import DataStore
import Maps

/// `datactl schema lint`: checks schema files for errors and likely mistakes.
struct SchemaLintCommand: DeclaredCommand {
  var paths: [String] = []
  var against: String?
  /// The name of a map to check against the schemas (`--map`).
  var map: String?
  var failsFrom = LintRule.Level.warning
  var format = ReportFormat.text

  static let declaration = CommandDeclaration(
    SchemaLintCommand.self, "lint", "Check schema files for mistakes.",
    discussion: [
      """
      Checks schema files for errors, and for declarations that are valid but probably mistakes. \
      The command changes nothing. By default, the exit status is 1 if there are warnings or \
      errors.
      """,
      """
      `--against` compares the files with the schemas in a store or in another folder, and reports \
      changes that can break existing programs.
      """,
      .heading("Findings"),
      "Each finding is printed with its file, its line, its level and, in brackets, its code:",
      .literal(
        """
        schemas/todo.json:8: error: steps: there is no schema stp [missing-target]
          did you mean step?
        """),
      """
      The level is `error`, `warning` or `note`. Notes never affect the exit status. \
      `datactl help lint` explains each code, and how to fix the problem.
      """,
      .heading("Files and folders"),
      """
      Without PATH, the command reads the folder `schemas`, or the folder in the key `"schemas"` \
      of `datactl.json`.
      """,
      """
      A folder describes a whole store, so it must contain every schema to which a relation \
      refers. If you pass single files, another file may declare such a schema. The command then \
      prints which relations and access rules it did not check. To check them, pass the folder, \
      or pass the store with `--against`. Even if you pass all files, some access rules are not \
      checked.
      """,
    ],
    inputs: [
      .schemaPaths(\.paths),
      .option(
        "--against", \.against, value: "STORE", kind: .store,
        "Compare the files with the schemas in a store, or in a folder of schema files."),
      .map(
        \.map,
        """
        Also check a map against its schema or, if the map names no schema, against all schemas. \
        MAP is a file, the name of a built-in map, or the JSON of a map (see `datactl help maps`).
        """),
      .choice(
        "--fail-on", \.failsFrom, value: "LEVEL", of: [.warning, .error],
        "The lowest level of findings for which the exit status is 1."),
      .choice("--output", letter: "o", \.format, value: "FORMAT", "The output format."),
    ],
    examples: [
      Example("datactl schema lint", "Check the schema files of the project."),
      Example(
        "datactl schema lint schemas --against shop.db --fail-on error",
        "Also compare the files with a store, and fail only if there are errors."),
      Example(
        "datactl schema lint -o json | jq -r '.[].code'",
        "Print only the codes of the findings."),
    ],
    exitStatuses: [
      .done, .findings, .usageOfOptions, .schemaNotFound, .forbidden, .invalid, .store, .brokenPipe,
    ],
    seeAlso: ["schema apply", "lint", "schema-files"])
}

extension SchemaLintCommand {
  var storeUse: StoreUse { against.map { .named($0) } ?? .none }

  func run(with context: CommandContext) async throws {
    try await context.check {
      let files = try context.schemaFiles(paths)
      let deployed = try await deployed(with: context)
      let scope = LintScope(files, against: deployed)
      let findings = try findings(in: files, scope, against: deployed, with: context)
      let report = LintReport(findings, of: files)
      try report.print(as: format, on: context.console)
      try context.console.output.flush()
      if format == .text, let omission = scope.omission { try context.printMessage(omission) }
      if report.has(failsFrom) { throw report.error }
      try context.printMessage(report.summary)
    }
  }

  private func findings(
    in files: SchemaFiles, _ scope: LintScope, against deployed: [Schema]?,
    with context: CommandContext
  ) throws -> [LintFinding] {
    let practices = Lint(of: files.schemas, targets: scope.targets)
    var findings = files.problems.map { LintFinding($0) }
    let known = files.schemas.map(\.schema)
    let all = (known + scope.undeclared).sorted { $0.name < $1.name }
    let conflicts = Catalog.conflicts(among: all)
    let conflictsBySchema = Dictionary(grouping: conflicts) { $0.schema }
    for source in files.schemas {
      try context.console.checkInterruption()
      let own = conflictsBySchema[source.schema.name, default: []].map { problem in
        source.finding(
          .invalidSchema, problem.message, fix: problem.hint, field: problem.field)
      }
      let found =
        own + practices.findings(in: source)
        + AccessLint.findings(in: source, scope.catalog(for: source.schema))
        + scope.changes.findings(in: source)
      findings += found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
    let undeclared = Set(scope.undeclared.map(\.name))
    findings += conflicts.filter { $0.schema.map(undeclared.contains) == true }
      .map { LintFinding($0) }
    switch files.reading {
    case .complete: findings += scope.changes.removals(except: files.invalidSchemaNames)
    case .partial: break
    }
    return findings + (try mapFindings(in: files, deployed ?? [], with: context))
  }

  /// Returns a finding for each problem that prevents the use of the map with the schemas in the
  /// files.
  private func mapFindings(
    in files: SchemaFiles, _ deployed: [Schema], with context: CommandContext
  ) throws(DataError) -> [LintFinding] {
    guard let map = try context.map(map) else {
      return []
    }
    let schemas = files.schemas.map(\.schema)
    let names = Set(schemas.map(\.name))
    let others = deployed.filter { !names.contains($0.name) }
    // If a schema refers to an unknown schema, there is no valid catalog. The map is then checked
    // without related schemas.
    let known = schemas + others
    let catalog = (try? Catalog(checking: known)) ?? Catalog()
    var findings: [LintFinding] = []
    if let name = map.schemaName, !names.contains(name) {
      findings.append(
        LintFinding(
          Problem(
            .invalidConfiguration, "the map names the schema \(name), which no file declares",
            schema: name, file: map.file),
          .invalidMap))
    }
    for schema in schemas where map.schemaName == nil || map.schemaName == schema.name {
      do throws(DataError) {
        let layout = try MapLayout(map, for: schema, in: catalog)
        if let line = layout.lineWithoutKey {
          findings.append(
            LintFinding(
              .mapWithoutKey, "the map does not map the primary key", schema: schema.name,
              field: schema.key.name, file: map.file, line: line))
        }
      } catch {
        findings += error.problems.map { LintFinding($0, .invalidMap) }
      }
    }
    return findings
  }

  /// Returns the schemas in the store or folder that `--against` specifies, or nil if the option
  /// was not given.
  private func deployed(with context: CommandContext) async throws -> [Schema]? {
    guard let against else { return nil }
    if try context.isFolder(against) || against.hasSuffix(".json") {
      return try context.declaredFiles([against]).schemas.map(\.schema)
    }
    if context.settings.store != nil {
      throw DataError(.usage, "--against \(against) and --store cannot be used together")
    }
    return try await context.open(against, for: .reading).schemas()
  }
}
