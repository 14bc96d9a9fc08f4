import CommandSyntax

extension HelpTopics {
  static let conditions = Topic(
    "conditions", "The syntax of conditions.",
    manual: ManualName("datactl-conditions", section: 7),
    body: [
      """
      A condition is a test that selects records, such as `due < now()`. `list`, `delete` and \
      `save` select records with `--where CONDITION`. If the option is repeated, a record must \
      match all conditions.
      """,
      .literal(
        """
        $ datactl list todo --where "due < now() or tags contains 'urgent'"
        """),
      .heading("Notation"),
      "These rules apply to the notation of a condition:",
      .list([
        "Strings, dates and datetimes are in single quotes.",
        "Numbers, `true` and `false` have no quotes.",
        """
        The name of a field is in double quotes if it is also a keyword. Instead of the name, you \
        can write the property name (see `datactl help schema-files`).
        """,
        "Keywords can be in uppercase or lowercase.",
      ]),
      "These are examples of comparisons:",
      .definitions(comparing.map(definition)),
      .heading("Paths"),
      """
      A path with dots, such as `owner.full_name`, follows relations to other records. It can also \
      end with one of these:
      """,
      .list([
        "a key of a `json` field",
        "a part of a geopoint: `lat` or `lon`",
        "an attribute of a file: `name`, `type`, `size` or `sha256`",
      ]),
      """
      A path through a to-one relation is null if the relation is null, or if its target is \
      missing. For example, `parent.title is null` is true for a todo without a parent.
      """,
      """
      In a `json` field, a path follows the keys of nested objects, but does not search the \
      objects in an array.
      """,
      "These are examples of paths:",
      .definitions(reaching.map(definition)),
      .heading("Paths through to-many relations"),
      """
      A path through a to-many relation has one value for each related record. A condition on such \
      a path is true if it is true for at least one of the values.
      """,
      """
      `!=` and `not` negate such a condition as a whole. For example, `steps.title != 'boil'` is \
      true if no step has the title boil.
      """,
      .definitions(reachingMany.map(definition)),
      """
      As in the last example, two conditions on the same path can be true for different related \
      records. To test each related record with both conditions, use `any`.
      """,
      .heading("Related records"),
      """
      `any`, `all` and `no` test each related record with the whole condition in parentheses. \
      Names in the parentheses are fields of the related records.
      """,
      .definitions([
        Definition("any", "true if at least one related record matches"),
        Definition("all", "true if every related record matches, or if there are none"),
        Definition("no", "true if no related record matches, or if there are none"),
      ]),
      """
      `count(RELATION)` is the number of related records. `sum`, `avg`, `min` and `max` compute one \
      value from them: each name in the parentheses begins with the relation, and values that are \
      null do not count. Without values, the result is null.
      """,
      """
      Use these words with a to-many relation of the schema, or with an inverse. An inverse \
      contains the records that refer to this record. It is written as `SCHEMA.RELATION`, such as \
      `todo.parent`, or as the name that a schema file declares (see `datactl help schema-files`).
      """,
      .definitions(related.map(definition)),
      .heading("Computed values"),
      """
      A value can be computed with `+`, `-`, `*`, `/`, parentheses and functions. If a part of a \
      computed value is null, the value is null, except with `coalesce`. The names of functions \
      have this meaning only before a parenthesis, so a field can have such a name.
      """,
      """
      Decimals and integers are computed exactly, with up to 38 digits. A number with a fraction, \
      such as `1.081`, is then a decimal too. The result has as many digits after the point as the \
      operand that has more of them, and a product as many as both operands together: `price * \
      1.081` of `12.50` is `13.51250`. With a field of the type `number`, the result is a `number`.
      """,
      """
      A quotient is always a `number`: `7 / 2` is 3.5. Division by zero gives null. `round(x, n)` \
      keeps n digits after the point, 0 to 15, or none without n. A half is rounded away from zero: \
      `round(2.675, 2)` is 2.68. A rounded decimal has n digits after the point.
      """,
      """
      The difference of two dates is a number of days. The difference of two datetimes, or of a \
      date and a datetime, is a number of seconds. It is negative if the second one is later. It \
      can be compared with a duration: `closed - opened > 7d`.
      """,
      """
      `substr` is null if the position is less than 1 or the length is negative, and an empty text \
      if the position is after the end. `coalesce` needs two values of one kind: two numbers, two \
      texts, two booleans, two dates or two datetimes.
      """,
      """
      A computed value that is out of range, such as an integer that does not fit in 64 bits, is \
      null too. It is never left out of an aggregate: `sum` and its like of related records are then \
      null. If one of the values of `--sum`, `--avg`, `--median`, `--min` or `--max` is out of range, \
      the command fails.
      """,
      .definitions(computing.map(definition)),
      .heading("Dates and times"),
      """
      `now()` is the current time, which is the same throughout a command. A duration such as `7d` \
      can be added or subtracted. The units are `s`, `m` (minutes), `h`, `d` and `w`. Months and \
      years are written as days: `now() - 180d`.
      """,
      """
      If a date is compared with `now()`, `now()` means today: the current day in UTC, or in the \
      time zone of `--zone`. If a date is compared with a datetime, the date means the start of \
      the day in UTC, even with `--zone`. Only days (`d`) and weeks (`w`) can be added to a date \
      or subtracted from it.
      """,
      """
      A date directly after `on` or `in` needs no quotes. In a list, as in `day in \
      ('2026-11-20')`, it needs them.
      """,
      .definitions(dates.map(definition)),
      .heading("Null, arrays and combined conditions"),
      "A condition is either true or false, never null. These rules apply:",
      .list([
        """
        A comparison without `!=` or `not` is false if one of its values is null. Use `is null` to \
        find records without a value.
        """,
        """
        With an array or a to-many relation, such a comparison is true if it is true for at least \
        one element. This also applies to an array in a `json` field.
        """,
        """
        A condition with `!=` or `not` is true whenever the condition that it negates is false. \
        For example, `priority != 5` also finds records without a priority, and `tags is not \
        empty` also finds records whose tags are null.
        """,
      ]),
      .definitions(combining.map(definition)),
      .heading("Parameters"),
      """
      A parameter stands for a value that is given in a separate option. The value is never parsed \
      as a part of the condition, so it can contain any text:
      """,
      .definitions([
        Definition(":NAME", "a named parameter; `--param NAME=VALUE` sets its value"),
        Definition(
          "%?",
          """
          a positional parameter; `--param 1=VALUE` sets the first one, `--param 2=VALUE` the \
          second one, and so on
          """),
      ]),
      """
      The value is parsed according to the type of the field that the parameter is compared with. \
      For a comparison with a value in a `json` field, write `--param NAME:=JSON`:
      """,
      .literal(
        """
        $ datactl list todo --where 'title = :title' --param title='Buy tea'
        $ datactl list todo --where 'details.size > :n' --param n:=3
        """),
      .heading("Operands FIELD=VALUE"),
      """
      In `list`, an operand such as `done=true` is also a condition: it tests for equality. The \
      value is written without quotes. If it is not valid for the type of the field, the exit \
      status is 6. An empty value, as in `due=`, matches records without a value. For a `text` \
      field, it matches the empty string.
      """,
      .heading("Errors and limits"),
      """
      A condition is checked before any record is read. If a field or an operator in `--where` is \
      unknown, or if a value has the wrong type, the exit status is 2. The error shows the \
      position and, if possible, suggests a name. Passwords cannot be used in conditions.
      """,
      "A condition has these limits, which are the same for every store:",
      .list([
        """
        A condition can be at most 4 MiB long. On Linux, however, a command-line argument can be \
        at most 128 KiB long.
        """,
        "Parentheses and `not` can be nested at most 200 levels deep.",
        """
        `and` and `or` can alternate at most 20 levels deep, as in `a and (b or (c and d))`. A \
        chain of the same operator is one level.
        """,
        "A `like` pattern can be at most 1,000 characters long.",
        "A path can follow at most 8 relations, of which at most 4 are to-many.",
        """
        All paths together can follow at most 50 relations. If several paths begin with the same \
        relations, these count once.
        """,
        "There can be at most 10,000 comparisons. An `in` list of any length counts as one.",
      ]),
    ],
    seeAlso: ["list", "delete", "save", "functions", "schema types"])

