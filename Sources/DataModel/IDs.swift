/// The rules for record ids.
package enum IDs {
  /// The maximum length of an id, in bytes.
  package static let limit = 255

  /// Returns whether the text is a valid id: 1 to 255 bytes of UTF-8 without control characters.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    text.count >= 1 && text.count <= limit && UTF8Check.firstInvalidOffset(in: text) == nil
      && !UTF8Check.hasControl(in: text)
  }
}
