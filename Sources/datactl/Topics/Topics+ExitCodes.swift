import CommandSyntax

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
