import CommandSyntax

extension Topics {
  static let exitCodes = Topic(
    "exit-codes", "The numbers that commands end with.",
    manual: ManualName("datactl-exit-codes", section: 7),
    body: [
      """
      A command ends with 0 only if it did all that was asked. No command ends with a number that \
      is not in this list. Of several errors, the first decides.
      """,
      .definitions(ExitStatus.all.map { Definition("\($0.code)", $0.meaning) }),
      """
      Errors stand on standard error. The first line of each says what failed and where; the lines \
      below it say how to mend it.
      """,
      .literal(
        """
        $ datactl save todo --file todos.ndjson
        datactl: todos.ndjson:350: title: required
        """),
      .heading("Errors as JSON"),
      """
      With `--errors json`, or `DATACTL_ERRORS=json`, each error is one JSON object on a line of \
      its own. It always has the keys `code`, `message`, `hint`, `schema`, `id`, `field`, `file`, \
      `line` and `column`; what is not known is null. `code` is a word that scripts may rely on, \
      `file` is `-` for standard input, and lines and columns count from 1. After 20 errors, one \
      more object says how many there are besides. If a `save` ends with an error although \
      records of it are saved, the last object has the code `stopped`, and its `line` is the last \
      that is saved.
      """,
    ],
    seeAlso: ["environment"])
}
