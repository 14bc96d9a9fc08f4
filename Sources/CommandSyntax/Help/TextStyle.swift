/// Whether text may contain terminal escape codes.
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
