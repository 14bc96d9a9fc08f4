/// A substring search in linear time (Knuth-Morris-Pratt).
struct TextSearch: Sendable {
  private let needle: [UInt8]
  /// For each prefix of the searched text, the length of its longest proper prefix that is also its
  /// suffix.
  private var borders = [0]

  init(_ text: String) {
    needle = Array(text.utf8)
    var border = 0
    for index in needle.indices.dropFirst() {
      while border > 0, needle[index] != needle[border] { border = borders[border - 1] }
      if needle[index] == needle[border] { border += 1 }
      borders.append(border)
    }
  }

  func isPart(of text: Span<UInt8>) -> Bool {
    if needle.isEmpty { return true }
    var matched = 0
    for index in text.indices {
      while matched > 0, text[index] != needle[matched] { matched = borders[matched - 1] }
      if text[index] == needle[matched] { matched += 1 }
      if matched == needle.count { return true }
    }
    return false
  }
}
