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

  /// Returns the entry for an example in the help text.
  private static func definition(_ example: (condition: String, meaning: String)) -> Definition {
    Definition(example.condition, example.meaning)
  }

  /// All example conditions of the topic; a test runs each of them.
  package static var conditionExamples: [String] {
    (comparing + reaching + reachingMany + combining).map(\.condition)
  }
}

/// The examples of `help conditions`.
extension HelpTopics {
  typealias ConditionExample = (condition: String, meaning: String)

  static let comparing: [ConditionExample] = [
    ("title = 'tea'", "equal; texts are compared byte by byte"),
    ("note = 'it''s'", "a quote in a text is doubled"),
    ("priority != 5", "not equal, or null"),
    ("price >= 2.5", "also `<`, `<=` and `>`"),
    ("priority < 2.5", "integers and numbers are compared by value"),
    ("done", "a boolean field is a condition by itself"),
    ("due >= '2026-11-20'", "a date means its first instant, in UTC"),
    ("created_at > now() - 7d", "within the last week; `m` is minutes, and there are no months"),
    ("priority in (1, 2, 5)", "any of these values; `not in` negates it"),
    ("priority between 1 and 5", "at least 1 and at most 5"),
    (
      "title like 'T%'", "`%` matches any text, `_` one character; `\\` escapes them"
    ),
    ("title ilike '_ea'", "like `like`, but A to Z match a to z"),
    ("note contains '%'", "a substring of the text"),
    ("tags contains 'urgent'", "an element of the array or of the relation"),
    ("tags is empty", "an array or a to-many relation without elements; the JSON value `[]`"),
    ("note is null", "no value; `is not null` negates it"),
    ("place within 5 km of (47.37, 8.54)", "within 5 km; also `mi` and `m`"),
    (
      "place within box (46, 7, 48, 9)",
      "south, west, north, east; crosses 180° if west is greater than east"
    ),
  ]

  static let reaching: [ConditionExample] = [
    ("owner.full_name = 'Ann'", "the owner has this name"),
    ("steps.title = 'boil'", "one of the steps has this title"),
    ("parent.owner is null", "there is no parent, or it has no owner"),
    ("created_by.username = 'ann'", "the user who created the record"),
    ("details.color = 'red'", "the value of a key of the JSON"),
    ("details.deep.\"a b\" is null", "a key that is not a plain name is written in double quotes"),
    (
      "details = json '{\"x\": 1}'",
      """
      the whole JSON, compared by value: the spelling of texts and numbers, white space and the \
      order of keys do not matter
      """
    ),
    ("details.sizes > 4", "an array in JSON matches if any of its elements does"),
    (
      "details.sizes contains 4",
      "an element of an array in JSON; for a text in JSON, a substring"
    ),
    ("place.lat > 47", "one number of a geopoint"),
    ("photo.type = 'image/png' and photo.size < 1000", "the properties of a file"),
    ("parent.priority < priority", "two fields of the record"),
    ("\"in\" = 'x'", "a field whose name is a keyword"),
  ]

  static let reachingMany: [ConditionExample] = [
    ("steps.title is null", "one of the steps has no title"),
    ("steps.title is not null", "every step has a title; also true if there are no steps"),
    ("steps is not empty and steps.title is not null", "there are steps, and all have titles"),
    (
      "steps.title = 'boil' and steps.minutes > 5",
      "one step has this title and one takes long, not necessarily the same"
    ),
  ]

  static let combining: [ConditionExample] = [
    ("done = false and due < now()", "both are true"),
    ("not (done or priority > 3)", "neither is true; `not` binds tightest, then `and`, then `or`"),
    (
      "title like 'T%' and (done or owner.username = 'ann')",
      "parentheses group conditions"
    ),
  ]
}
