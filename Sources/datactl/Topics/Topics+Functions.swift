import CommandSyntax

extension Topics {
  static let functions = Topic(
    "functions", "Questions that are kept in the store, and asked by name.",
    manual: ManualName("datactl-functions", section: 7),
    body: [
      """
      A function is a question that lives beside the records: which of them, in which order, in \
      which sections. Programs ask it by its id, and whoever keeps the store changes what it means. \
      Functions are records of the schema `function`, which every store has and nobody declares: \
      `save`, `get`, `list` and `delete` work as with any other.
      """,
      .literal(session.joined(separator: "\n")),
      .heading("The record"),
      .definitions([
        Definition("function_id", "what programs name"),
        Definition("function_name", "a label"),
        Definition(
          "function_type", "`SQLiteQuery` or `RDSQuery`, which mean the same; it may be missing"),
        Definition("item_type", "the schema of the records that it gives; required"),
        Definition("function", "the question: an object, or a text that holds it; required"),
        Definition("extra", "any JSON that belongs to it"),
      ]),
      .heading("The question"),
      .definitions([
        Definition(
          "selectCore",
          "`from SCHEMA ALIAS where CONDITION`; the alias and the condition may be left out"),
        Definition(
          "orderedBy",
          "the fields of the order, in a text or a list of texts: `-due`, or `due desc`"),
        Definition("segmentedBy", "the field whose first letters make sections: a text"),
        Definition(
          "faultBlocks", "`true`: records stand in the place of the ids of to-many relations"),
        Definition("tableAlias", "the alias that `selectCore` must have"),
        Definition(
          "containsWhere",
          "whether `selectCore` has a condition; if it says wrong, there is a warning"),
      ]),
      """
      The condition is one as `conditions` describes it; names may stand behind the alias. \
      `selectCore` is no SQL: it gives whole records, and has no list of fields, no `order by` and no \
      joins, in the place of which paths follow relations.
      """,
      .definitions(functionExamples.map { Definition($0.question, $0.meaning) }),
      .heading("Asking"),
      """
      `list --function ID` takes no schema, and otherwise what `list` takes. Its `--where` and its \
      operands narrow the function's condition, in which alias and properties stand too; `--order` \
      takes the place of its order, `--section-by` that of its sections. `:NAME` in the function is \
      given by `--param NAME=VALUE`, `%?` by position: `--param 1=VALUE`. Beside `json` it is \
      `--param NAME:=JSON`.
      """,
      """
      The sections of a function are printed by `-o json`, `ndjson` and `table`. What has none, `csv`, \
      `ids` and pages, prints the same records in their order. With `--fields`, `faultBlocks` \
      expands the relations that are among them.
      """,
      .heading("Errors"),
      """
      A function is checked when it is saved: an unknown schema or field, a condition that is wrong, \
      an unknown key are errors with their places, the exit status is 6, and nothing is kept. It is \
      read again whenever it is asked, by the schemas as they are then. Asked for a function that is \
      not there, `list` exits with 3; without one of its parameters, or with one that it does not \
      have, with 2.
      """,
    ],
    seeAlso: ["list", "save", "conditions"])

  /// The lines at the beginning of the page; a test runs them.
  package static let session = [
    "$ datactl save function due item_type=todo \\",
    "    'function:={\"selectCore\": \"from todo t where t.due < :day\",",
    "                \"orderedBy\": \"due\"}'",
    "$ datactl list --function due --param day=2026-12-01",
    "$ datactl list --function due --param day=2026-12-01 --where 'not done'",
  ]

  /// Questions of functions; a test saves and asks them.
  package static let functionExamples: [(question: String, meaning: String)] = [
    (#"{"selectCore": "from todo"}"#, "all todos"),
    (
      #"{"selectCore": "from todo t where t.owner = 'ann'", "orderedBy": "-due"}"#,
      "those of Ann, the latest first"
    ),
    (
      #"{"selectCore": "from todo where not done", "segmentedBy": "title"}"#,
      "those that are not done, in sections by their titles"
    ),
    (
      #"{"selectCore": "from todo", "faultBlocks": true}"#,
      "all todos, with their steps in the place of the steps' ids"
    ),
  ]
}
