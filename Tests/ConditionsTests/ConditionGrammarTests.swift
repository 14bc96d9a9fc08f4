import TestSupport
import Testing

@Suite("Conditions: syntax errors")
struct ConditionGrammarTests {
  @Test(
    "reports the position of a syntax error and what was expected",
    arguments: ExpectedError.all(in: goldenText("condition-syntax-errors.txt")))
  func refused(expected: ExpectedError) throws {
    #expect(try Shop().errorText(expected.condition) == expected.text)
  }
}
