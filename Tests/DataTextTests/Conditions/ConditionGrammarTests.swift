import Testing

@Suite("Conditions: syntax errors")
struct ConditionGrammarTests {
  @Test("reports the position and what was expected", arguments: Complaint.all(in: text))
  func refused(complaint: Complaint) throws {
    #expect(try Shop().complaint(complaint.condition) == complaint.text)
  }

  private static let text = #"""
    no operator lik
    title lik 'A%'
          ^
    did you mean like?

    expected "and" or "or", found "an"
    title = 'tea' an done
                  ^
    did you mean and?

    the text that begins here has no end: ' is missing
    title = 'tea
            ^

    expected now(), found "now"
    due > now - 7d
          ^

    expected now(), found "NOW"
    (NOW + 1h < due)
     ^

    expected a length of time, found 7
    due > now() - 7
                  ^
    write a length of time in s, m, h, d or w: now() - 7d

    there is no unit y
    due > now() - 7y
                  ^
    s, m, h, d and w are small letters, and m is minutes; for months write days: now() - 180d

    there is no unit M
    due > now() - 6M
                  ^
    s, m, h, d and w are small letters, and m is minutes; for months write days: now() - 180d

    there is no unit D
    due > now() - 7 D
                  ^
    s, m, h, d and w are small letters, and m is minutes; for months write days: now() - 180d

    a length of time is a whole number
    due > now() - 1.5h
                  ^
    write a length of time in s, m, h, d or w: now() - 7d

    expected a value, found 7d
    due > 7d
          ^
    a length of time is added to now(): now() - 7d

    expected a value, found )
    title in ()
              ^

    expected a comma or ), found text "b"
    title in ('a' 'b')
                  ^

    expected (, found text "a"
    title in 'a'
             ^

    expected km, mi or m, found of
    place within 5 of (1, 2)
                   ^

    expected km, mi or m, found KM
    place within 5 KM of (1, 2)
                   ^

    expected km, mi or m, found yd
    place within 5 yd of (1, 2)
                   ^

    expected a comma, found )
    place within box (1, 2, 3)
                             ^

    expected "null", "not null" or "empty", found "empt"
    tags is empt
            ^

    there is no function lower
    lower(title) = 'x'
    ^
    the only one is now()

    there is no function today
    due > today()
          ^
    the only one is now()

    there is no function date
    due between now() and now() and due > date('2026-11-20')
                                          ^
    the only one is now()

    no operator ==
    title == 'x'
          ^
    did you mean =?

    no operator &&
    title = 'x' && done
                ^
    did you mean and?

    no operator !
    !done
    ^
    did you mean not?

    no operator !
    title ! 'x'
          ^
    did you mean not?

    expected "and", "or" or ), found the end
    (title = 'x'
                ^

    this ) closes nothing
    title = 'x')
               ^

    expected a field or a value, found the end
    title = 'x' or
                  ^

    expected a field or a value, found "and"
    and
    ^
    a field of this name stands in double quotes: "and"

    no operator not
    title not 'x'
          ^
    did you mean not in?

    expected a field or a value, found the end
    not
       ^

    expected a field or a value, found the end
    title =
           ^

    two values are compared, and no field
    5 = 5
    ^

    ; is no part of a condition
    title = 'x'; drop table todo
               ^

    expected "and" or "or", found -
    title = 'x' -- comment
                ^

    expected "and" or "or", found "title"
    title = 'a' title = 'b'
                ^

    expected a field or a value, found "in"
    in = 'x'
    ^
    a field of this name stands in double quotes: "in"

    expected "and", found "or"
    title between 'a' or 'b'
                      ^

    a number has no zeros before it
    007 = priority
    ^

    expected a field or a value, found +
    priority = +5
               ^

    a parameter's name follows the colon directly: :name
    a.b.c = :
            ^

    no % is expected here
    title = %
            ^
    a parameter by position is %?

    $ is no part of a condition
    title = $1
            ^

    é is no part of a condition
    tité = 5
       ^

    the time is too long
    due = now() + 99999999w
                  ^

    the time is too long
    due = now() + 9999999999999999w
                  ^

    expected "null", "not null" or "empty", found "nul"
    title is nul
             ^

    expected "null" or "empty", found the end
    title is not
                ^

    expected a value, found the end
    title like
              ^

    expected a value, found the end
    title between 'a' and
                         ^

    two values are compared, and no field
    true = 5
    ^
    """#
}