  /// Returns the help entry for an example condition.
  private static func definition(_ example: (condition: String, meaning: String)) -> Definition {
    Definition(example.condition, example.meaning)
  }

  /// All example conditions of the topic. A test runs each of them.
  package static var conditionExamples: [String] {
    (comparing + reaching + reachingMany + related + computing + dates + combining).map(\.condition)
  }
}

/// The examples of `help conditions`.
extension HelpTopics {
  typealias ConditionExample = (condition: String, meaning: String)

  static let comparing: [ConditionExample] = [
    ("title = 'tea'", "equal; strings are compared byte by byte"),
    ("note = 'it''s'", "a single quote in a string is written twice"),
    ("priority != 5", "not equal, or null"),
    ("price >= 2.5", "greater than or equal to 2.5; also `<`, `<=` and `>`"),
    ("priority < 2.5", "integers and numbers are compared by value"),
    ("done", "a boolean field is a condition by itself"),
    (
      "due >= '2026-11-20'",
      "from the start of this day in UTC; with a time, write `'2026-11-20T08:00:00Z'`"
    ),
    ("created_at > now() - 7d", "in the last 7 days"),
    ("priority in (1, 2, 5)", "one of these values; `not in` negates the condition"),
    ("priority between 1 and 5", "from 1 to 5, inclusive"),
    (
      "title like 'T%'",
      "`%` matches any text, and `_` any one character; `\\%` and `\\_` match only these characters"
    ),
    ("title ilike '_ea'", "the same as `like`, but ignores the case of ASCII letters"),
    ("note contains '%'", "the string contains this substring; `%` is an ordinary character here"),
    ("tags contains 'urgent'", "the array or to-many relation contains this element"),
    ("tags is empty", "the array, to-many relation or JSON value is `[]`; null is not empty"),
    ("note is null", "the field has no value; `is not null` negates the condition"),
    (
      "place within 5 km of (47.37, 8.54)",
      "within 5 km of this latitude and longitude; also `mi` and `m`"
    ),
    (
      "place within box (46, 7, 48, 9)",
      """
      in the box from 46° to 48° north and from 7° to 9° east; if the second number is greater \
      than the fourth, the box crosses the 180° meridian
      """
    ),
  ]

