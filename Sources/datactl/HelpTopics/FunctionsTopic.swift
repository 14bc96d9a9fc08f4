import CommandSyntax

extension HelpTopics {
  static let functions = Topic(
    "functions", "Queries that are stored by name.",
    manual: ManualName("datactl-functions", section: 7),
    body: [
      """
      A function is a query that is stored with the records: which records, in which order, in \
      which sections. Programs run it by its id, so its meaning can be changed in the store \
      without changing the programs. Functions are records of the built-in schema `function`: \
      `save`, `get`, `list` and `delete` work as with any other schema.
      """,
      .literal(session.joined(separator: "\n")),
      .heading("The record"),
      .definitions([
        Definition("function_id", "the id by which programs run it"),
        Definition("function_name", "a label"),
        Definition(
          "function_type", "`SQLiteQuery` or `RDSQuery`, which are equivalent; optional"),
        Definition("item_type", "the schema of the records that it returns; required"),
        Definition("function", "the query: an object, or a text that contains one; required"),
        Definition("extra", "any other JSON"),
      ]),
      .heading("The query"),
      .definitions([
        Definition(
          "selectCore",
          "`from SCHEMA ALIAS where CONDITION`; the alias and the condition are optional"),
        Definition(
          "orderedBy",
          "the fields of the order, as a text or a list of texts: `-due`, or `due desc`"),
        Definition("segmentedBy", "the field whose first letters are the sections: a text"),
        Definition(
          "faultBlocks", "`true`: print records in place of the ids of to-many relations"),
        Definition("tableAlias", "the alias that `selectCore` must have"),
        Definition(
          "containsWhere",
          "whether `selectCore` has a condition; a wrong value gives a warning"),
      ]),
      """
      The condition is written as described under `conditions`; names may be prefixed with the \
      alias. `selectCore` is not SQL: it returns whole records and has no list of fields, no \
      `order by` and no joins; use paths to follow relations.
      """,
      .definitions(functionExamples.map { Definition($0.question, $0.meaning) }),
      .heading("Asking"),
      """
      `list --function ID` takes no schema, and accepts the other options of `list`. Its `--where` \
      and its operands narrow the function's condition, and may use its alias and properties; \
      `--order` replaces its order, `--section-by` its sections. `--param NAME=VALUE` sets `:NAME` \
      in the function, `--param 1=VALUE` sets `%?` by position. For comparisons with `json`, use \
      `--param NAME:=JSON`.
      """,
      """
      The sections of a function are printed by `-o json`, `ndjson` and `table`. The formats \
      without sections (`csv`, `ids` and `page`) print the same records in the same order. With \
      `--fields`, `faultBlocks` expands the relations that are among the fields.
      """,
      .heading("Errors"),
      """
      A function is checked when it is saved: an unknown schema or field, an invalid condition or \
      an unknown key is an error with its position, the exit status is 6, and nothing is saved. \
      The function is checked again each time it runs, against the current schemas. If the \
      function does not exist, `list` exits with 3; if a parameter is missing or unknown, with 2.
      """,
    ],
    seeAlso: ["list", "save", "conditions"])

  /// The example session at the beginning of the topic; a test runs it.
  package static let session = [
    "$ datactl save function due item_type=todo \\",
    "    'function:={\"selectCore\": \"from todo t where t.due < :day\",",
    "                \"orderedBy\": \"due\"}'",
    "$ datactl list --function due --param day=2026-12-01",
    "$ datactl list --function due --param day=2026-12-01 --where 'not done'",
  ]

  /// Examples of queries in functions; a test saves and runs each of them.
  package static let functionExamples: [(question: String, meaning: String)] = [
    (#"{"selectCore": "from todo"}"#, "all todos"),
    (
      #"{"selectCore": "from todo t where t.owner = 'ann'", "orderedBy": "-due"}"#,
      "Ann's todos, the latest first"
    ),
    (
      #"{"selectCore": "from todo where not done", "segmentedBy": "title"}"#,
      "todos that are not done, in sections by title"
    ),
    (
      #"{"selectCore": "from todo", "faultBlocks": true}"#,
      "all todos, with their steps in place of the steps' ids"
    ),
  ]
}
