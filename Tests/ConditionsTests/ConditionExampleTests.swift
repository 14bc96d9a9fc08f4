import Testing

@Suite("Examples in the help topic conditions")
struct ConditionExampleTests {
  @Test(
    "selects the expected records for each example condition in the help",
    arguments: [
      ("done = false and due < now()", "b"),
      ("title = 'tea'", "b"), ("note = 'it''s'", "b"),
      ("priority != 5", "a c d e f g h"), ("price >= 2.5", "b c"), ("not done", "b c d e f g h"),
      ("due >= '2026-11-20'", "a c"), ("created_at > now() - 7d", "a b c d e f g h"),
      ("priority in (1, 2, 5)", "a b"), ("priority between 1 and 5", "a b"),
      ("title like 'T%'", "a"), ("title ilike '_ea'", "a b"), ("note like '%\\%'", "a"),
      ("note contains '%'", "a"), ("tags contains 'urgent'", "a"), ("tags is empty", "b"),
      ("note is null", "d e f g h"), ("note is not null", "a b c"),
      ("place within 5 km of (47.37, 8.54)", "d"), ("place within box (46, 7, 48, 9)", "d"),
      ("place within box (-10, 170, 10, -170)", "e f"),
      ("owner.full_name = 'Ann'", "a"), ("steps.title = 'boil'", "a"),
      ("parent.owner is null", "a d e f g h"), ("created_by.username = 'ann'", "a b c d e f g h"),
      ("details.color = 'red'", "d g"), ("details.deep.\"a b\" is null", "a b c d e f g h"),
      ("details = json '{\"x\": 1}'", "e"), ("place.lat > 47", "d g"),
      ("photo.type = 'image/png' and photo.size < 1000", "d"), ("parent.priority < priority", "b"),
      ("priority < 2.5", "a c"), ("details.sizes contains 4", ""),
      ("steps.title is null", "b"), ("steps.title is not null", "a c d e f g h"),
      ("steps is not empty and steps.title is not null", "a"),
      ("steps.title = 'boil' and steps.count = 2", "a"), ("details is empty", ""),
      ("any steps (title = 'boil' and count > 0)", "a"),
      ("any steps (title = 'boil' and count = 2)", ""),
      ("all steps (title is not null)", "a c d e f g h"), ("no steps (count > 1)", "b c d e f g h"),
      ("any todo.parent (not done)", "a b"), ("count(todo.parent) > 0", "a b"),
      ("count(todo.parent) = 0", "c d e f g h"), ("price * priority > 10", "b"),
      ("priority + 1 < count(steps)", "c"), ("priority - 1 < count(steps)", "a c"),
      ("priority -1 < count(steps)", "a c"), ("priority-1<count(steps)", "a c"),
      ("-priority = 3", "c"), ("-(priority + 1) * 2 = 4", "c"), ("(priority + 1) * 2 > 5", "b"),
      ("2 * priority >= 2", "a b"), ("priority * price != 0.1", "b c d e f g h"),
      ("due > created_at + 30d", "c"), ("due + 1d > now()", "a c"), ("now() < due + 1 d", "a c"),
      ("year(due) = 2026 and weekday(due) <= 5", "a b"), ("month(due) in (1, 12)", "c"),
      ("day(due) between 10 and 20", "a b"), ("hour(due) = 0", "a b c"),
      ("length(title) = 5", "c"), ("length(tags) = 0", "b"), ("length(title) = 2", "f g"),
      ("lower(title) = 'tea'", "a b"), ("due on 2026-11-20", "a"), ("due on '2026-11-20'", "a"),
      ("due in 2026-11", "a b"), ("due in 2026", "a b"), ("due not in 2026", "c d e f g h"),
      ("due not on 2026-11-20", "b c d e f g h"), ("year(due) is null", "d e f g h"),
      ("year(due) - 2026 = month(due) * 1", "c"), ("title = lower(title)", "b c f g"),
      ("lower(owner.username) like 'a%'", "a"), ("price > priority * 2", "c"),
      ("9223372036854775807 + priority > 0 and priority < 0", "c"),
      ("details.tags is empty", "g"), ("price < priority", "a b"),
      ("day + 1w > now()", "a c"), ("day = now()", "a"), ("now() = day", "a"), ("day < now()", "b"),
      ("day >= now() - 7d", "a b c"), ("day = due", "a"), ("day < due", "c"), ("due < day", "b"),
      ("day > created_at", "c"), ("day in 2026-11", "a b"), ("day on '2026-12-24'", "c"),
      ("day between '2026-11-13' and '2026-11-20'", "a b"), ("weekday(day) = 5", "a b"),
      ("month(day) = 12 and day(day) = 24 and year(day) = 2026", "c"), ("day is null", "d e f g h"),
      ("days = '2024-02-29'", "b"), ("days contains '2026-11-13'", "b"), ("days is empty", "c"),
      ("days < day", "b"), ("days = day", "b"), ("length(days) = 2", "b"),
      ("\"in\" = 'x'", "c"), ("not (done or priority > 3)", "c d e f g h"),
      (
        """
        title like 'T%' and (done = true or due < now() - 7d) and owner.username in ('ann', 'bob')
        """, "a"
      ),
    ])
  func example(text: String, ids: String) throws {
    #expect(try Records.todos().ids("todo", where: text) == ids)
  }
}
