/// The text of a manual page in mdoc(7) format, to which macros and running text are appended.
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

  /// Appends a macro line. The arguments must already be escaped.
  mutating func macro(_ name: String, _ arguments: String...) {
    text += ([".\(name)"] + arguments).joined(separator: " ") + "\n"
  }

  /// Appends running text, wrapped at 79 columns. Each sentence begins on a new line, as mdoc
  /// requires.
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

  /// Appends a list of terms with their definitions. The terms must already be escaped.
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
    // Without a width, the last column extends to the right margin, where its text is wrapped.
    let widths = header.indices.dropLast().map { column in
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

  /// Appends a line of text. A leading period is escaped, because mdoc would interpret the line as
  /// a macro.
  private mutating func write(_ line: String) {
    text += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
  }
}

/// Functions that escape text for mdoc(7), so that no word is interpreted as a macro.
enum ManualSyntax {
  /// Escapes text for use as macro arguments, and sets its literal parts in bold.
  static func arguments(_ source: String) -> String {
    let words = InlineText(source).words.map { word in
      let plain = word.map(\.text).joined()
      return (isMacroOrPunctuation(plain) ? "\\&" : "") + styled(word)
    }
    return words.isEmpty ? "\\&" : words.joined(separator: " ")
  }

  /// Escapes and quotes text for use as a single macro argument.
  static func quoted(_ text: String) -> String {
    "\"\(escaped(text))\""
  }

  static func styled(_ word: [InlineText.Part]) -> String {
    word.map { part in
      let text = escaped(part.text)
      return part.isLiteral ? "\\fB\(text)\\fR" : text
    }.joined()
  }

  /// Escapes the characters in text that have a special meaning in mdoc or are not ASCII.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\u{80}"...:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns whether a word must be escaped in the arguments of a macro, because mdoc would
  /// interpret it as another macro or as punctuation.
  private static func isMacroOrPunctuation(_ word: String) -> Bool {
    macros.contains(word) || (word.count == 1 && word.allSatisfy { ".,:;()[]?!|".contains($0) })
  }

  /// The macros that mdoc also recognizes among the arguments of other macros.
  private static let macros = Set(
    """
    Ac Ad An Ao Ap Aq Ar At Bc Bo Bq Brc Bro Brq Bsx Bx Cd Cm Dc Do Dq Dv Dx Ec Em En Eo Er Es Ev \
    Fa Fc Fl Fn Fo Fr Ft Fx Ic In Li Lk Ms Mt Nm No Ns Nx Oc Oo Op Ot Ox Pa Pc Pf Po Pq Qc Ql Qo Qq \
    Sc Sh So Sq St Sx Sy Ta Tn Ux Va Vt Xc Xo Xr
    """.split(separator: " ").map(String.init))
}
