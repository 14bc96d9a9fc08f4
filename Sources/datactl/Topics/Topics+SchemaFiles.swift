import CommandSyntax

extension Topics {
  static let schemaFiles = Topic(
    "schema-files", "How a schema is written in a file.",
    manual: ManualName("datactl-schema", section: 5),
    body: [
      """
      A schema stands in a file of its own, `NAME.json`, in a folder that a team keeps in git. \
      `schema apply` brings a store to what the files say.
      """,
      .literal(
        """
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
        """),
      .heading("Keys of a schema"),
      .definitions([
        Definition("schema", "its name"),
        Definition("was", "what it was called before; see below"),
        Definition("doc", "what its records are"),
        Definition(
          "kind",
          """
          `records`, which is also meant without this key, or `user`: the schema of those who can \
          log in, at most one in a store
          """),
        Definition("fields", "the fields in their order, each with its name"),
        Definition("indexes", "lists of fields; `-` before one means downwards"),
        Definition("properties", "names in program code, each with the field that it stands for"),
      ]),
      "A key that is not in this list is an error.",
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
      schema its name is free, `username` by custom. An id is text of 1 to 255 bytes and never \
      changes.
      """,
      .heading("Keys of a field"),
      .definitions([
        Definition("type", "one of the types below"),
        Definition("doc", "what the field means"),
        Definition("was", "what it was called before; see below"),
        Definition(
          "required", "`true`: every record has a value here; not for a relation to many"),
        Definition("unique", "`true`: no two records have the same value"),
        Definition("default", "what a record gets that is created without this field"),
        Definition("min, max", "the least and the greatest value; of texts and arrays, the length"),
        Definition("one_of", "the only values that are allowed, at least one"),
        Definition("pattern", "an I-Regexp (RFC 9485) that matches the whole text"),
        Definition("to", "the schema that a relation refers to"),
        Definition(
          "many", "`true`: the relation holds many ids, in an order; none is `[]`, never null"),
        Definition(
          "on_delete",
          "what happens when the target goes: `nullify` (the reference goes, the default), `cascade` (the record goes too) or `deny`"
        ),
      ]),
      .heading("Types"),
      .definitions([
        Definition("id", "the primary key"),
        Definition("text", "UTF-8 without NUL; `max` counts Unicode scalars"),
        Definition("integer", "64 bits"),
        Definition("number", "a double"),
        Definition("boolean", "true or false"),
        Definition("datetime", "a moment in UTC, to the microsecond"),
        Definition("geopoint", "a latitude and a longitude"),
        Definition("file", "a name, a media type, and bytes"),
        Definition("json", "any JSON value up to a depth of 128"),
        Definition("password", "stands in the user schema only; kept as a hash and never printed"),
        Definition("relation", "the id of a record of another schema, or of the same"),
        Definition(
          "[text]", "an array; likewise `[integer]`, `[number]`, `[boolean]`, `[datetime]`"),
      ]),
      "`datactl schema types` prints what they are called elsewhere.",
      .heading("System fields"),
      """
      Every record has `created_at`, `created_by`, `modified_at`, `modified_by` and `revision`. \
      The store keeps them; no schema declares them.
      """,
      .heading("Changing what is there"),
      """
      `schema plan` shows what it takes to bring a store to the files, and `schema apply` does it. \
      What the records have to fit is tried on all of them first: `required`, `unique`, `pattern`, a \
      narrower `min`, `max` or `one_of`, another type. If some do not fit, nothing is changed, and it \
      is said which.
      """,
      """
      A field that the file no longer has goes with its values, and a schema that no file of the \
      folder declares goes with its records; both need `--allow-loss` and the name, unless there is \
      nothing to lose. A field that is new, or becomes required, gets its default in the records that \
      are there. No revision moves.
      """,
      """
      `"was": "title"` at a field, or at the schema, says what it was called before: then it is \
      renamed, with its values. Where both names are in the store, or only the new one, it says \
      nothing, so that it may stay. Two that were each other are refused: rename one of them over a \
      third name, with `schema rename`. A key is renamed with its schema.
      """,
      .heading("Types that become others"),
      .definitions([
        Definition(
          "text",
          "integer, number, boolean, datetime, a relation to one: all texts have to fit; json"),
        Definition("integer, number", "each other, text, json; integers of 0 and 1: boolean"),
        Definition("boolean", "text, integer, json"),
        Definition("datetime", "text, json"),
        Definition("text and its like", "an array of one, and back; an array: json"),
        Definition(
          "relation",
          "to one: to many, and back, and text; to another schema, which has to have the ids"),
      ]),
      """
      Numbers that would be rounded, and arrays that do not have exactly one element, need \
      `--allow-loss`: then they are rounded, and the first element stays. Another spelling of the same \
      number or moment is no loss. For other types, take the field out and declare it anew.
      """,
    ],
    seeAlso: [
      "schema create", "schema plan", "schema apply", "schema diff", "schema rename",
      "schema types",
    ])
}
