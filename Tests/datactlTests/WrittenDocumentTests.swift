import CommandSyntax
import Testing
import datactl

@Suite("Documents in the repository")
struct WrittenDocumentTests {
  private let description = Program.declaration.description

  @Test("man has the pages that the program writes")
  func manual() throws {
    let pages = description.manual(date: Program.date).map { ($0.file, $0.text) }
    try WrittenFiles.expect(Dictionary(uniqueKeysWithValues: pages), in: "man")
  }

  @Test("completions has the scripts that the program writes")
  func completions() throws {
    try WrittenFiles.expect(
      [
        "datactl.bash": description.completionScript(for: .bash),
        "_datactl": description.completionScript(for: .zsh),
        "datactl.fish": description.completionScript(for: .fish),
      ], in: "completions")
  }
}
