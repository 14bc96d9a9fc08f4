import ProgramHarness
import TestSupport
import Testing

@Suite("Tasks of the benchmarks")
struct BenchmarkTaskTests {
  @Test("solves the ten benchmark tasks with the same results as SQL")
  func tasks() throws {
    let run = try TestFolder().tool(
      "sh", Binary.file("Tests/Benchmarks/tasks.sh"), Binary.path, "1000", "check")
    #expect(run.output == goldenText("benchmark-tasks.txt"))
  }
}
