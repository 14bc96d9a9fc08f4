import CommandSyntax

extension HelpTopics {
  static let conditions = Topic(
    "conditions", "The language of conditions.",
    manual: ManualName("datactl-conditions", section: 7),
    body: [
      """
      `--where` takes a condition, in `list`, `delete` and `save`. Several conditions must all be \
      true, and so must `FIELD=VALUE` operands, which test for equality.
      """,
      .literal(
        """
        $ datactl list todo --where "due < now() or tags contains 'urgent'"
        """),
      """
      Keywords are case-insensitive. A text is written in single quotes, with a quote in it \
      doubled; numbers, `true` and `false` are written as they are; a datetime is written as a \
      text. A name that is a keyword is written in double quotes. A property can be used in place \
      of its field.
      """,
      .definitions(comparing.map(definition)),
      """
      A path with dots follows relations to other records, and reaches into `json`, into a \
      geopoint (`lat`, `lon`) and into a file (`name`, `type`, `size`, `sha256`). Two fields can \
      be compared with each other. A path through a to-one relation is null if the relation is \
      null or its target is missing. In `json` a path follows the keys of objects; it does not \
      enter objects in an array.
      """,
      .definitions(reaching.map(definition)),
      """
      A path through a to-many relation has one value for each related record, and none if there \
      are no related records. A condition on it is true if any of the values matches; each \
      condition may match a different record. A negated condition is true if no value matches the \
      condition that it negates.
      """,
      .definitions(reachingMany.map(definition)),
      """
      A condition is either true or false. Null matches only `is null`: any comparison with null \
      is false. A comparison over an array (also one in `json`) or a to-many relation is true if \
      it is true for any element. `!=`, `not in`, `not like` and `is not null` are true exactly \
      where the condition that they negate is false, so `priority != 5` also finds records without \
      a priority. In `json` only the array `[]` is empty: an object without keys and an empty text \
      are values.
      """,
      .definitions(combining.map(definition)),
      """
      `now()` is the same moment throughout a command. Whole numbers of `s`, `m` (minutes), `h`, \
      `d` and `w` can be added and subtracted. Units are lowercase. Write months and years as \
      days: `now() - 180d`.
      """,
      """
      `:NAME` stands for a value given with `--param NAME=VALUE`, and `%?` for values by position: \
      `--param 1=VALUE`. The value is parsed by the type of the field that it is compared with, as \
      operands are. `--param NAME:=JSON` gives the value as JSON; comparisons with `json` need \
      this form. A parameter is always a value and never part of the condition, whatever it \
      contains.
      """,
      .literal(
        """
        $ datactl list todo --where 'title = :title' --param title='Buy tea'
        $ datactl list todo --where 'details.size > :n' --param n:=3
        """),
      """
      In an operand `FIELD=VALUE`, the value is parsed by the type of the field and written \
      without quotes. An empty value, as in `due=`, finds records without a value; for a text \
      field it finds the empty text.
      """,
      """
      A condition is checked against the schema before any record is read. An unknown field, a \
      value of the wrong type or an unknown operator is an error that marks the position and \
      suggests a name. The exit status is then 2; the result is never silently empty. Passwords \
      cannot be used in conditions.
      """,
      """
      These limits are the same on every store; an error names the limit that is exceeded, and \
      where. A condition has at most 4 MB (on Linux, one command-line argument holds at most 128 \
      KiB). Parentheses and `not` nest at most 200 deep, `and` and `or` at most 20 deep. A `like` \
      pattern has at most 1,000 characters. A path follows at most 8 relations, at most 4 of them \
      to-many. A whole query has at most 10,000 comparisons, where an `in` list of any length \
      counts as one, and follows at most 50 relations. An order has at most 50 fields, and so have \
      groups; a query has at most 100 aggregates, and shows at most 100 fields of other records.
      """,
    ],
    seeAlso: ["list", "delete", "save", "functions", "schema types"])

  /// An example as help prints it.
  private static func definition(_ example: (condition: String, meaning: String)) -> Definition {
    Definition(example.condition, example.meaning)
  }

  /// All conditions on the page; a test runs each of them.
  package static var conditionExamples: [String] {
    (comparing + reaching + reachingMany + combining).map(\.condition)
  }
}
