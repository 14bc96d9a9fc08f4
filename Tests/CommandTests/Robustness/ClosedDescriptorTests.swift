import ProgramHarness
import Testing

@Suite("Closed standard streams")
struct ClosedDescriptorTests {
  private static let combinations = [
    "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-",
  ]

  @Test(
    "fails at once and loses no data when a required standard stream is closed",
    arguments: combinations)
  func closed(streams: String) throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare("save", "user", "ann", "password@=-", input: .text("canary99"))
    let hasInput = !streams.contains("<")
    let hasOutput = !streams.contains(" >") && !streams.hasPrefix(">")
    let hasErrors = !streams.contains("2>")
    let line = "echo '{\"todo_id\":\"n\",\"title\":\"x\"}' |"

    let save = try folder.shell("\(line) datactl save todo \(streams)")
    #expect((save.status == 0) == (hasInput && hasOutput && hasErrors), "\(save.report)")
    #expect(try folder.todoCount == (hasInput ? 4 : 3))
    for command in ["list todo", "get todo a"] {
      let run = try folder.shell("datactl \(command) \(streams)")
      #expect((run.status == 0) == hasOutput, "\(run.report)")
    }
    let delete = try folder.shell("echo c | datactl delete todo - --quiet \(streams)")
    #expect((delete.status == 0) == hasInput, "\(delete.report)")
    #expect(try folder.todoCount == 3)
    let login = try folder.shell(
      "echo canary99 | datactl login -u ann --password-stdin --quiet \(streams)")
    #expect((login.status == 0) == hasInput, "\(login.report)")
    // Output for a closed stream must not have been written to a file of the store.
    try folder.checkIntegrity()
  }
}
