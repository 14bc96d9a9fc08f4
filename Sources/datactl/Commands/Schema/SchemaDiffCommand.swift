import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl schema diff`: compares schema files with the store.
struct SchemaDiffCommand: DeclaredCommand {
  var paths: [String] = []
  var isNew = false
  var format = PlanFormat.text

  static let declaration = CommandDeclaration(
    SchemaDiffCommand.self, "diff", "Compare schema files with the store.",
    discussion: [
      """
      Compares the schema files with the store, and prints each difference on a line. The exit \
      status is 0 if the schemas are the same, 1 if they differ, and 2 or more if an error occurs.
      """,
      .heading("Differences"),
      "For example, these lines are printed for three differences:",
      .literal(
        """
        - schema person
        + todo.due
        ~ todo.title: max is missing in the store, 9 in the files
        """),
      "The first character of a line shows the kind of the difference:",
      .definitions([
        Definition("+", "a schema, a field or an index that is only in the files"),
        Definition("-", "a schema, a field or an index that is only in the store"),
        Definition("~", "a declaration that differs between the files and the store"),
      ]),
      .heading("Files and folders"),
      """
      Without PATH, the command reads the folder `schemas`, or the folder in the key `"schemas"` \
      of `datactl.json`.
      """,
      """
      Folders describe the whole store. If any PATH is a file or `-`, schemas that are only in the \
      store are not printed.
      """,
    ],
    inputs: [.schemaPaths(\.paths), .newStore(\.isNew), .planFormat(\.format)],
    examples: [
      Example("datactl schema diff", "Compare the schema files of the project with the store."),
      Example(
        "datactl schema diff -o json | jq -r '.differences[].text'",
        "Print only the descriptions of the differences."),
    ],
    exitStatuses: [
      .done, .findings, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict, .invalid,
      .store, .brokenPipe,
    ],
    seeAlso: ["schema plan", "schema apply", "schema-files"])
}

extension SchemaDiffCommand {
  func run(with context: CommandContext) async throws {
    try await context.check {
      let files = try context.declaredFiles(paths)
      let stored = try await context.schemasToCompare(isNew: isNew)
      let address = try context.storeAddress()
      let differences = try SchemaPlan.differences(
        from: stored.catalog, to: files.schemas, reading: files.reading
      ).map(SchemaDifference.init)
      switch format {
      case .text:
        for difference in differences {
          let line = Excerpt.escaped(difference.text)
          let style = context.console.style(of: context.console.output)
          try context.console.output.write(style.colored(line, difference.color) + "\n")
        }
      case .json:
        let lines = differences.map { "  \($0.json)" }.joined(separator: ",\n")
        try context.console.output.write(
          """
          {"same": \(differences.isEmpty), "differences": [\
          \(lines.isEmpty ? "" : "\n\(lines)\n")]}

          """)
      }
      try context.console.output.flush()
      if differences.isEmpty {
        try context.printMessage("The files and \(address) have the same schemas.")
      } else {
        throw DataError(
          .findings,
          "the files and \(address) differ in \(differences.count.counted("place"))",
          hint: "see the steps: datactl schema plan")
      }
    }
  }
}

/// A difference between the schema files and the store. It is derived from the migration step that
/// would remove the difference.
struct SchemaDifference {
  private enum Side: String {
    case files
    case store
    case both
  }

  private let side: Side
  /// The color of the line on a terminal.
  var color: TextColor {
    switch side {
    case .files: .green
    case .store: .red
    case .both: .yellow
    }
  }
  /// The line to print: a mark (`+`, `-` or `~`), the name of the schema or field, and what
  /// differs.
  let text: String
  let json: String

  init(_ step: SchemaPlan.Step) {
    let (side, words): (Side, String) =
      switch step {
      case .dropField(let schema, let field): (.store, "\(schema).\(field)")
      case .dropSchema(let schema): (.store, "schema \(schema)")
      case .renameSchema(let old, let new, _, _):
        (.both, "schema \(old): named \(new) in the files")
      case .renameField(let schema, let old, let new, _):
        (.both, "\(schema).\(old): named \(new) in the files")
      case .createSchema(let schema): (.files, "schema \(schema.name)")
      case .addField(let schema, let field): (.files, "\(schema).\(field.name)")
      case .changeType(let schema, let field, _, _, _), .changeRules(let schema, let field, _, _):
        (.both, "\(schema).\(field): \(Self.values(of: step))")
      case .dropIndex(let schema, let index):
        (.store, "index \(schema) (\(index.terms.map(\.text).joined(separator: ", ")))")
      case .addIndex(let schema, let index):
        (.files, "index \(schema) (\(index.terms.map(\.text).joined(separator: ", ")))")
      case .changeProperties(let schema, _, _): (.both, "\(schema): properties")
      case .changeDoc(let schema, _, _): (.both, "\(schema): doc")
      case .changeAccess(let schema, let rule, let old, let new):
        (
          .both,
          "\(schema): \(["roles", "disabled"].contains(rule) ? "" : "access.")\(rule) is \(old ?? "missing") in the store, "
            + "\(new ?? "missing") in the files"
        )
      case .reorderFields(let schema, _, _): (.both, "\(schema): order of the fields")
      }
    self.side = side
    let mark =
      switch side {
      case .files: "+"
      case .store: "-"
      case .both: "~"
      }
    text = "\(mark) \(words)"
    json =
      "{\"in\":\"\(side.rawValue)\",\"text\":\(Value.text(words).jsonText),\"step\":\(step.json)}"
  }

  /// Returns text that compares the type or the constraints in the store with those in the files.
  private static func values(of step: SchemaPlan.Step) -> String {
    if case .changeType(_, _, let old, let new, _) = step {
      return "type is \(old.displayName) in the store, \(new.displayName) in the files"
    }
    guard case .changeRules(_, _, let changes, _) = step else { return step.text }
    return changes.map { change in
      let (old, new) = (change.from ?? "missing", change.to ?? "missing")
      return "\(change.rule.rawValue) is \(old) in the store, \(new) in the files"
    }.joined(separator: "; ")
  }
}
