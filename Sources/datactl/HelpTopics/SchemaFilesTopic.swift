import CommandSyntax
import SchemaText

extension HelpTopics {
  static let schemaFiles = Topic(
    "schema-files", "The format of schema files.",
    manual: ManualName("datactl-schema", section: 5),
    body: [
      """
      A schema file declares a schema: the fields of its records, their types and their rules. \
      Usually, each schema has its own file, in a folder that is kept in git. For example, this \
      is the file `todo.json`:
      """,
      .literal(SchemaFileExamples.todo),
      """
      `schema apply` changes a store to match the files. `schema lint` finds mistakes in the \
      files. `schema show` prints a schema of a store in this format.
      """,
      .heading("Keys of a schema"),
      .definitions(SchemaFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      "`schema` and `fields` are required. Unknown and duplicate keys are errors.",
      .heading("Names"),
      """
      The names of schemas and fields consist of lowercase letters, digits and underscores, and \
      begin with a letter. The name of a schema has at most 40 characters, and the name of a field \
      at most 48. These names are reserved:
      """,
      .definitions([
        Definition(
          "for a schema",
          """
          the names of types, such as `text` or `file`; the word `function`; names that begin with \
          `sqlite_`
          """),
        Definition("for a field", "the names of system fields, such as `created_at`"),
      ]),
      .heading("The primary key"),
      """
      Exactly one field has the type `id`. It is the primary key. Its name is the name of the \
      schema followed by `_id`, such as `todo_id`. In the user schema, it can have any name, by \
      convention `username`.
      """,
      """
      An id is a string of 1 to 255 bytes without control characters. The id of a record cannot be \
      changed.
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
      Definition(
        "id", "the primary key. It is always required and unique, and cannot have other rules"),
      Definition(
        "text",
        """
        a UTF-8 string without NUL characters. `min` and `max` limit its length in Unicode \
        scalars. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`, `pattern`
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
      Definition(
        "decimal",
        """
        an exact decimal number with at most `digits` digits, of which `scale` are after the point: \
        `{"type": "decimal", "digits": 12, "scale": 2}`. It is printed with exactly `scale` digits \
        after the point. Rules: `digits`, `scale`, `required`, `unique`, `default`, `min`, `max`, \
        `one_of`
        """),
      Definition("boolean", "true or false. Rules: `required`, `unique`, `default`"),
      Definition(
        "date",
        """
        a day without a time or a time zone, written as a string: `"2026-11-20"`. Rules: \
        `required`, `unique`, `default`, `min`, `max`, `one_of`
        """),
      Definition(
        "datetime",
        """
        a date and time in UTC with microsecond precision, written as a string: \
        `"2026-11-20T03:05:00Z"`. Rules: `required`, `unique`, `default`, `min`, `max`, `one_of`
        """),
      Definition(
        "geopoint",
        "a geographic point: `{\"lat\": 47.37, \"lon\": 8.54}`. Rules: `required`, `default`"),
      Definition("file", "a file with a name, a media type and content. Rules: `required`"),
      Definition(
        "json", "any JSON value, nested at most 128 levels deep. Rules: `required`, `default`"),
      Definition(
        "password",
        """
        stored as a hash and never printed. Allowed only in the user schema. Rules: `required`, \
        `min` (the minimum length of a new password in Unicode scalars, by default 8)
        """),
      Definition(
        "relation",
        """
        the id of a record of the same or another schema (a to-one relation) or, with \
        `"many": true`, a list of ids (a to-many relation). Rules: `to`, `many`, `on_delete`, \
        `inverse`; for a to-one relation also `required`, `unique`, `owned` and `position`
        """),
      Definition(
        "[text]",
        """
        an array of strings, without nulls. The other array types are `[integer]`, `[number]`, \
        `[boolean]`, `[date]` and `[datetime]`. Rules: `required`, `default`, `min`, `max`, \
        `one_of`
        """),
    ]),
    """
    `datactl schema types` shows how other systems name these types. The following schema uses \
    most of the rules:
    """,
    .literal(SchemaFileExamples.rules),
  ]

