package import CommandSyntax
import DataModel

/// The help topics and their manual pages.
package enum HelpTopics {
  package static let all = [
    stores, schemaFiles, lint, conditions, functions, formats, exitCodes, environment,
  ]
}

extension HelpTopics {
  static let lint = Topic(
    "lint", "Rules of `schema lint`.",
    manual: ManualName("datactl-lint", section: 7),
    body: [
      """
      Each finding has a code, which scripts may rely on, and one of three levels. An error does \
      not work, or no longer works. A warning will cause problems later. A note is for \
      information. `--fail-on` sets the level from which `schema lint` exits with 1.
      """,
      .heading("In schema files"),
      .definitions(LintRule.allCases.filter { !$0.comparesSchemas }.map(definition)),
      .heading("Compared with deployed schemas"),
      "With `--against`, changes that break programs using the schemas are reported too:",
      .definitions(LintRule.allCases.filter(\.comparesSchemas).map(definition)),
      """
      With `-o json` the findings are an array of objects, each with the keys `code`, `level`, \
      `message`, `mend`, `schema`, `field`, `file`, `line`, `title` and `why`; unknown ones are \
      null.
      """,
    ],
    seeAlso: ["schema lint", "schema-files"])

  private static func definition(_ rule: LintRule) -> Definition {
    let facts = rule.facts
    return Definition(
      "\(rule.rawValue), \(facts.level.rawValue)", "\(facts.title) \(facts.why) \(facts.fix)")
  }
}

extension HelpTopics {
  static let exitCodes = Topic(
    "exit-codes", "Exit statuses of commands.",
    manual: ManualName("datactl-exit-codes", section: 7),
    body: [
      """
      A command exits with 0 only if it did everything that was requested. No command exits with a \
      status that is not in this list. If there are several errors, the first one decides.
      """,
      .definitions(ExitStatus.all.map { Definition("\($0.code)", $0.meaning) }),
      """
      Errors are printed on standard error. The first line of each names the location and the \
      problem; the lines below it say how to fix it.
      """,
      .literal(
        """
        $ datactl save todo --file todos.ndjson
        datactl: todos.ndjson:350: title: required
        """),
      .heading("Errors as JSON"),
      """
      With `--errors json`, or `DATACTL_ERRORS=json`, each error is one JSON object on its own \
      line. It always has the keys `code`, `message`, `hint`, `schema`, `id`, `field`, `file`, \
      `line` and `column`; unknown ones are null. `code` is a stable identifier for scripts, \
      `file` is `-` for standard input, and lines and columns count from 1. After 20 errors, one \
      more object has the number of the remaining ones. If a `save` ends with an error after some \
      of its records were saved, the last object has the code `stopped`, and its `line` is the \
      last saved line.
      """,
    ],
    seeAlso: ["environment"])
}

extension HelpTopics {
  static let environment = Topic(
    "environment", "Environment variables that datactl reads.",
    manual: ManualName("datactl-environment", section: 7),
    body: [
      """
      A command-line option overrides a variable, a variable overrides `datactl.json`, and that \
      overrides the default. No other variables affect datactl; libpq reads its own, such as \
      `PGPASSWORD`, for a store in a database.
      """,
      .definitions(
        Settings.environment.map { Definition("`\($0.name)`", $0.meaning) }
          + [Definition("`HOME`", "the home directory, used where an XDG variable is not set")]),
      """
      The two XDG variables are used only if they begin with `/`. `DATACTL_TOKEN` is never written \
      to disk, and it is used only with a store named by `--store` or `DATACTL_STORE`: a project \
      file cannot send it anywhere.
      """,
    ],
    seeAlso: ["stores", "login"])
}
