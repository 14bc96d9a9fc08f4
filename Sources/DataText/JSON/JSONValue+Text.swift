public import DataModel

extension JSONValue {
  /// Parses a JSON text that contains exactly one value, with the limits of a `json` field.
  ///
  /// - Parameter text: The JSON text.
  /// - Throws: A `DataError` with code `syntax` and the line and column of the error if the text is
  ///   not JSON, contains a NUL or a duplicate key, or is nested too deeply.
  public init(parsing text: String) throws(DataError) {
    try self.init(parsing: text.utf8.span)
  }

  /// Parses UTF-8 bytes that contain exactly one value.
  package init(parsing text: Span<UInt8>) throws(DataError) {
    do throws(ScanError) {
      var scanner = JSONScanner()
      if let violation = try scanner.skipValue(text).violation { throw violation }
      self.init(try JSONNode.parse(text), of: text)
    } catch {
      let (line, column) = error.lineAndColumn(in: text)
      throw DataError(Problem(.syntax, error.kind.message, line: line, column: column))
    }
  }

  private init(_ node: JSONNode, of text: Span<UInt8>) {
    switch node.content {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .number:
      let number = JSONNumber(text: String(decoding: text.extracting(node.range)))
      self = number.map(JSONValue.number) ?? .null
    case .text(let string): self = .text(string)
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(JSONValue(element, of: text)) }
      self = .array(values)
    case .object(let members):
      var values: [Member] = []
      for member in members {
        values.append(Member(member.name, JSONValue(member.value, of: text)))
      }
      self = .object(values)
    }
  }

  /// Appends the value as compact JSON.
  package func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += Array("null".utf8)
    case .boolean(let boolean): output += Array("\(boolean)".utf8)
    case .number(let number): output += Array(number.text.utf8)
    case .text(let text): JSONQuote.append(text.utf8.span, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSONQuote.append(member.name.utf8.span, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ScanError {
  /// The line and column (in bytes) of the error, both counted from 1.
  func lineAndColumn(in text: Span<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var lineStart = 0
    for index in 0..<min(position, text.count) where text[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    return (line, position - lineStart + 1)
  }
}
