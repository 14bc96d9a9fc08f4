import CommandSyntax

extension HelpTopics {
  /// How schema files change a store that has records.
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
