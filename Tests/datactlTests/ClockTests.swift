import DataModel
import Platform
import Testing

@Suite("Clock")
struct ClockTests {
  @Test(
    "rejects a clock that returns a time outside the years 1 to 9999",
    arguments: [Int64.max, .min, Timestamp.latest.microseconds + 1])
  func outOfRange(clock: Int64) async throws {
    let session = try TestSession()
    for line in ["schema create todo title:text", "schema create user --user"] {
      #expect(await session.run(line).status == 0)
    }
    for line in [
      "save todo title=tea", "list todo --where created_at<now()", "delete todo --all -y",
    ] {
      let outcome = await session.run(line, clock: clock)
      #expect(
        outcome
          == Outcome(
            status: 1, output: "",
            errors: """
              datactl: the system clock is set to a time outside the years 1 to 9999
                set the system clock to the current time

              """), "\(line)")
    }
    #expect(await session.run("list todo --count").output == "0\n")
  }

  @Test("returns the maximum or minimum number of microseconds when the clock is out of range")
  func conversion() {
    #expect(SystemClock.microseconds(seconds: 1, nanoseconds: 2_000) == 1_000_002)
    #expect(SystemClock.microseconds(seconds: .max, nanoseconds: 999_999_999) == .max)
    #expect(SystemClock.microseconds(seconds: .min, nanoseconds: 0) == .min)
  }
}
