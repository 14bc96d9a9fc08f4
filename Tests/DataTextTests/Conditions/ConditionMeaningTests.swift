import Testing

@Suite("Conditions: type errors")
struct ConditionMeaningTests {
  @Test(
    "reports the position of an unknown name and suggests the most similar one",
    arguments: ExpectedError.all(in: text))
  func refused(expected: ExpectedError) throws {
    let parameters = ["name": "x", "1": "y"]
    #expect(try Shop().errorText(expected.condition, parameters) == expected.text)
  }

  private static let text = #"""
    todo has no field titel
    titel = 'tea'
    ^
    did you mean title?

    todo has no field tea
    title = tea
            ^
    write text in single quotes: 'tea'

    todo has no field tea
    title = "tea"
            ^
    write text in single quotes: 'tea'

    todo has no field now
    due > now
          ^
    did you mean now()?

    due: expected datetime, found text "soon"
    due = 'soon'
          ^
    write 2026-11-20T03:05:00Z, or 2026-11-20 for midnight UTC

    due: the datetime has no UTC offset: "2026-11-20T03:05:00"
    due < '2026-11-20T03:05:00'
          ^
    add Z for UTC, or an offset such as +01:00

    done: expected true or false, found 5
    done = 5
           ^

    done: expected true or false, found text "true"
    done = 'true'
           ^
    write the value without quotes

    priority: expected an integer, found text "5"
    priority = '5'
               ^
    write the value without quotes

    priority: expected an integer, found 5.5
    priority = 5.5
               ^

    priority: expected a 64-bit integer, found 99999999999999999999
    priority = 99999999999999999999
               ^

    price: 1e999 exceeds the range of a number
    price = 1e999
            ^

    title: expected text, found 5
    title = 5
            ^
    write text in single quotes: '5'

    cannot compare with null
    title = null
            ^
    write "title is null"

    cannot compare with null
    title in ('a', null)
                   ^
    write "title is null"

    user has no field titel
    owner.titel = 'x'
          ^
    see datactl schema show user

    owner.username is an id, which has no parts
    owner.username.x = 'x'
                   ^

    todo has no field ownr
    ownr.username = 'x'
    ^
    did you mean owner?

    place is a geopoint and has no lad, only lat, lon
    place.lad = 5
          ^

    photo is a file and has no colour, only name, type, size, sha256
    photo.colour = 'x'
          ^

    photo is a file, which cannot be compared
    photo = 'x'
    ^
    compare its name, type, size or sha256: photo.name

    place is a geopoint, which has no order
    place < (1, 2)
          ^
    use within D km of (LAT, LON), within box (S, W, N, E), or place.lat

    place: expected a point, such as (47.37, 8.54), found text "x"
    place = 'x'
            ^

    a distance cannot be negative
    place within -5 km of (1, 2)
                 ^

    expected a latitude from -90 to 90, found 91
    place within 5 km of (91, 2)
                          ^

    the center: expected a point, such as (47.37, 8.54), found 47
    place within 5 km of 47
                         ^

    expected a point, such as (47.37, 8.54), found two numbers
    place within 5 km of 47.37,8.54
                         ^
    write latitude and longitude in parentheses

    the southern edge of the box is north of its northern edge
    place within box (10, 0, -10, 0)
                      ^
    write a box as (SOUTH, WEST, NORTH, EAST)

    "within" cannot be used with title, which is text
    title within 5 km of (1, 2)
          ^

    "like" cannot be used with priority, which is an integer
    priority like 'a%'
             ^

    the pattern ends with an unescaped \
    title like 'a\'
               ^
    write \\ for a literal \

    "contains" cannot be used with price, which is a number
    price contains 5
          ^

    "is empty" cannot be used with title, which is text
    title is empty
          ^
    did you mean "is null"?

    steps is a to-many relation, which is never null
    steps is null
          ^
    use "is empty"

    steps is a to-many relation, which is never null
    steps is not null
          ^
    use "is not empty"

    title is text, which is not a condition by itself
    title
    ^
    add a comparison, such as "title is not null"

    title is text, which is not a condition by itself
    title and done
    ^
    add a comparison, such as "title is not null"

    cannot compare priority, which is an integer, with title, which is text
    priority = title
               ^

    steps.count may have several values and cannot be on the right side of a comparison
    priority = steps.count
               ^
    swap the sides, or compare with a single value

    details is json, which can be compared with a value, but not with a field
    details = title
            ^

    title is text, which has no parts
    title.x = 5
          ^

    details.color: expected text, a number, true, false or json '…', found a datetime
    details.color = now()
                    ^

    details: not valid JSON: expected a value
    details = json '{"a":}'
              ^

    cannot compare with null
    details = json 'null'
              ^
    write "details is null"

    todo has no field Title
    Title = 'x'
    ^
    did you mean title?

    the parameter nam is missing
    title = :nam
            ^
    did you mean :name?

    the parameter 2 is missing
    title = %? and note = %?
                          ^
    pass --param 2=VALUE

    priority: expected an integer, found text "x"
    priority in (1, 2, 'x')
                       ^

    sizes: expected an integer, found text "x"
    sizes = 'x'
            ^

    todo has no field json
    json = 5
    ^
    see datactl schema show todo

    todo has no field now
    now = 5
    ^
    did you mean now()?

    todo has no field NOW
    NOW < due
    ^
    did you mean now()?

    details: 1e999 exceeds the range of a number
    details = 1e999
              ^
    """#

  @Test("reports all errors of a condition at once")
  func many() throws {
    #expect(
      try Shop().errorText("titel = 5 and pric = 'x' and done = 7") == """
        todo has no field titel
        titel = 5 and pric = 'x' and done = 7
        ^
        did you mean title?
        todo has no field pric
        titel = 5 and pric = 'x' and done = 7
                      ^
        did you mean price?
        done: expected true or false, found 7
        titel = 5 and pric = 'x' and done = 7
                                            ^
        """)
  }

  @Test("shows the line with the error, shortened to the text around the position")
  func lines() throws {
    #expect(
      try Shop().errorText("note is not null\nand title = 'x'\nand prority = 5") == """
        todo has no field prority
        and prority = 5
            ^
        did you mean priority?
        """)
    let long = Array(repeating: "title = 'x'", count: 10).joined(separator: " and ")
    #expect(
      try Shop().errorText("\(long) and prority = 5 and \(long)") == """
        todo has no field prority
        …and title = 'x' and title = 'x' and prority = 5 and title = 'x' and titl…
                                             ^
        did you mean priority?
        """)
  }
}
