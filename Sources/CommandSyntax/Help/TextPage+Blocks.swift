extension TextPage {
  /// Appends blocks, with an empty line before each block that does not follow its heading.
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
  /// The lines without trailing empty lines.
  var trimmed: ArraySlice<Substring> {
    dropLast(reversed().prefix(while: \.isEmpty).count)
  }
}
