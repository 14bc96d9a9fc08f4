import JSONText

/// Formats values for error messages. Long text is truncated, and control characters are escaped.
package enum Excerpt {
  /// The maximum number of Unicode scalars in an excerpt. Longer text is truncated.
  static let maxLength = 60
  /// The number of bytes of a long text in which passwords are searched.
  private static let searchedSize = 1 << 10

  /// Returns UTF-8 text in quotation marks, truncated after 60 Unicode scalars and with control
  /// characters escaped.
  package static func quoted(_ bytes: Span<UInt8>) -> String {
    let head = bytes.extracting(first: maxLength * 4 + 4)
    let text = Secrets.redacted(
      inText: String(decoding: head), isTruncated: head.count < bytes.count)
    return quoted(text)
  }

  /// Returns the text in quotation marks, truncated after 60 Unicode scalars and with control
  /// characters escaped.
  package static func quoted(_ text: String) -> String {
    "\"\(truncated(text))\""
  }

  /// Returns the text, truncated after 60 Unicode scalars and with control characters escaped.
  ///
  /// Secrets are redacted before the text is truncated: a password in an address is recognized by
  /// the `@` that follows it, which truncation may remove.
  package static func truncated(_ text: String) -> String {
    let head = text.utf8.prefix(searchedSize)
    let isCut = head.endIndex < text.utf8.endIndex
    let searched = isCut ? String(decoding: head, as: UTF8.self) : text
    let scalars = Secrets.redacted(inText: searched, isTruncated: isCut).unicodeScalars
    let shown = escaped(String(String.UnicodeScalarView(scalars.prefix(maxLength))))
    return scalars.count > maxLength ? shown + "…" : shown
  }

  /// Returns the first and the last characters of a long word, with an ellipsis between them. The
  /// last characters are usually the most informative part of a path.
  static func withoutMiddle(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
    String.UnicodeScalarView(word.prefix(maxEndLength)) + ["…"] + word.suffix(maxEndLength)
  }

  private static let maxEndLength = 48

  /// Returns a list of the first 20 choices, separated by commas, and the number of further
  /// choices, such as `red, green and 7 more`.
  package static func choices(_ choices: some Collection<String>) -> String {
    let omitted = choices.count - maxChoices
    let shown = choices.prefix(maxChoices).joined(separator: ", ")
    return omitted > 0 ? "\(shown) and \(omitted.grouped) more" : shown
  }

  private static let maxChoices = 20

  /// Returns the text with control and invisible characters escaped as in JSON (`\u001b`).
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) {
        let digits = String(scalar.value, radix: 16)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether the scalar is a control character or an invisible formatting character. Such
  /// characters could control a terminal or mislead a reader.
  package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension Value {
  /// The value as shown in error messages. Long text is truncated, and only the first five elements
  /// of a list are shown.
  package var display: String {
    switch self {
    case .null: "null"
    case .text(let text): Excerpt.quoted(text)
    case .integer, .number, .decimal, .boolean, .date, .datetime: text
    case .geopoint(let point): "(\(point.latitude), \(point.longitude))"
    case .file(let file): "file " + Excerpt.quoted(file.name)
    case .json(let text): Excerpt.quoted(text)
    case .list(let values): "[\(values.prefix(5).map(\.display).joined(separator: ", "))]"
    }
  }
}
