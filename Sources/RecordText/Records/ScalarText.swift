import DataModel
import JSONText

/// Rules for formats in which every scalar is written as text, such as CSV and XML.
package enum ScalarText {
  /// Returns whether a text is a number that can be stored as a number without any change. Other
  /// numbers remain text: `12E3` may be a part number, and 20 digits may be an account number.
  package static func isPlainNumber(_ text: Span<UInt8>) -> Bool {
    guard NumberText.isJSONNumber(text) else { return false }
    switch NumberText.losslessType(of: text) {
    case .integer: return true
    case .text: return false
    case .number:
      if NumberText.isWrittenAsInteger(text) { return false }
      for index in text.indices
      where text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: "+")
        || index > 0 && text[index] == UInt8(ascii: "-")
      {
        return true
      }
      guard let double = try? NumberText.double(text) else { return false }
      return text.isEqual(to: NumberText.text(double).utf8.span)
    }
  }

  /// The error that is thrown for text that is not exactly one JSON value.
  package struct JSONError: Error {
    /// What is wrong with the text, as an error message.
    package let message: String
  }

  /// Returns the JSON value that the text contains, without insignificant whitespace.
  package static func json(_ text: Span<UInt8>) throws(JSONError) -> [UInt8] {
    do throws(ScanError) {
      return try JSONScanner.compactValue(text)
    } catch {
      throw JSONError(message: error.kind.message)
    }
  }
}
