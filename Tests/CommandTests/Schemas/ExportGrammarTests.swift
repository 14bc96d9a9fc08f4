import Foundation
import ProgramHarness
import Testing

/// Tests of export formats for which no parser is installed. They check the syntax of each line,
/// also with unusual names, docs and values.
@Suite("Syntax of exports")
struct ExportGrammarTests {
  private func lines(_ format: String, _ model: Model) throws -> [String] {
    try TestFolder().run("schema", "export", "--format", format, "--from", model.directory).exits(0)
      .lines
  }

  @Test(
    "writes only entities, attributes and relations in a Mermaid export", arguments: Model.allCases)
  func mermaid(_ model: Model) throws {
    let lines = try lines("mermaid", model)
    #expect(lines.first == "erDiagram")
    let entity = /[ ]{2}"[a-z][a-z0-9_]*" \{|[ ]{2}\}/
    let attribute =
      /[ ]{4}[a-z][a-z0-9_]*(\[\])? [a-z][a-z0-9_]*( (PK|FK|UK)(, (FK|UK))?)?( "required")?/
    let relation =
      /[ ]{2}"[a-z][a-z0-9_]*" (\|o|\}o)--(o\||\|\||o\{) "[a-z][a-z0-9_]*" : "[a-z][a-z0-9_]*"/
    for line in lines.dropFirst() {
      let isKnown =
        line.wholeMatch(of: entity) != nil || line.wholeMatch(of: attribute) != nil
        || line.wholeMatch(of: relation) != nil
      #expect(isKnown, "\(line)")
    }
  }

  @Test(
    "writes complete Markdown table rows without HTML except code elements",
    arguments: Model.allCases
  )
  func markdown(_ model: Model) throws {
    var columns = 0
    for line in try lines("markdown", model) {
      let bars = line.replacing(/\\\\/, with: "").replacing(/\\\|/, with: "").count { $0 == "|" }
      if line.hasPrefix("|") {
        if columns > 0 { #expect(bars == columns, "\(line)") }
        columns = bars
      } else {
        columns = 0
        #expect(bars == 0, "\(line)")
      }
      let tags = line.replacing(/`[^`]*`/, with: "").replacing(/<\/?code>/, with: "")
      #expect(!tags.contains("<"), "\(line)")
    }
  }

  @Test("keeps hostile doc texts and values inside comments and strings in a TypeScript export")
  func typeScript() throws {
    let text = try lines("typescript", .odd).joined(separator: "\n")
    let code = text.replacing(
      /\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"/, with: "")
    for trace in ["Hostile", "alert", "*/", "/*", "\"", "`", "<b>"] {
      #expect(!code.contains(trace), "\(trace)")
    }
    #expect(code.contains("export interface XYZ {"))
  }

  @Test("writes no invisible characters in exports")
  func hidden() throws {
    for format in ["sql", "swift", "typescript", "markdown", "mermaid", "dot"] {
      let text = try lines(format, .odd).joined()
      let hidden = text.unicodeScalars.filter { $0.value < 0x20 || $0.value == 0x2028 }
      #expect(hidden.isEmpty, "\(format)")
    }
  }
}
