import Testing

@Suite("Conditions: syntax errors")
struct ConditionGrammarTests {
  @Test(
    "reports the position of a syntax error and what was expected",
    arguments: ExpectedError.all(in: text))
  func refused(expected: ExpectedError) throws {
    #expect(try Shop().errorText(expected.condition) == expected.text)
  }

  private static let text = #"""
    unknown operator lik
    title lik 'A%'
          ^
    did you mean like?

    expected "and" or "or", found "an"
    title = 'tea' an done
                  ^
    did you mean and?

    unterminated text: the closing ' is missing
    title = 'tea
            ^

    expected now(), found "now"
    due > now - 7d
          ^

    expected now(), found "NOW"
    (NOW + 1h < due)
     ^

    expected a duration, found 7
    due > now() - 7
                  ^
    write a duration in s, m, h, d or w: now() - 7d

    unknown unit y
    due > now() - 7y
                  ^
    use lowercase s, m (minutes), h, d or w; write months as days: now() - 180d

    unknown unit M
    due > now() - 6M
                  ^
    use lowercase s, m (minutes), h, d or w; write months as days: now() - 180d

    unknown unit D
    due > now() - 7 D
                  ^
    use lowercase s, m (minutes), h, d or w; write months as days: now() - 180d

    a duration must be a whole number
    due > now() - 1.5h
                  ^
    write a duration in s, m, h, d or w: now() - 7d

    expected a value, found 7d
    due > 7d
          ^
    add a duration to now(): now() - 7d

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

    unknown function lower
    lower(title) = 'x'
    ^
    the only function is now()

    unknown function today
    due > today()
          ^
    the only function is now()

    unknown function date
    due between now() and now() and due > date('2026-11-20')
                                          ^
    the only function is now()

    unknown operator ==
    title == 'x'
          ^
    did you mean =?

    unknown operator &&
    title = 'x' && done
                ^
    did you mean and?

    unknown operator !
    !done
    ^
    did you mean not?

    unknown operator !
    title ! 'x'
          ^
    did you mean not?

    expected "and", "or" or ), found the end
    (title = 'x'
                ^

    unmatched )
    title = 'x')
               ^

    expected a field or a value, found the end
    title = 'x' or
                  ^

    expected a field or a value, found "and"
    and
    ^
    write a field of this name in double quotes: "and"

    unknown operator not
    title not 'x'
          ^
    did you mean not in?

    expected a field or a value, found the end
    not
       ^

    expected a field or a value, found the end
    title =
           ^

    a comparison needs a field on one side
    5 = 5
    ^

    unexpected ;
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
    write a field of this name in double quotes: "in"

    expected "and", found "or"
    title between 'a' or 'b'
                      ^

    leading zeros in a number
    007 = priority
    ^

    expected a field or a value, found +
    priority = +5
               ^

    expected a parameter name after the colon: :name
    a.b.c = :
            ^

    unexpected %
    title = %
            ^
    write a positional parameter as %?

    unexpected $
    title = $1
            ^

    unexpected é
    tité = 5
       ^

    the duration is too long
    due = now() + 99999999w
                  ^

    the duration is too long
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

    a comparison needs a field on one side
    true = 5
    ^
    """#
}