  private static let relations: [Block] = [
    .heading("Relations"),
    """
    In a relation, `"to": "user"` means that `user` is the target schema. A relation can refer \
    only to a record that is in the store or is saved by the same command. A to-many relation \
    keeps the order of its ids, and contains each id at most once.
    """,
    "The key `on_delete` determines what happens when the related record is deleted:",
    .definitions([
      Definition(
        "nullify",
        """
        the default: the relation becomes null, or the id is removed from the list. If the \
        relation is required, the deletion is rejected
        """),
      Definition("cascade", "the record with the relation is also deleted"),
      Definition("deny", "the deletion is rejected"),
    ]),
    """
    The key `inverse` gives the target schema a name for the records that refer to it. For \
    example, each record of the schema `subdivision` refers to a country:
    """,
    .literal(
      """
      "country": {"type": "relation", "to": "country",
        "inverse": "subdivisions"}
      """),
    """
    For countries, conditions and `--expand` can then use the name `subdivisions`. This command \
    prints the countries without subdivisions:
    """,
    .literal("$ datactl list country --where 'subdivisions is empty'"),
    """
    The inverse is not a field: it is printed only with `--expand`, and only `save --deep` reads it \
    (see `datactl help graphs`).
    """,
    .heading("Owned records"),
    """
    An owned record is a part of the record to which it refers, its owner: the line of an order, \
    the item of an invoice, the step of a trip. Parts are edited together with their owner. For \
    records that many people add, such as comments, use a relation with `inverse` and \
    `"on_delete": "cascade"` instead.
    """,
    .literal(
      """
      "order": {"type": "relation", "to": "order",
        "inverse": "lines", "owned": true, "position": "place"},
      "place": {"type": "integer"}
      """),
    """
    An owned relation is always required, and its records are deleted with their owner. So its \
    declaration has neither `required` nor `on_delete`. Other rules apply, too:
    """,
    .list([
      "It is a to-one relation with an `inverse`.",
      """
      A schema has at most one. A schema can own itself, as the nodes of a tree do: a record whose \
      relation is null is a root. Several schemas cannot own each other in a circle. The records \
      of a user schema cannot be parts.
      """,
      """
      `position` names the field with the order of the parts: an integer that is not unique and \
      can be 1.
      """,
    ]),
    """
    A new, changed or deleted part gives its owner a new revision, and `save --deep` saves the parts \
    together with their owner (see `datactl help graphs`).
    """,
    """
    When `owned` is added, each record must have an owner, and no record may own itself, directly \
    or through at most 31 others. If `owned` is removed, `required` and `on_delete` are again what \
    the file says, as `schema plan` shows. A store with an owned relation needs datactl 0.3.0 or \
    later.
    """,
    .heading("Users"),
    """
    One schema of a store can have `"kind": "user"`. Its records are the users who can log in. \
    This schema has exactly one field of type `password`. The key `roles` names the field that \
    contains the roles of each user. Users with the role `admin` are administrators. The key \
    `disabled` names a `boolean` field that is true for users who cannot log in (see `datactl help \
    access-rules`).
    """,
    .literal(SchemaFileExamples.user),
  ]

