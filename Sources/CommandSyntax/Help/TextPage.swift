/// A page of help text, wrapped at a given width.
struct TextPage {
  let width: Int
  let style: TextStyle
  private(set) var text = ""

  /// Creates an empty page. A width of less than 40 columns is treated as 40, and a width of more
  /// than 80 as 80.
  init(width: Int, style: TextStyle) {
    self.width = min(max(width, 40), 80)
    self.style = style
  }

  /// Appends an empty line and a section heading.
  mutating func section(_ title: String) {
    blank()
    text += style.heading("\(title):") + "\n"
  }

  mutating func blank() {
    if !text.isEmpty {
      text += "\n"
    }
  }

  mutating func line(_ line: String, indent: Int = 0) {
    text += line.isEmpty ? "\n" : spaces(indent) + line + "\n"
  }

  mutating func paragraph(_ source: String, indent: Int = 0, hanging: Int = 0) {
    let lines = wrapped(InlineText(source), width: width - indent, later: hanging)
    for (index, line) in lines.enumerated() {
      self.line(line, indent: index == 0 ? indent : indent + hanging)
    }
  }

  /// Appends a list with terms in the first column and definitions in the second. If a term is too
  /// long for its column, its definition begins on the next line.
  mutating func definitions(_ rows: [Definition], indent: Int = 2) {
    let lengths = rows.map { InlineText($0.term).plain.count }
    let column = min(lengths.filter { $0 <= 24 }.max() ?? 0, 24) + 2
    for row in rows {
      let term = InlineText(row.term)
      let lines = wrapped(InlineText(row.meaning), width: width - indent - column)
      let gap = column - term.plain.count
      var rest = lines[...]
      let first = gap >= 2 ? spaces(gap) + (rest.popFirst() ?? "") : ""
      line(styled(term) + first, indent: indent)
      for part in rest {
        line(part, indent: indent + column)
      }
    }
  }

  /// Appends a table. Text in the last column is wrapped to the remaining width.
  mutating func table(header: [String], rows: [[String]], indent: Int = 2) {
    let widths = header.indices.map { column in
      ([header] + rows).map { InlineText($0[column]).plain.count }.max() ?? 0
    }
    let fixed = widths.dropLast().reduce(indent) { $0 + $1 + 2 }
    for (index, row) in ([header] + rows).enumerated() {
      let cells = zip(row, widths).dropLast().map { cell, width in
        let cell = InlineText(cell)
        return styled(cell, all: index == 0) + spaces(width + 2 - cell.plain.count)
      }
      let last = InlineText(row.last ?? "")
      var lines = wrapped(last, width: max(width - fixed, 16), all: index == 0)[...]
      line(cells.joined() + (lines.popFirst() ?? ""), indent: indent)
      for part in lines {
        line(part, indent: fixed)
      }
    }
  }

  /// Returns the lines of a text, wrapped at spaces.
  ///
  /// - Parameters:
  ///   - width: The maximum number of columns of the first line.
  ///   - hanging: The number of columns by which the further lines are shorter than the first.
  ///   - all: Whether the whole text is styled as literal text.
  private func wrapped(
    _ text: InlineText, width: Int, later hanging: Int = 0, all: Bool = false
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.words {
      let wordLength = word.reduce(0) { $0 + $1.text.count }
      let available = lines.isEmpty ? width : width - hanging
      if length > 0, length + 1 + wordLength > available {
        lines.append(line)
        (line, length) = ("", 0)
      }
      if length > 0 {
        line += " "
        length += 1
      }
      line += styled(word, all: all)
      length += wordLength
    }
    return length > 0 ? lines + [line] : lines
  }

  private func styled(_ text: InlineText, all: Bool = false) -> String {
    styled(text.parts, all: all)
  }

  private func styled(_ parts: [InlineText.Part], all: Bool) -> String {
    parts.map { $0.isLiteral || all ? style.strong($0.text) : $0.text }.joined()
  }

  private func spaces(_ count: Int) -> String {
    String(repeating: " ", count: count)
  }
}

extension TextPage {
  /// Appends blocks of text. Before each block, except the first one after a heading, there is an
  /// empty line.
  mutating func blocks(_ blocks: [Block]) {
    var followsHeading = false
    for block in blocks {
      if case .heading(let title) = block {
        section(title)
        followsHeading = true
        continue
      }
      if !followsHeading {
        blank()
      }
      followsHeading = false
      self.block(block)
    }
  }

  private mutating func block(_ block: Block) {
    switch block {
    case .heading(let title): section(title)
    case .paragraph(let text): paragraph(text)
    case .list(let points):
      for point in points {
        paragraph("- " + point, indent: 2, hanging: 2)
      }
    case .definitions(let definitions): self.definitions(definitions)
    case .table(let header, let rows): table(header: header, rows: rows)
    case .literal(let text): literal(text)
    }
  }

  private mutating func literal(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).trimmed {
      self.line(String(line), indent: 4)
    }
  }
}

extension [Substring] {
  /// The lines without the empty lines at the end.
  var trimmed: ArraySlice<Substring> {
    dropLast(reversed().prefix(while: \.isEmpty).count)
  }
}

/// The style of text: plain, or with terminal escape codes.
package enum TextStyle: Sendable {
  case plain
  /// Headings and literal text are bold.
  case bold

  func heading(_ text: String) -> String {
    strong(text)
  }

  func strong(_ text: String) -> String {
    switch self {
    case .plain: text
    case .bold: "\u{1B}[1m\(text)\u{1B}[22m"
    }
  }
}
