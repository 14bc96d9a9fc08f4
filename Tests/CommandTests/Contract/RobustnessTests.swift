import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: robustness")
struct RobustnessTests {
  @Test(
    "loses no records in 40 concurrent saves, and needs little memory to list many records",
    .contract(51), arguments: Subject.inTier)
  func hardTimes(_ subject: Subject) throws {
    try subject.checkContract(51) { folder in
      try folder.createTodoSchema()
      var children: [Child] = []
      for number in 1...40 {
        children.append(
          try folder.program.start(["save", "todo", "n\(number)", "title=t", "-o", "none"]))
      }
      for child in children {
        try child.finish().exits(0)
      }
      guard try folder.todoCount == 40 else { throw Violation("\(try folder.todoCount) of 40") }
      try folder.checkIntegrity()

      let small = folder.program.prefixed(["/bin/sh", "-c", "ulimit -v 150000; exec \"$@\"", "sh"])
      try small.run(["list", "todo", "--count"]).exits(0).prints("40\n")
      let jump = folder.program.prefixed(["/bin/sh", "-c", "exec \"$@\"", "sh"])
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
      try changed.requires(
        changed.output.contains("\"modified_at\":\"2090-01-01T00:00:00.000Z\"")
          && changed.output.contains("\"revision\":8"), "a time that never goes back was expected")
    }
  }

  @Test(
    "makes no network connection except to the store", .contract(52),
    arguments: Subject.withoutServer)
  func noTelemetry(_ subject: Subject) throws {
    try subject.checkContract(52) { folder in
      try folder.saveTodos()
      let commands = [
        ["save", "todo", "a", "title=x"], ["get", "todo", "a"], ["list", "todo"], ["help"],
        ["--version"], ["delete", "todo", "b"], ["schema", "show", "todo"], ["nothing"],
      ]
      for command in commands {
        let traced = folder.program.prefixed([
          "/usr/bin/strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", "calls.txt",
        ])
        _ = try traced.run(command)
        let calls = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
          .components(separatedBy: "\n").filter { $0.contains("(") && !$0.contains("SIG") }
        guard calls.isEmpty else { throw Violation("\(command) made the calls \(calls)") }
      }
    }
  }

  @Test(
    "prints machine-readable formats that are identical to the golden files", .contract(53),
    arguments: Subject.inTier)
  func golden(_ subject: Subject) throws {
    try subject.checkContract(53) { folder in
      try GoldenOutput.prepare(folder)
      for (name, arguments) in GoldenOutput.commands {
        let run = try folder.program.run(arguments).exits(0)
        try GoldenOutput.compare(run, with: name, in: folder)
      }
    }
  }
}
