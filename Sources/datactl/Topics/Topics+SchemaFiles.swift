import CommandSyntax
import DataText

extension Topics {
  static let schemaFiles = Topic(
    "schema-files", "How a schema is written in a file.",
    manual: ManualName("datactl-schema", section: 5),
    body: [
      """
      A schema stands in a file of its own, `NAME.json`, in a folder that a team keeps in git. \
      `schema apply` brings a store to what the files say, `schema lint` looks for mistakes in \
      them, and `schema show` prints a schema as its file.
      """,
      .literal(SchemaFileExamples.todo),
      .heading("Keys of a schema"),
      .definitions(SchemaFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      """
      `schema` and `fields` must be there. A key that is not in this list is an error, and so is one \
      that stands there twice. The order of the keys does not matter; that of the fields is the one \
      in which records are printed.
      """,
      .heading("Names"),
      """
      Names are lowercase letters, digits and underscores, and begin with a letter. A schema's name \
      has at most 40 characters, a field's at most 48. No schema can be called like a type, such as \
      `text` or `file`, nor `function`, and no schema's name begins with `sqlite_`. No field can be \
      called like a system field.
      """,
      .heading("The primary key"),
      """
      Exactly one field has the type `id`. It is called after the schema, `todo_id`; in the user \
      schema its name is free, `username` by custom. An id is text of 1 to 255 bytes without control \
      characters, and never changes. It takes no rules: it is always required and unique.
      """,
      .heading("Keys of a field"),
      .definitions(FieldKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
    ] + types + relations + theRest + changes,
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
        "a place: `{\"lat\": 47.37, \"lon\": 8.54}`. Rules: `required`, `default`"),
      Definition("file", "a name, a media type, and bytes. Rules: `required`"),
      Definition(
        "json", "any JSON value up to a depth of 128. Rules: `required`, `default`"),
      Definition(
        "password",
        """
        kept as a hash and never printed; it stands in the user schema only. Rules: `required`
        """),
      Definition(
        "relation",
        """
        the id of a record of another schema, or of the same; with `many`, a list of them. Rules: \
        `to`, `many`, `on_delete`; of a relation to one also `required` and `unique`
        """),
      Definition(
        "[text]",
        """
        an array; likewise `[integer]`, `[number]`, `[boolean]`, `[datetime]`. Rules: `required`, \
        `default`, `min`, `max`, `one_of`; it holds no nulls
        """),
    ]),
    """
    `doc` goes with every type; a rule that a type does not have is an error. `datactl schema types` \
    prints what the types are called elsewhere.
    """,
    .heading("Rules"),
    """
    A field that is not required may be null. `required` refuses null, and a record that is created \
    without the field, unless there is a default. A default fills the field when a record is created \
    without it; it keeps the field's other rules, and a null that is given stays null. `min` and \
    `max` are inclusive. A pattern matches the whole text: `[A-Z]{2}[0-9]+` needs no `^` and no `$`.
    """,
    .literal(SchemaFileExamples.rules),
  ]

  private static let relations: [Block] = [
    .heading("Relations"),
    """
    A relation names its schema with `to`. The record that it refers to must be there when the \
    command ends that saves it. If that record is deleted, `on_delete` decides: with `nullify` the \
    reference becomes null, or leaves the list; with `cascade` the record that refers goes too; \
    with `deny` the deletion is refused. A relation to many keeps its order and holds no id twice.
    """,
    .heading("Users"),
    """
    One schema of a store can have `"kind": "user"`: its records are the users who can log in. It \
    has exactly one field of type `password`, and its primary key may have any name.
    """,
    .literal(SchemaFileExamples.user),
  ]

  private static let theRest: [Block] = [
    .heading("Indexes"),
    """
    An index is a list of fields, and `-` before one means downwards: `["done", "-due"]`. It makes \
    `list --order done,-due` cost as much for a page as the page has records. It ends with the id, \
    whatever it says. Arrays, `json`, `file`, `geopoint`, `password` and relations to many cannot be \
    in one. The primary key, unique fields, relations and places have indexes of their own. It has \
    at most 31 fields beside the id, and an entry at most 2,400 bytes: a text in an index wants a \
    `max`.
    """,
    .heading("Properties"),
    """
    Program code calls `year_born` `yearBorn`, and `todo_id` `todoID`: `_` before a small letter goes, \
    and the letter becomes a capital. Where that does not fit, `properties` names the property and \
    its field: `{"assignee": "owner"}`. In data, a property's name may stand for its field, but not \
    both at once. A field has one property at most.
    """,
    .heading("System fields"),
    """
    Every record has `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. \
    The store keeps them; no schema declares them.
    """,
    .heading("Editors"),
    """
    Editors complete and check schema files by their own JSON Schema, which is the same for every \
    store:
    """,
    .literal("$ datactl schema export --format meta > schema-file.json"),
    """
    The schema files themselves do not name it; tell the editor that it is for `schemas/*.json`. It \
    knows the shape of a file, and `schema lint` knows the rest.
    """,
  ]
}
