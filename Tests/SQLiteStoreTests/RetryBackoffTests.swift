import DataStore
import Testing

@Suite("Waiting before a retry")
struct RetryBackoffTests {
  @Test("limits the number of attempts, but not the number of waits for a lock")
  func attempts() async {
    var backoff = RetryBackoff(WriteWait(seconds: 600))
    for _ in 0..<100 {
      #expect(await backoff.pause(counting: false) { _ in })
    }
    for _ in 0..<20 {
      #expect(await backoff.pause { _ in })
    }
    #expect(await !backoff.pause { _ in })
  }

  @Test("waits longer before each later attempt, but at most a quarter of a second")
  func durations() async {
    var backoff = RetryBackoff(WriteWait(seconds: 600))
    for longest in [0.01, 0.02, 0.04, 0.08, 0.16, 0.25, 0.25] {
      var waits: [Double] = []
      #expect(await backoff.pause { waits.append($0) })
      #expect(waits.count == 1 && waits.allSatisfy { 0.001...longest ~= $0 })
    }
  }
}
