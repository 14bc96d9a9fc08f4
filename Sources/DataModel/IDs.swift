/// Says what an id may be.
package enum IDs {
  /// The most bytes that an id has.
  package static let limit = 255

  /// Tells whether the text can be an id: 1 to 255 bytes of UTF-8 without control characters.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    text.count >= 1 && text.count <= limit && UTF8Check.firstFault(in: text) == nil
      && !UTF8Check.hasControl(in: text)
  }
}
