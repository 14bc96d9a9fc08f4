import CommandSyntax
import DataModel

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
