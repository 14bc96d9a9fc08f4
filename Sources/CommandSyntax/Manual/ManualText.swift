/// The text of a manual page in mdoc(7) format, appended macro by macro.
struct ManualText {
  private(set) var text = ""

  init(_ name: ManualName, date: String, summary: String) {
    macro("Dd", date)
    macro("Dt", name.name.uppercased(), "\(name.section)")
    macro("Os")
    macro("Sh", "NAME")
    macro("Nm", name.name)
    macro(
      "Nd", ManualSyntax.arguments(summary.hasSuffix(".") ? String(summary.dropLast()) : summary))
  }

  /// Appends a macro line. The arguments must be escaped.
  mutating func macro(_ name: String, _ arguments: String...) {
    text += ([".\(name)"] + arguments).joined(separator: " ") + "\n"
  }

  /// Appends running text. Each sentence begins on a new line, as mdoc requires.
  mutating func running(_ source: String) {
    var line = ""
    for word in InlineText(source).words {
      let styled = ManualSyntax.styled(word)
      if !line.isEmpty, line.utf8.count + 1 + styled.utf8.count > 79 {
        write(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + styled
      if let end = word.last?.text.last, ".?!".contains(end) {
        write(line)
        line = ""
      }
    }
    if !line.isEmpty {
      write(line)
    }
  }

  /// Appends a list of terms with their definitions. The terms must be escaped.
  mutating func list(_ rows: [Definition]) {
    macro("Bl", "-tag", "-width", "Ds")
    for row in rows {
      macro("It", row.term)
      running(row.meaning)
    }
    macro("El")
  }

  mutating func blocks(_ blocks: [Block]) {
    var needsParagraph = false
    for block in blocks {
      switch block {
      case .heading(let title):
        macro("Ss", ManualSyntax.arguments(title))
      case .paragraph(let text):
        if needsParagraph {
          macro("Pp")
        }
        running(text)
      case .list(let points):
        macro("Bl", "-bullet")
        for point in points {
          macro("It")
          running(point)
        }
        macro("El")
      case .definitions(let definitions):
        list(definitions.map { Definition(ManualSyntax.arguments($0.term), $0.meaning) })
      case .table(let header, let rows):
        table(header: header, rows: rows)
      case .literal(let text):
        literal(text)
      }
      if case .heading = block { needsParagraph = false } else { needsParagraph = true }
    }
  }

  private mutating func table(header: [String], rows: [[String]]) {
    let widths = header.indices.map { column in
      ([header] + rows).map { InlineText($0[column]).plain }.max { $0.count < $1.count } ?? ""
    }
    macro(
      "Bl", "-column", "-offset", "indent", widths.map(ManualSyntax.quoted).joined(separator: " "))
    for row in [header.map { "`\($0)`" }] + rows {
      macro("It", row.map(ManualSyntax.arguments).joined(separator: " Ta "))
    }
    macro("El")
  }

  private mutating func literal(_ source: String) {
    macro("Bd", "-literal", "-offset", "indent")
    for line in source.split(separator: "\n", omittingEmptySubsequences: false).trimmed {
      write(ManualSyntax.escaped(String(line)))
    }
    macro("Ed")
  }

  /// Appends a line of text. A leading period is escaped, so that it is not a macro.
  private mutating func write(_ line: String) {
    text += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
  }
}
