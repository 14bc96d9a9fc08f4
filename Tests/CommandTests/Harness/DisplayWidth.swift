import Foundation

/// The width of texts in terminal columns. Only the characters that the tests use are supported.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    var width = 0
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" {
        isEscape = true
      } else if isEscape {
        isEscape = !scalar.properties.isAlphabetic
      } else {
        width += columns(scalar)
      }
    }
    return width
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    default:
      (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xFE6F).contains(scalar.value)
        || (0x1F300...0x1FAFF).contains(scalar.value) ? 2 : 1
    }
  }
}
