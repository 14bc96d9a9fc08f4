import CommandSyntax
import DataModel

extension Topics {
  static let lint = Topic(
    "lint", "What `schema lint` looks for.",
    manual: ManualName("datactl-lint", section: 7),
    body: [
      """
      Each finding has a code, which scripts may rely on, and one of three levels. An error does not \
      work, or works no longer. A warning will be in the way later. A note is good to know, and \
      nothing fails for it. `--fail-on` says from which level on `schema lint` exits with 1.
      """,
      .heading("In schema files"),
      .definitions(LintRule.allCases.filter { !$0.isOfChanges }.map(definition)),
      .heading("Against what is deployed"),
      "With `--against`, what breaks the programs that use the schemas is reported too:",
      .definitions(LintRule.allCases.filter(\.isOfChanges).map(definition)),
      """
      With `-o json` the findings are an array of objects, each with the keys `code`, `level`, \
      `message`, `mend`, `schema`, `field`, `file`, `line`, `title` and `why`; what is not known is \
      null.
      """,
    ],
    seeAlso: ["schema lint", "schema-files"])

  private static func definition(_ rule: LintRule) -> Definition {
    let facts = rule.facts
    return Definition(
      "\(rule.rawValue), \(facts.level.rawValue)", "\(facts.title) \(facts.why) \(facts.mend)")
  }
}
