import CommandSyntax
import Testing
import datactl

@Suite("Generated documents")
struct GeneratedDocumentTests {
  private let description = Program.declaration.description

  @Test("has the generated pages in man")
  func manual() throws {
    let pages = description.manual(date: Program.date).map { ($0.file, $0.text) }
    try GeneratedFiles.expect(Dictionary(uniqueKeysWithValues: pages), in: "man")
  }

  @Test("has the generated scripts in completions")
  func completions() throws {
    try GeneratedFiles.expect(
      [
        "datactl.bash": description.completionScript(for: .bash),
        "_datactl": description.completionScript(for: .zsh),
        "datactl.fish": description.completionScript(for: .fish),
      ], in: "completions")
  }
}