  static let reaching: [ConditionExample] = [
    ("owner.full_name = 'Ann'", "the owner has this name"),
    ("steps.title = 'boil'", "at least one of the steps has this title"),
    ("parent.owner is null", "there is no parent, or the parent has no owner"),
    ("created_by.username = 'ann'", "this user created the record"),
    ("details.color = 'red'", "this key of a JSON object has this value"),
    ("details.deep.\"a b\" is null", "a key that is not a valid name is written in double quotes"),
    (
      "details = json '{\"x\": 1}'",
      """
      the whole JSON value is equal; white space, the order of keys, and the notation of strings \
      and numbers do not matter
      """
    ),
    ("details.sizes > 4", "an array in JSON matches if at least one of its elements matches"),
    (
      "details.sizes contains 4",
      """
      an array in JSON contains this element; for a string in JSON, `contains` searches for a \
      substring
      """
    ),
    ("place.lat > 47", "the latitude of a geopoint"),
    ("photo.type = 'image/png' and photo.size < 1000", "the media type and the size of a file"),
    ("parent.priority < priority", "two fields are compared"),
    ("\"in\" = 'x'", "the field is named like a keyword, so its name is in double quotes"),
  ]

  static let reachingMany: [ConditionExample] = [
    ("steps.title is null", "at least one of the steps has no title"),
    ("steps.title is not null", "every step has a title; also true if there are no steps"),
    ("steps.title != 'boil'", "no step has this title; also true if there are no steps"),
    (
      "steps is not empty and steps.title is not null",
      "there are steps, and all of them have a title"
    ),
    (
      "steps.title = 'boil' and steps.minutes > 5",
      "one step has this title, and the same or another step takes more than 5 minutes"
    ),
  ]

  static let related: [ConditionExample] = [
    ("any steps (title = 'boil' and minutes > 5)", "one step meets both conditions"),
    ("all steps (title is not null)", "every step has a title, or there are no steps"),
    ("no steps (minutes > 30)", "no step takes more than 30 minutes"),
    (
      "any todo.parent (not done)",
      "this todo is the parent of at least one todo that is not done"
    ),
    ("count(todo.parent) > 2", "this todo is the parent of more than two todos"),
    ("sum(steps.minutes) > 60", "the steps take more than 60 minutes together"),
    (
      "max(todo.parent.due) > due",
      "this todo is the parent of a todo that is due later"
    ),
  ]

  static let computing: [ConditionExample] = [
    ("price * priority > 100", "the product is greater than 100"),
    ("priority + 1 < count(steps)", "the number of steps is greater than the priority plus 1"),
    ("due > created_at + 30d", "`due` is more than 30 days after the creation of the record"),
    (
      "year(due) = 2026 and weekday(due) <= 5",
      """
      the year and the weekday (Monday is 1, Sunday is 7) in UTC, or in the zone of `--zone`; also \
      `month`, `day` and `hour`
      """
    ),
    ("distance(place, (47.37, 8.54)) < 5", "less than 5 km from this latitude and longitude"),
    (
      "length(title) > 40 or length(tags) = 0",
      "the string has more than 40 characters (Unicode scalars), or the array has no elements"
    ),
    (
      "lower(title) = 'tea'",
      "`lower` converts the letters A to Z to lowercase; `upper` does the opposite"
    ),
    ("priority / count(steps) > 0.5", "the quotient, which has a fraction, is greater than 0.5"),
    ("round(price, 1) = 4.5", "the price, rounded to one digit after the point, is 4.5"),
    ("abs(priority - 3) <= 1", "the priority is from 2 to 4; `abs` removes the sign"),
    ("due - created_at < 7d", "`due` is less than 7 days after the creation of the record"),
    (
      "substr(title, 1, 2) = 'Te'",
      "the first two characters of the string; the arguments are a position and a length"
    ),
    ("coalesce(priority, 0) < 3", "the first value, or the second one if the first is null"),
    ("date(due) = '2026-11-20'", "the day in UTC, or in the zone of `--zone`; `due` has a time"),
  ]

  static let dates: [ConditionExample] = [
    ("due on 2026-11-20", "on this day in UTC, or in the zone of `--zone`"),
    ("due in 2026-11", "in this month; `due in 2026` means in this year"),
    ("day + 1w > now()", "one week after the date in the field `day` is later than today"),
  ]

  static let combining: [ConditionExample] = [
    ("done = false and due < now()", "both conditions are true"),
    (
      "not (done or priority > 3)",
      "neither condition is true; `not` binds most tightly, then `and`, then `or`"
    ),
    (
      "title like 'T%' and (done or owner.username = 'ann')",
      "parentheses group conditions"
    ),
  ]
}
