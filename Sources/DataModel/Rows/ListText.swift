/// The canonical text of a list: how arrays and to-many relations stand in a cell and in a store.
///
/// It is a JSON array without space, its texts in the one form of `JSONQuote`, its numbers in their
/// shortest. Two lists are equal if their texts are.
package enum ListText {
  /// Appends the text of a list.
  package static func append(_ values: [Value], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(value, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Appends one element of a list.
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

  /// Reads the list that begins at an offset, and stops behind its closing bracket.
  ///
  /// Space between elements is passed over, so that an engine may keep lists in a JSON type of its
  /// own. What is not a list of the type gives nil: the store is damaged then.
  package static func values(
    in text: Span<UInt8>, from start: Int = 0, of type: ElementType
  ) -> [Value]? {
    var reader = CanonicalReader(position: start)
    return reader.list(in: text, of: type)
  }
}
