/// A text that can have any size, such as `[«"a#"¦,»]`: the part in `«»` is repeated. `#` is the
/// number of the repetition, and `¦` precedes the separator of the repetitions.
struct SizedText: ExpressibleByStringLiteral {
  let pattern: String

  init(_ pattern: String) {
    self.pattern = pattern
  }

  init(stringLiteral pattern: String) { self.init(pattern) }

  /// Returns the text with repetitions of about the given size in bytes, or with one repetition of
  /// each part if the size is smaller.
  func text(_ size: Int) -> String {
    let parts = pattern.split(separator: "«", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      let halves = part.split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
      let unit = halves[0].split(separator: "¦", omittingEmptySubsequences: false)
      let repeated = Self.repeated(
        unit[0], size / (parts.count - 1), separator: unit.dropFirst().first ?? "")
      return text + repeated + halves[1]
    }
  }

  private static func repeated(
    _ unit: Substring, _ size: Int, separator: Substring
  ) -> String {
    let pieces = unit.split(separator: "#", omittingEmptySubsequences: false)
    var text = ""
    var number = 0
    repeat {
      if number > 0 { text += separator }
      text += pieces.joined(separator: "\(number)")
      number += 1
    } while text.utf8.count < size
    return text
  }
}
