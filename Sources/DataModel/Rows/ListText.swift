/// The canonical text of a list, in which arrays and to-many relations are kept in cells and
/// stores.
///
/// It is a JSON array without whitespace, with strings in the form of `JSONQuote` and numbers in
/// their shortest form. Two lists are equal if their texts are equal.
package enum ListText {
  /// Appends the canonical text of a list.
  package static func append(_ values: [Value], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(value, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Appends the canonical text of an element.
  package static func append(_ value: Value, to output: inout [UInt8]) {
    switch value {
    case .text(let text): JSONQuote.append(text.utf8.span, to: &output)
    case .integer(let integer): NumberText.write(integer, to: &output)
    case .number(let number): NumberText.write(number, to: &output)
    case .boolean(let boolean): output.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .datetime(let time):
      output.append(UInt8(ascii: "\""))
      time.write(to: &output)
      output.append(UInt8(ascii: "\""))
    case .null, .geopoint, .file, .json, .list:
      preconditionFailure("a list holds scalars")
    }
  }

  /// Parses the list that begins at an offset; text after its closing bracket is ignored.
  ///
  /// Spaces between elements are allowed, so that an engine can store lists in its own JSON type.
  /// Returns nil if the text is not a list of the type, which means that the store is damaged.
  package static func values(
    in text: Span<UInt8>, from start: Int = 0, of type: ElementType
  ) -> [Value]? {
    var reader = CanonicalReader(position: start)
    return reader.list(in: text, of: type)
  }
}
