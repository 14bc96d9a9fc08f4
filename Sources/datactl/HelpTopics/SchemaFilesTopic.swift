import CommandSyntax
import DataText

extension HelpTopics {
  static let schemaFiles = Topic(
    "schema-files", "The format of schema files.",
    manual: ManualName("datactl-schema", section: 5),
    body: [
      """
      Each schema has its own file, `NAME.json`, in a folder that is kept in git. `schema apply` \
      brings a store to the files, `schema lint` finds mistakes in them, and `schema show` prints \
      a schema as a file.
      """,
      .literal(SchemaFileExamples.todo),
      .heading("Keys of a schema"),
      .definitions(SchemaFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      """
      `schema` and `fields` are required. A key that is not in this list is an error, and so is a \
      duplicate key. The order of the keys does not matter; the order of the fields is the order \
      in which records are printed.
      """,
      .heading("Names"),
      """
      Names consist of lowercase letters, digits and underscores, and begin with a letter. A \
      schema's name has at most 40 characters, a field's at most 48. A schema cannot have the name \
      of a type, such as `text` or `file`, nor the name `function`, nor a name that begins with \
      `sqlite_`. A field cannot have the name of a system field.
      """,
      .heading("The primary key"),
      """
      Exactly one field has the type `id`. It is named after the schema, `todo_id`; in the user \
      schema it may have any name, by convention `username`. An id is a text of 1 to 255 bytes \
      without control characters, and never changes. It takes no rules: it is always required and \
      unique.
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
      Definition("id", "the primary key; it takes no rules"),
      Definition(
        "text",
        """
        UTF-8 without NUL. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`, \
        `pattern`; `min` and `max` count Unicode scalars
        """),
      Definition(
        "integer",
        "64 bits. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`"),
      Definition(
        "number", "a double. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`"),
      Definition("boolean", "true or false. Rules: `required`, `unique`, `default`"),
      Definition(
        "datetime",
        """
        a moment in UTC, to the microsecond, written as text: `"2026-11-20T03:05:00Z"`. Rules: \
        `required`, `unique`, `default`, `min`, `max`, `one_of`
        """),
      Definition(
        "geopoint",
        "a point: `{\"lat\": 47.37, \"lon\": 8.54}`. Rules: `required`, `default`"),
      Definition("file", "a name, a media type and content. Rules: `required`"),
      Definition(
        "json", "any JSON value, nested at most 128 deep. Rules: `required`, `default`"),
      Definition(
        "password",
        """
        stored as a hash and never printed; allowed only in the user schema. Rules: `required`
        """),
      Definition(
        "relation",
        """
        the id of a record of another schema, or of the same; with `many`, a list of ids. Rules: \
        `to`, `many`, `on_delete`; for a to-one relation also `required` and `unique`
        """),
      Definition(
        "[text]",
        """
        an array; likewise `[integer]`, `[number]`, `[boolean]`, `[datetime]`. Rules: `required`, \
        `default`, `min`, `max`, `one_of`; its elements cannot be null
        """),
    ]),
    """
    Every type takes `doc`; a rule that a type does not support is an error. `datactl schema \
    types` prints the names of the types in other systems.
    """,
    .heading("Rules"),
    """
    A field that is not required may be null. `required` rejects null, and a new record without \
    the field, unless there is a default. A default is set when a record is created without the \
    field; it must satisfy the field's other rules, and an explicit null stays null. `min` and \
    `max` are inclusive. A pattern matches the whole text: `[A-Z]{2}[0-9]+` needs no `^` and no \
    `$`.
    """,
    .literal(SchemaFileExamples.rules),
  ]

  private static let relations: [Block] = [
    .heading("Relations"),
    """
    A relation names its target schema with `to`. The referenced record must exist when the \
    command that saves the reference ends. `on_delete` controls what happens when that record is \
    deleted: with `nullify` the reference becomes null, or is removed from the list; with \
    `cascade` the referring record is deleted too; with `deny` the deletion is refused. A to-many \
    relation keeps its order and contains no id twice.
    """,
    .heading("Users"),
    """
    One schema of a store can have `"kind": "user"`: its records are the users who can log in. It \
    has exactly one field of type `password`, and its primary key may have any name.
    """,
    .literal(SchemaFileExamples.user),
  ]

  private static let remainingKeys: [Block] = [
    .heading("Indexes"),
    """
    An index is a list of fields; `-` before a field means descending: `["done", "-due"]`. With \
    it, a page of `list --order done,-due` costs only as much as its records, however many there \
    are in all. The id is always appended. Arrays, `json`, `file`, `geopoint`, `password` and \
    to-many relations cannot be indexed. The primary key, unique fields, relations and geopoints \
    have their own indexes. An index has at most 31 fields in addition to the id, and an entry at \
    most 2,400 bytes: a text in an index should have a `max`.
    """,
    .heading("Properties"),
    """
    Program code uses `yearBorn` for `year_born`, and `todoID` for `todo_id`: `_` before a \
    lowercase letter is removed and the letter capitalized. Where that does not fit, `properties` \
    maps a property to its field: `{"assignee": "owner"}`. Data may use a property in place of its \
    field, but not both at once. A field has at most one property.
    """,
    .heading("System fields"),
    """
    Every record has `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. The \
    store sets them; schemas do not declare them.
    """,
    .heading("Editors"),
    """
    For completion and validation in editors, use the JSON Schema of schema files, which is the \
    same for every store:
    """,
    .literal("$ datactl schema export --format meta > schema-file.json"),
    """
    The schema files do not reference it; configure the editor to use it for `schemas/*.json`. It \
    checks the structure of a file; `schema lint` checks everything else.
    """,
  ]
}

extension HelpTopics {
  /// The section on how schema files change a store that contains records.
  static let changes: [Block] = [
    .heading("Changing schemas"),
    """
    `schema plan` shows the steps that bring a store to the files, and `schema apply` executes \
    them. Changes that existing records must satisfy are first checked against all of them: \
    `required`, `unique`, `pattern`, a narrower `min`, `max` or `one_of`, another type. If some \
    records do not fit, nothing is changed, and the error names them.
    """,
    """
    A field that is no longer in the file is dropped with its values, and a schema that no file of \
    the folder declares is dropped with its records; both need `--allow-loss` with the name, \
    unless there is nothing to lose. When a field is added or becomes required, its default is set \
    in existing records. Revisions do not change.
    """,
    """
    `"was": "title"` in a field, or in the schema, gives its previous name: it is renamed and \
    keeps its values. If the store has both names, or only the new one, the key has no effect, so \
    it may stay in the file. Two names cannot be swapped: rename one of them to a third name \
    first, with `schema rename`. If the store has only the old name and the files declare both, it \
    is ambiguous whose values they are, and nothing is changed. The primary key is renamed with \
    its schema.
    """,
    .heading("Converting types"),
    .definitions([
      Definition(
        "text",
        "integer, number, boolean, datetime, a to-one relation: all texts must be valid; json"),
      Definition("integer, number", "each other, text, json; integers 0 and 1: boolean"),
      Definition("boolean", "text, integer, json"),
      Definition("datetime", "text, json"),
      Definition(
        "a scalar", "an array of its type, and back; also [text]; an integer also: [number]"),
      Definition("an array", "json, [text]; [integer]: [number]"),
      Definition(
        "relation",
        "to-one to to-many, and back, and text; another target schema, which must have the ids"),
    ]),
    """
    Numbers that would be rounded, and arrays that do not have exactly one element, need \
    `--allow-loss`: numbers are rounded, and the first element is kept. A different spelling of \
    the same number or datetime is not a loss. For other types, drop the field and declare it \
    again.
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
