import CommandSyntax

extension Topics {
  /// What schema files say of the records that are there.
  static let changes: [Block] = [
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
    third name, with `schema rename`. Where the store has the old name alone and the files declare \
    both, nobody can tell whose the values are, and nothing is changed. A key is renamed with its \
    schema.
    """,
    .heading("Types that become others"),
    .definitions([
      Definition(
        "text",
        "integer, number, boolean, datetime, a relation to one: all texts have to fit; json"),
      Definition("integer, number", "each other, text, json; integers of 0 and 1: boolean"),
      Definition("boolean", "text, integer, json"),
      Definition("datetime", "text, json"),
      Definition(
        "text and its like", "an array of one, and back; also of [text]; integer: [number]"),
      Definition("an array", "json, [text]; [integer]: [number]"),
      Definition(
        "relation",
        "to one: to many, and back, and text; to another schema, which has to have the ids"),
    ]),
    """
    Numbers that would be rounded, and arrays that do not have exactly one element, need \
    `--allow-loss`: then they are rounded, and the first element stays. Another spelling of the same \
    number or moment is no loss. For other types, take the field out and declare it anew.
    """,
  ]
}
