import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: robustness")
struct SturdyTests {
  @Test(
    "contract 51: 40 concurrent saves lose nothing, and scarce resources are handled",
    arguments: Subject.allCases)
  func hardTimes(_ subject: Subject) throws {
    try subject.keeps(51) { place in
      try place.declareTodos()
      var children: [Child] = []
      for number in 1...40 {
        children.append(
          try place.program.start(["save", "todo", "n\(number)", "title=t", "-o", "none"]))
      }
      for child in children {
        try child.finish().exits(0)
      }
      guard try place.todoCount == 40 else { throw Violation("\(try place.todoCount) of 40") }
      try place.checkStore()

      let small = place.program.behind(["/bin/sh", "-c", "ulimit -v 150000; exec \"$@\"", "sh"])
      try small.run(["list", "todo", "--count"]).exits(0).prints("40\n")
      let jump = place.program.behind(["/bin/sh", "-c", "exec \"$@\"", "sh"])
      try jump.run(
        ["save", "todo", "--keep-system-fields", "-o", "none"],
        input: .text(
          """
          {"todo_id":"n1","title":"t","created_at":"2090-01-01T00:00:00Z",\
          "modified_at":"2090-01-01T00:00:00Z","revision":7}
          """)
      ).exits(0)
      try jump.run(["save", "todo", "n1", "title=changed", "-o", "none"]).exits(0)
      let changed = try jump.run(["get", "todo", "n1"]).exits(0)
      try changed.holds(
        changed.output.contains("\"modified_at\":\"2090-01-01T00:00:00.000Z\"")
          && changed.output.contains("\"revision\":8"), "a time that never goes back was expected")
    }
  }

  @Test("contract 52: connects to no address except the store's", arguments: Subject.withoutServer)
  func noTelemetry(_ subject: Subject) throws {
    try subject.keeps(52) { place in
      try place.keepTodos()
      let commands = [
        ["save", "todo", "a", "title=x"], ["get", "todo", "a"], ["list", "todo"], ["help"],
        ["--version"], ["delete", "todo", "b"], ["schema", "show", "todo"], ["nothing"],
      ]
      for command in commands {
        let traced = place.program.behind([
          "/usr/bin/strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", "calls.txt",
        ])
        _ = try traced.run(command)
        let calls = String(decoding: try place.bytes("calls.txt"), as: UTF8.self)
          .components(separatedBy: "\n").filter { $0.contains("(") && !$0.contains("SIG") }
        guard calls.isEmpty else { throw Violation("\(command) made the calls \(calls)") }
      }
    }
  }

  @Test(
    "contract 53: machine formats do not change", arguments: Subject.allCases)
  func golden(_ subject: Subject) throws {
    try subject.keeps(53) { place in
      try GoldenOutput.prepare(place)
      for (name, words) in GoldenOutput.commands {
        let run = try place.program.run(words).exits(0)
        try GoldenOutput.compare(run, with: name, in: place)
      }
    }
  }
}
