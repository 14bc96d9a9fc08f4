import DataServer
import Synchronization
import Testing

@Suite("The interruption of a request")
struct InterruptionTests {
  @Test("calls an interruption handler at the interruption, or at once if already interrupted")
  func once() {
    let interruption = Interruption<Int>()
    let calls = Atomic(0)
    interruption.set { calls.add(1, ordering: .relaxed) }
    #expect(interruption.reason == nil)
    #expect(interruption.interrupt(1) && !interruption.interrupt(2))
    var count = calls.load(ordering: .relaxed)
    #expect(interruption.reason == 1 && count == 1)
    interruption.set { calls.add(1, ordering: .relaxed) }
    count = calls.load(ordering: .relaxed)
    #expect(count == 2)
  }

  private final class Flags: Sendable {
    let isRemoved = Atomic(false)
    let wasLate = Atomic(false)
  }

  @Test("never runs a removed interruption handler, even when another thread interrupts meanwhile")
  func removal() async {
    for _ in 0..<2_000 {
      let interruption = Interruption<Int>()
      let flags = Flags()
      interruption.set {
        // The other thread gets time to remove the closure.
        for _ in 0..<1_000 where flags.isRemoved.load(ordering: .sequentiallyConsistent) {
          flags.wasLate.store(true, ordering: .sequentiallyConsistent)
        }
      }
      await withTaskGroup { group in
        group.addTask { _ = interruption.interrupt(1) }
        group.addTask {
          interruption.set(nil)
          flags.isRemoved.store(true, ordering: .sequentiallyConsistent)
        }
      }
      let isLate = flags.wasLate.load(ordering: .sequentiallyConsistent)
      #expect(!isLate)
    }
  }
}
