import CommandSyntax

extension HelpTopics {
  static let functions = Topic(
    "functions", "Stored queries, and how to run them.",
    manual: ManualName("datactl-functions", section: 7),
    body: [
      """
      A function is a query that is saved in a store and has an id. It selects records, and can \
      sort them and divide them into sections. Programs run a function by its id, so you can \
      change the query without changing the programs.
      """,
      """
      Functions are records of the built-in schema `function`. Commands such as `save`, `get` and \
      `delete` work as with any other schema. For example, this session saves a function with a \
      parameter, and runs it twice:
      """,
      .literal(session.joined(separator: "\n")),
      .heading("Fields of a function"),
      .definitions([
        Definition("function_id", "the id with which programs run the function"),
        Definition("function_name", "a name for display"),
        Definition(
          "function_type",
          "`SQLiteQuery` or `RDSQuery`, for use by other systems; `list` ignores it"),
        Definition(
          "item_type",
          "the schema of the records, which must be the same as in `selectCore`; required"),
        Definition("function", "the query: a JSON object, or a string that contains one; required"),
        Definition("extra", "any additional JSON"),
      ]),
      .heading("Keys of the query"),
      .definitions([
        Definition(
          "selectCore",
          """
          which records to select: `from SCHEMA ALIAS where CONDITION`. The alias is a short name \
          for the schema, such as `t`. `ALIAS` and `where CONDITION` can be omitted
          """),
        Definition(
          "orderedBy",
          """
          the fields to sort by: a string or an array of strings. `-due` or `due desc` sorts in \
          descending order
          """),
        Definition(
          "segmentedBy",
          "the text field whose first letter determines the section of a record"),
        Definition(
          "faultBlocks",
          "if `true`, the output contains the records of to-many relations instead of their ids"),
        Definition("tableAlias", "the alias, which must be the same as in `selectCore`"),
        Definition(
          "containsWhere",
          """
          `true` if `selectCore` contains a condition. The value has no effect, but a warning is \
          printed if it is wrong
          """),
      ]),
      "Only `selectCore` is required.",
      """
      `datactl help conditions` describes the syntax of the condition. You can write the alias \
      before the name of a field, as in `t.due`. Write a parameter as `:NAME`, or as `%?` if it \
      has no name.
      """,
      """
      `selectCore` is not SQL: it selects whole records, and cannot contain a list of fields, \
      `order by` or joins. Instead of joins, use paths such as `owner.name`. These are examples of \
      queries:
      """,
      .definitions(functionExamples.map { Definition($0.question, $0.meaning) }),
      .heading("Running a function"),
      """
      `list --function ID` runs a function. The argument SCHEMA cannot be given. These arguments \
      and options affect what the function selects and how it is printed:
      """,
      .definitions([
        Definition("FIELD=VALUE", "selects only some of the function's records"),
        Definition(
          "--where",
          "also selects only some of the records; the condition can use the alias in `selectCore`"),
        Definition("--order", "replaces the order of the function"),
        Definition("--section-by", "replaces the sections of the function"),
        Definition("--expand", "replaces `faultBlocks`"),
        Definition(
          "--param NAME=VALUE",
          """
          sets the parameter `:NAME` of the function. If it is compared with a `json` field, write \
          `NAME:=JSON`, for example `--param 'color:="red"'`
          """),
        Definition(
          "--param 1=VALUE",
          """
          sets the first `%?` of the function to VALUE, as in `from todo where due < %?`
          """),
      ]),
      """
      The formats `json`, `ndjson` and `table` show the sections of a function. With any other \
      format, and with `--map`, `--after` or `--before`, the same records are printed without \
      sections, in the order of `orderedBy` or `--order`.
      """,
      "If `--fields` is given, `faultBlocks` expands only the relations that `--fields` names.",
      .heading("Errors"),
      """
      A function is checked when it is saved. If it contains an unknown schema, field or key, or \
      an invalid condition, it is not saved, and the exit status is 6. Later, a change of the \
      schemas that would make the function invalid is rejected with the exit status 5.
      """,
      """
      `list` exits with 3 if the function does not exist, and with 2 if a parameter is missing or \
      unknown.
      """,
    ],
    seeAlso: ["list", "save", "conditions"])

  /// The example session at the beginning of the topic. A test runs it.
  package static let session = [
    "$ datactl save function due item_type=todo \\",
    "    'function:={\"selectCore\": \"from todo t where t.due < :day\",",
    "                \"orderedBy\": \"due\"}'",
    "$ datactl list --function due --param day=2026-12-01",
    "$ datactl list --function due --param day=2026-12-01 --where 'not done'",
  ]

  /// Examples of functions: the query of each function as JSON, and what the query returns. A test
  /// saves and runs each function.
  package static let functionExamples: [(question: String, meaning: String)] = [
    (#"{"selectCore": "from todo"}"#, "all todos"),
    (
      #"{"selectCore": "from todo t where t.owner = 'ann'", "orderedBy": "-due"}"#,
      "Ann's todos, sorted by due date in descending order"
    ),
    (
      #"{"selectCore": "from todo where not done", "segmentedBy": "title"}"#,
      "todos that are not done, in sections by the first letter of the title"
    ),
    (
      #"{"selectCore": "from todo", "faultBlocks": true}"#,
      "all todos, with the records of their steps instead of the ids"
    ),
  ]
}
