import CommandSyntax

extension Topics {
  static let conditions = Topic(
    "conditions", "The language in which records are chosen.",
    manual: ManualName("datactl-conditions", section: 7),
    body: [
      """
      `--where` takes a condition, in `list`, `delete` and `save`. Several conditions must all hold, \
      and so must operands of the form `FIELD=VALUE`, which are equalities.
      """,
      .literal(
        """
        $ datactl list todo --where "due < now() or tags contains 'urgent'"
        """),
      """
      The words of the language are read in any case of letters. A text stands in single quotes, \
      where a quote is doubled; numbers, `true` and `false` stand as they are; a datetime is a text. \
      A name that is a word of the language stands in double quotes. A property may stand for its \
      field.
      """,
      .definitions(comparing.map(definition)),
      """
      A path with dots follows relations to other records, and reaches into `json`, into a geopoint \
      (`lat`, `lon`) and into a file (`name`, `type`, `size`, `sha256`). Two fields compare with each \
      other. A path through a relation to one record that leads nowhere is null. In `json` a path \
      follows the keys of objects; it does not go into the objects in an array.
      """,
      .definitions(reaching.map(definition)),
      """
      A relation to many records leads to as many values as it has records, and to none if it has \
      none. A condition is met if one of them meets it, each condition by a record of its own, and \
      what denies it if none does.
      """,
      .definitions(reachingMany.map(definition)),
      """
      A condition is true or false, and nothing else. Null meets none but `is null`: a comparison with \
      null is false. Over an array, one in `json` too, or a to-many relation a comparison is true if \
      some element makes it true. `!=`, `not in`, `not like` and `is not null` are true exactly where what they deny is \
      false, so that `priority != 5` finds records without a priority too. In `json` only the array \
      `[]` is empty: an object without keys and an empty text are values.
      """,
      .definitions(combining.map(definition)),
      """
      `now()` is one moment in a whole command; whole numbers of `s`, `m` (minutes), `h`, `d` and `w` \
      are added and subtracted. Units are small letters. Months and years are written in days: \
      `now() - 180d`.
      """,
      """
      `:NAME` stands for a value that `--param NAME=VALUE` gives, and `%?` for values by position: \
      `--param 1=VALUE`. It is read by the type beside it, as operands are. `--param NAME:=JSON` says \
      itself of what kind the value is, as beside `json` it must. A parameter is a value and never a \
      part of the condition, whatever stands in it.
      """,
      .literal(
        """
        $ datactl list todo --where 'title = :title' --param title='Buy tea'
        $ datactl list todo --where 'details.size > :n' --param n:=3
        """),
      """
      An operand `FIELD=VALUE` is read by the type of the field, without quotes. Nothing behind the \
      sign asks for records without a value: `due=`. In a text field it asks for the empty text.
      """,
      """
      A condition is held against the schema before anything is looked up. An unknown field, a value \
      of another type, an unknown operator: each is an error that marks its place and suggests a \
      name. The exit status is 2 then, and never an empty result. Passwords stand in no condition.
      """,
      """
      There are limits, the same on every store, and whoever passes one is told which, and where. A \
      condition has at most 4 MB, of which one argument of a command line holds 128 KiB on Linux; \
      brackets and `not` stand 200 deep in each other, and `and` and `or` \
      20 deep; a pattern of `like` has 1,000 characters. A path follows at most 8 relations, of which \
      4 lead to many records. A whole question has at most 10,000 comparisons, of which a list behind \
      `in` is one, however long, and follows at most 50 relations. An order has at most 50 fields, \
      and so have groups; beside them there are at most 100 sums, and beside a record at most 100 \
      fields of other records.
      """,
    ],
    seeAlso: ["list", "delete", "save", "functions", "schema types"])

  /// What is printed of an example.
  private static func definition(_ example: (condition: String, meaning: String)) -> Definition {
    Definition(example.condition, example.meaning)
  }

  /// Every example of a condition on the page; a test asks them all.
  package static var conditionExamples: [String] {
    (comparing + reaching + reachingMany + combining).map(\.condition)
  }
}
