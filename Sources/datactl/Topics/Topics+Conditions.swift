import CommandSyntax

extension Topics {
  static let conditions = Topic(
    "conditions", "How `list` chooses records.",
    manual: ManualName("datactl-conditions", section: 7),
    body: [
      """
      A condition is an operand of the form `FIELD=VALUE`: the record's field has this value. \
      Several conditions must all hold.
      """,
      .literal("$ datactl list todo done=false owner=ann"),
      """
      The value is read by the type of the field, as `save` reads it. A value that the type does \
      not take is an error, and so is one that is not among the `one_of` of the field, or a field \
      that the schema does not have: the answer to a mistyped question is never an empty list.
      """,
      .definitions([
        Definition("text, id, relation", "the text or the id, compared byte by byte"),
        Definition("integer, number", "digits, `price=4.5`"),
        Definition("boolean", "`done=true` or `done=false`"),
        Definition(
          "datetime", "`due=2026-11-20T03:05:00Z`; `due=2026-11-20` is its first instant in UTC"),
        Definition("geopoint", "`place=47.37,8.54`: latitude and longitude are both equal"),
        Definition("arrays, to-many", "`tags=urgent`: some element has the value"),
      ]),
      """
      The system fields `created_at`, `created_by`, `modified_at`, `modified_by` and `revision` can \
      stand in a condition too. Fields of type `file`, `json` and `password` cannot.
      """,
      """
      Nothing behind the sign asks for records without a value: `due=`. In a text field it asks \
      for the empty text. A record without a value meets no other condition on the field.
      """,
      """
      The shell must not see the value: put it between quotes where it has spaces or signs, as in \
      `'title=Buy tea'`.
      """,
    ],
    seeAlso: ["list", "schema types"])
}
