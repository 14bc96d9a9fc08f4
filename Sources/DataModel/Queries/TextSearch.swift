/// A substring search in linear time (Knuth-Morris-Pratt).
struct TextSearch: Sendable {
  private let sought: [UInt8]
  /// For each prefix of the searched text, the length of its longest proper prefix that is also its
  /// suffix.
  private var borders = [0]

  init(_ text: String) {
    sought = Array(text.utf8)
    var border = 0
    for place in sought.indices.dropFirst() {
      while border > 0, sought[place] != sought[border] { border = borders[border - 1] }
      if sought[place] == sought[border] { border += 1 }
      borders.append(border)
    }
  }

  func isPart(of text: Span<UInt8>) -> Bool {
    if sought.isEmpty { return true }
    var matched = 0
    for place in text.indices {
      while matched > 0, text[place] != sought[matched] { matched = borders[matched - 1] }
      if text[place] == sought[matched] { matched += 1 }
      if matched == sought.count { return true }
    }
    return false
  }
}
