import CommandSyntax
import DataText

extension HelpTopics {
  static let schemaFiles = Topic(
    "schema-files", "The format of schema files.",
    manual: ManualName("datactl-schema", section: 5),
    body: [
      """
      Each schema has its own file, `NAME.json`, in a folder that is kept in git. `schema apply` \
      changes a store to match the files, `schema lint` finds mistakes in them, and `schema show` \
      prints a schema of a store in this format.
      """,
      .literal(SchemaFileExamples.todo),
      .heading("Keys of a schema"),
      .definitions(SchemaFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      """
      `schema` and `fields` are required. Unknown and duplicate keys are errors. The order of the \
      keys does not matter. The fields of a record are printed in the order in which the schema \
      declares them.
      """,
      .heading("Names"),
      """
      Names consist of lowercase letters, digits and underscores, and begin with a letter. A \
      schema's name has at most 40 characters, a field's at most 48. A schema cannot have the name \
      of a type, such as `text` or `file`, nor the name `function`, nor a name that begins with \
      `sqlite_`. A field cannot have the name of a system field, such as `created_at`.
      """,
      .heading("The primary key"),
      """
      Exactly one field has the type `id`. Its name is the name of the schema followed by `_id`, \
      such as `todo_id`; in the user schema it can have any name, by convention `username`. An id \
      is a text of 1 to 255 bytes without control characters, and never changes. The field cannot \
      have rules: it is always required and unique.
      """,
      .heading("Keys of a field"),
      .definitions(FieldKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
    ] + types + relations + remainingKeys + changes,
    seeAlso: [
      "schema create", "schema plan", "schema apply", "schema diff", "schema rename", "schema lint",
      "schema infer", "schema export", "schema types", "lint",
    ])

  private static let types: [Block] = [
    .heading("Types"),
    .definitions([
      Definition("id", "the primary key; it cannot have rules"),
      Definition(
        "text",
        """
        a text in UTF-8, without NUL. Rules: `required`, `unique`, `default`, `min`, `max`, \
        `one_of`, `pattern`; `min` and `max` count Unicode scalars
        """),
      Definition(
        "integer",
        "a 64-bit integer. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`"),
      Definition(
        "number",
        """
        a 64-bit floating-point number. Rules: `required`, `unique`, `default`, `min`, `max`, \
        `one_of`
        """),
      Definition("boolean", "true or false. Rules: `required`, `unique`, `default`"),
      Definition(
        "datetime",
        """
        an instant in UTC with microsecond precision, written as a text: `"2026-11-20T03:05:00Z"`. \
        Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`
        """),
      Definition(
        "geopoint",
        "a geographic point: `{\"lat\": 47.37, \"lon\": 8.54}`. Rules: `required`, `default`"),
      Definition("file", "a file with a name, a media type and content. Rules: `required`"),
      Definition(
        "json", "any JSON value, nested at most 128 deep. Rules: `required`, `default`"),
      Definition(
        "password",
        """
        stored as a hash and never printed; allowed only in the user schema. Rules: `required`, \
        `min`, the least number of Unicode scalars of a new password, by default 8
        """),
      Definition(
        "relation",
        """
        the id of a record of the same or of another schema; with `many`, a list of ids. Rules: \
        `to`, `many`, `on_delete`; for a to-one relation also `required` and `unique`
        """),
      Definition(
        "[text]",
        """
        an array of texts; the other array types are `[integer]`, `[number]`, `[boolean]` and \
        `[datetime]`. Elements cannot be null. Rules: `required`, `default`, `min`, `max`, \
        `one_of`
        """),
    ]),
    """
    Every field can have a `doc`. A rule that the type of the field does not support is an error. \
    `datactl schema types` prints the names of the types in other systems.
    """,
    .heading("Rules"),
    """
    A field that is not required can be null. A required field rejects null, and a new record must \
    contain it, unless the field has a default. The default is set when a record is created \
    without the field; it does not replace an explicit null, and must satisfy the field's other \
    rules. `min` and `max` are inclusive. A pattern must match the whole text, so `[A-Z]{2}[0-9]+` \
    needs neither `^` nor `$`.
    """,
    .literal(SchemaFileExamples.rules),
  ]

  private static let relations: [Block] = [
    .heading("Relations"),
    """
    A relation names its target schema with `to`. The referenced record must exist at the end of \
    the command that saves the reference. `on_delete` determines what happens when that record is \
    deleted: with `nullify`, the reference becomes null, or is removed from the list; with \
    `cascade`, the referring record is deleted too; with `deny`, the deletion is rejected. A \
    to-many relation keeps the order of its ids, and contains each id at most once.
    """,
    .heading("Users"),
    """
    One schema of a store can have `"kind": "user"`. Its records are the users who can log in. \
    This schema has exactly one field of type `password`, and its primary key can have any name.
    """,
    .literal(SchemaFileExamples.user),
  ]

  private static let remainingKeys: [Block] = [
    .heading("Indexes"),
    """
    An index is a list of fields; `-` before a field means descending order: `["done", "-due"]`. \
    With this index, the cost of a page of `list --order done,-due` depends only on the size of \
    the page, not on the number of records. The id is appended to every index automatically. \
    Fields of the types `json`, `file`, `geopoint` and `password`, arrays and to-many relations \
    cannot be part of an index. The primary key, unique fields, relations and geopoints are \
    indexed without being declared here. An index can have at most 31 fields in addition to the \
    id. An index entry can have at most 2,400 bytes, so a text field in an index should have a \
    `max`.
    """,
    .heading("Properties"),
    """
    A property is the name of a field in program code, such as `yearBorn` for `year_born`. It is \
    derived from the name of the field: each `_` before a lowercase letter is removed, and the \
    letter is capitalized. The property of the primary key `todo_id` is `todoID`. If a property \
    has a different name, `properties` maps it to its field: `{"assignee": "owner"}`. Input data \
    can contain a property instead of the field, but not both. A field has at most one property.
    """,
    .heading("System fields"),
    """
    Every record has `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. The \
    store sets their values. Schemas do not declare them.
    """,
    .heading("Editors"),
    """
    For completion and validation in an editor, use the JSON Schema for schema files, which is the \
    same for every store:
    """,
    .literal("$ datactl schema export --format meta > schema-file.json"),
    """
    Schema files do not refer to the JSON Schema, so configure the editor to use it for \
    `schemas/*.json`. It describes only the structure of a file; `schema lint` checks everything \
    else.
    """,
  ]
}

extension HelpTopics {
  /// The section on how schema files change a store that contains records.
  static let changes: [Block] = [
    .heading("Changing schemas"),
    """
    `schema plan` prints the steps that change a store to match the files, and `schema apply` \
    executes them. Changes that make a schema stricter are first checked against all existing \
    records: adding `required`, `unique` or `pattern`, adding or narrowing `min`, `max` or \
    `one_of`, and changing a type. If any records do not satisfy the new schema, nothing is \
    changed, and the error names them.
    """,
    """
    A field that is no longer in the file is dropped with its values, and a schema that no file of \
    the folder declares is dropped with its records. Both require `--allow-loss` with the name, \
    unless there are no values or records to lose. When a field is added or becomes required, \
    existing records without a value get its default. The revisions of records do not change.
    """,
    """
    To rename a field or a schema without losing its values, change its name in the file and add \
    the previous name: `"was": "title"`. The key has no effect if the store already has the new \
    name, so it can stay in the file. Two names cannot be swapped directly: first rename one of \
    them to a third name with `schema rename`. If the store has only the old name and the files \
    declare both names, it is ambiguous which of them keeps the values, so nothing is changed. The \
    primary key is renamed with its schema.
    """,
    .heading("Converting types"),
    """
    The type of a field can be changed if its values can be converted. Each type can be converted \
    to these types:
    """,
    .definitions([
      Definition(
        "text",
        """
        `integer`, `number`, `boolean`, `datetime` or a to-one `relation`, if all texts are valid \
        values of that type; `json` or `[text]`
        """),
      Definition(
        "integer",
        "`number`, `text`, `json`, `[integer]`, `[number]`, `[text]`; `boolean` for 0 and 1"),
      Definition("number", "`integer`, `text`, `json`, `[number]`, `[text]`"),
      Definition("boolean", "`integer`, `text`, `json`, `[boolean]`, `[text]`"),
      Definition("datetime", "`text`, `json`, `[datetime]`, `[text]`"),
      Definition(
        "an array", "the type of its elements, `json`, `[text]`; also `[integer]` to `[number]`"),
      Definition(
        "a relation",
        """
        a to-one relation to a to-many relation or `text`; a to-many relation to a to-one \
        relation; any relation to a relation to another schema, if that schema has all the ids
        """),
    ]),
    """
    A conversion that loses information requires `--allow-loss`: numbers can be rounded, and if an \
    array or a to-many relation is converted to a single value, only the first element is kept. A \
    different notation of the same number or datetime is not a loss. For any other change of type, \
    drop the field and declare it again.
    """,
  ]
}

/// The schema files that the help and the manual show; a test applies all of them.
package enum SchemaFileExamples {
  package static let todo = """
    {
      "schema": "todo",
      "doc": "Something to be done.",
      "fields": {
        "todo_id": {"type": "id"},
        "title": {"type": "text", "required": true, "max": 200},
        "done": {"type": "boolean", "default": false},
        "due": {"type": "datetime"},
        "tags": {"type": "[text]"},
        "owner": {"type": "relation", "to": "user"},
        "steps": {"type": "relation", "to": "step", "many": true}
      },
      "indexes": [["done", "-due"]],
      "properties": {"assignee": "owner"}
    }
    """

  package static let rules = """
    {
      "schema": "step",
      "doc": "A part of a todo.",
      "fields": {
        "step_id": {"type": "id"},
        "code": {"type": "text", "unique": true, "max": 20,
          "pattern": "[A-Z]{2}[0-9]+"},
        "state": {"type": "text", "required": true, "default": "open",
          "one_of": ["open", "waiting", "done"]},
        "hours": {"type": "number", "min": 0, "max": 100},
        "days": {"type": "[integer]", "max": 7, "one_of": [1, 2, 3, 4, 5]},
        "where": {"type": "geopoint", "default": {"lat": 47.37, "lon": 8.54}},
        "after": {"type": "relation", "to": "step", "on_delete": "cascade"}
      }
    }
    """

  package static let user = """
    {
      "schema": "user",
      "kind": "user",
      "fields": {
        "username": {"type": "id"},
        "password": {"type": "password", "required": true},
        "email": {"type": "text", "unique": true, "max": 254}
      }
    }
    """

  package static let all = [todo, rules, user]
}
