/// The name of a method: a program that a server runs for requests.
package enum MethodName {
  /// The names, as a regular expression.
  package static let pattern = "^[a-z][a-z0-9_]{0,63}$"

  /// Returns whether a method can have a name.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else {
      return false
    }
    return text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