  private static let remainingKeys: [Block] = [
    .heading("Defaults"),
    """
    A text field, or a to-one relation to the user schema, can have the default `:user`:
    """,
    .literal(#""owner": {"type": "relation", "to": "user", "default": ":user"}"#),
    """
    If a new record does not contain the field, the field gets the id of the acting user: the user \
    who has logged in, on a server the user who sends the request. If no user has logged in, it is \
    null. When a record is replaced, with `--replace` or `PUT`, the field keeps its value. With \
    `--keep-system-fields`, the user is `created_by`. When the field is added to a schema, existing \
    records get null.
    """,
    """
    A store with this default, or with the key `disabled`, needs datactl 0.3.0 or later. Earlier \
    versions took `:user` in a text field as a text. In their stores, it remains one, and is printed \
    with an escape: `"\\u003auser"`. `schema lint` names text fields with the default `:user`.
    """,
    .heading("Indexes"),
    """
    With the index `["done", "-due"]`, `list --order done,-due --limit 50` is fast for any number \
    of records.
    """,
    "The primary key, unique fields, relations and geopoints are indexed automatically.",
    "These limits apply to indexes:",
    .list([
      """
      An index cannot contain system fields, arrays, to-many relations, or fields of the types \
      `json`, `file`, `geopoint` and `password`.
      """,
      "An index can have at most 31 fields.",
      """
      The id of a record and its values in an index can have about 2,400 bytes together. This \
      also applies to each unique field. Set a `max` for text fields that are unique or in an index.
      """,
    ]),
    .heading("Properties"),
    """
    A property is the name that program code uses for a field, such as `yearBorn` for `year_born`. \
    Input data, conditions and assignments can contain either name.
    """,
    """
    By default, the property is the name of the field in camelCase. For the primary key `todo_id`, \
    it is `todoID`, but `todoId` is also accepted.
    """,
    """
    The key `properties` declares other properties. For example, `{"assignee": "owner"}` declares \
    the property `assignee` of the field `owner`.
    """,
    .heading("System fields"),
    """
    Every record has the system fields `created_at`, `created_by`, `modified_at`, `modified_by` \
    and `revision`. Schema files do not declare them.
    """,
    .heading("Editors"),
    """
    For completion and validation in an editor, use the JSON Schema for schema files. It is the \
    same for every store:
    """,
    .literal("$ datactl schema export --format meta > schema-file.json"),
    """
    Schema files do not refer to this JSON Schema, so configure the editor to use it for \
    `schemas/*.json`. It describes only the structure of a file. `schema lint` checks all rules.
    """,
  ]
}

extension HelpTopics {
  /// The section on how schema files change a store that contains records.
  static let changes: [Block] = [
    .heading("Changing schemas"),
    """
    When a field is added or becomes required, existing records without a value get its default. \
    The revisions of records do not change.
    """,
    "These changes make a schema stricter:",
    .list([
      "A field becomes `required` or `unique`, or gets a `pattern`.",
      "`min`, `max` or `one_of` is added, or allows fewer values.",
      "The type of a field or the target of a relation is changed.",
    ]),
    """
    Such changes are first checked against all existing records. If some records do not satisfy \
    the new schema, nothing is changed, and the error shows their number.
    """,
    """
    A field that is no longer in the file is dropped with its values. A schema that is no longer \
    in any file of the folder is dropped with its records. If values or records would be lost, \
    `--allow-loss` is required:
    """,
    .literal("$ datactl schema apply --allow-loss todo.tags --allow-loss step"),
    .heading("Renaming"),
    """
    To rename a field, change its name in the file, and add the key `was` with the previous name. \
    The values are kept.
    """,
    .literal(
      """
      "heading": {"type": "text", "was": "title"}
      """),
    """
    To rename a schema such as `todo`, change its name and the name of its primary key `todo_id`, \
    and add `was` to the schema. The records are kept.
    """,
    """
    In both cases, also change the name in the other keys that use it, such as `indexes` and `to`. \
    You can leave `was` in the file: it has no effect once the store has the new name.
    """,
    """
    Two names cannot be swapped directly. First rename one of them to a third name with `schema \
    rename`. A new field or schema can get the old name only in a later `schema apply`.
    """,
    .heading("Converting types"),
    """
    The type of a field can be changed if its values can be converted. This list shows the types \
    to which each type can be converted:
    """,
    .definitions([
      Definition(
        "text",
        """
        `json` or `[text]`; also `integer`, `number`, `decimal`, `boolean`, `date`, `datetime` or \
        a to-one `relation`, if all values are valid for that type
        """),
      Definition(
        "integer",
        """
        `number`, `decimal`, `text`, `json`, `[integer]`, `[number]`, `[text]`; also `boolean`, if \
        all values are 0 or 1
        """),
      Definition("number", "`integer`, `decimal`, `text`, `json`, `[number]`, `[text]`"),
      Definition("decimal", "a `decimal` with other digits, `integer`, `number`, `text`, `json`"),
      Definition("boolean", "`integer`, `text`, `json`, `[boolean]`, `[text]`"),
      Definition(
        "date", "`datetime` (midnight UTC), `text`, `json`, `[date]`, `[datetime]`, `[text]`"),
      Definition(
        "datetime",
        "`date` (its day in UTC), `text`, `json`, `[datetime]`, `[date]`, `[text]`"),
      Definition("[text]", "`text`, `json`"),
      Definition("[integer]", "`integer`, `json`, `[number]`, `[text]`"),
      Definition("[number]", "`number`, `json`, `[text]`"),
      Definition("[boolean]", "`boolean`, `json`, `[text]`"),
      Definition("[date]", "`date`, `json`, `[datetime]`, `[text]`"),
      Definition("[datetime]", "`datetime`, `json`, `[date]`, `[text]`"),
      Definition("to-one relation", "to-many relation, `text`"),
      Definition("to-many relation", "to-one relation"),
    ]),
    """
    The target of a relation can be changed to another schema that contains all the ids in the \
    relation. For any other change of type, remove the field from the file, apply the file, and \
    declare the field again. Its values are then lost.
    """,
    "These conversions lose information, so they require `--allow-loss`:",
    .list([
      "A number, an integer or a decimal is rounded.",
      "A number with too many digits before the point for a decimal becomes null.",
      "A datetime loses its time of day.",
      "An array or a to-many relation with several elements is reduced to the first one.",
      "An empty array becomes null.",
    ]),
  ]
}

/// The schema files that the help and the manual show. A test applies all of them.
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
        "place": {"type": "geopoint", "default": {"lat": 47.37, "lon": 8.54}},
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
        "email": {"type": "text", "unique": true, "max": 254},
        "roles": {"type": "[text]"}
      },
      "roles": "roles"
    }
    """

  package static let all = [todo, rules, user]
}
