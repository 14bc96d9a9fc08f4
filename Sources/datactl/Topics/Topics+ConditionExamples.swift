/// The examples on the page about conditions.
extension Topics {
  typealias ConditionExample = (condition: String, meaning: String)

  static let comparing: [ConditionExample] = [
    ("title = 'tea'", "the value is this one; texts are compared byte by byte"),
    ("note = 'it''s'", "a quote in a text is doubled"),
    ("priority != 5", "the value is another, or there is none"),
    ("price >= 2.5", "also `<`, `<=` and `>`"),
    ("priority < 2.5", "integers and numbers compare by what they are worth"),
    ("done", "a boolean stands for itself"),
    ("due >= '2026-11-20'", "a day is its first instant in UTC"),
    ("created_at > now() - 7d", "within the last week; `m` is minutes, and there are no months"),
    ("priority in (1, 2, 5)", "one of these; `not in` denies it"),
    ("priority between 1 and 5", "neither less than 1 nor more than 5"),
    (
      "title like 'T%'", "`%` stands for any text, `_` for a character, `\\` before them for itself"
    ),
    ("title ilike '_ea'", "A to Z are as a to z"),
    ("note contains '%'", "a part of the text"),
    ("tags contains 'urgent'", "an element of the array or of the relation"),
    ("tags is empty", "an array or a to-many relation without an element; JSON that is `[]`"),
    ("note is null", "there is no value; `is not null` denies it"),
    ("place within 5 km of (47.37, 8.54)", "within 5 km; also `mi` and `m`"),
    (
      "place within box (46, 7, 48, 9)",
      "south, west, north, east; across 180° if the west lies east of the east"
    ),
  ]

  static let reaching: [ConditionExample] = [
    ("owner.full_name = 'Ann'", "the owner has this name"),
    ("steps.title = 'boil'", "one of the steps has this title"),
    ("parent.owner is null", "there is no parent, or it has no owner"),
    ("created_by.username = 'ann'", "who made the record"),
    ("details.color = 'red'", "what stands under a key of the JSON"),
    ("details.deep.\"a b\" is null", "a key that is no name stands in double quotes"),
    (
      "details = json '{\"x\": 1}'",
      "the whole JSON by its value, however its texts, numbers and spaces are written; the order of "
        + "an object's keys says nothing"
    ),
    ("details.sizes > 4", "in the JSON too, an array is as any of its elements"),
    (
      "details.sizes contains 4",
      "an element of an array in the JSON; of a text in it, a part"
    ),
    ("place.lat > 47", "one number of a geopoint"),
    ("photo.type = 'image/png' and photo.size < 1000", "what a file is like"),
    ("parent.priority < priority", "two fields of the record"),
    ("\"in\" = 'x'", "a field whose name is a word of the language"),
  ]

  static let reachingMany: [ConditionExample] = [
    ("steps.title is null", "one of the steps has no title"),
    ("steps.title is not null", "none of them is without; so it is where there are no steps"),
    ("steps is not empty and steps.title is not null", "there are steps, and all have titles"),
    (
      "steps.title = 'boil' and steps.minutes > 5",
      "one step boils, and one takes long: perhaps two"
    ),
  ]

  static let combining: [ConditionExample] = [
    ("done = false and due < now()", "both hold"),
    ("not (done or priority > 3)", "neither holds; `and` binds more than `or`, `not` most"),
    (
      "title like 'T%' and (done or owner.username = 'ann')",
      "brackets say what belongs together"
    ),
  ]
}
