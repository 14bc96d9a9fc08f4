import TestSupport
import Testing

@Suite("Conditions: type errors")
struct ConditionMeaningTests {
  @Test(
    "reports the position of an unknown name and suggests the most similar one",
    arguments: ExpectedError.all(in: goldenText("condition-type-errors.txt")))
  func refused(expected: ExpectedError) throws {
    let parameters = ["name": "x", "1": "y"]
    #expect(try Shop().errorText(expected.condition, parameters) == expected.text)
  }

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

  @Test("shows the line of a condition that contains the error, shortened around the error")
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
