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
