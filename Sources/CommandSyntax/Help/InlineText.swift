/// Text with literal parts, such as `--store`, which are enclosed in backquotes in the source text.
struct InlineText {
  /// A piece of the text in one style: either literal, such as `--store`, or prose.
  struct Part: Equatable {
    var text: String
    let isLiteral: Bool
  }

  let parts: [Part]

  init(_ source: String) {
    let pieces = source.split(separator: "`", omittingEmptySubsequences: false)
    parts = pieces.enumerated().compactMap { index, piece in
      piece.isEmpty ? nil : Part(text: String(piece), isLiteral: !index.isMultiple(of: 2))
    }
  }

  /// The text of all parts, without backquotes.
  var plain: String { parts.map(\.text).joined() }

  /// The words of the text. Each word consists of one or more parts with no space between them.
  var words: [[Part]] {
    var words: [[Part]] = [[]]
    for part in parts {
      let pieces = part.text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }
      for (index, piece) in pieces.enumerated() {
        if index > 0 {
          words.append([])
        }
        if !piece.isEmpty {
          words[words.count - 1].append(Part(text: String(piece), isLiteral: part.isLiteral))
        }
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
