/// A parsed JSON value and its byte range in the text. The range is used to locate errors.
package struct JSONNode {
  package struct Member {
    package var name: String
    package var position: Int
    package var value: JSONNode
  }

  package indirect enum Content {
    case null
    case boolean(Bool)
    /// A number. Its text is at `range` in the parsed text.
    case number
    case text(String)
    case array([JSONNode])
    case object([Member])
  }

  package var content: Content
  /// The byte range of the value in the text.
  package var range: Range<Int>

  /// A description of the value's kind, for error messages, such as `an object`.
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .number: "a number"
    case .text: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Parses text that contains exactly one JSON value.
  package static func parse(_ text: Span<UInt8>) throws(ScanError) -> JSONNode {
    var scanner = JSONScanner()
    scanner.position = beginning(of: text)
    let node = try scanner.node(text, depth: 0)
    if scanner.skipWhitespace(text) != nil { throw ScanError(.trailingContent, scanner.position) }
    return node
  }

  /// Parses text that contains one or more JSON values in sequence.
  package static func parseAll(_ text: Span<UInt8>) throws(ScanError) -> [JSONNode] {
    var scanner = JSONScanner()
    scanner.position = beginning(of: text)
    var nodes: [JSONNode] = []
    repeat {
      nodes.append(try scanner.node(text, depth: 0))
    } while scanner.skipWhitespace(text) != nil
    return nodes
  }

  /// Returns the offset of the first byte of the JSON, after the UTF-8 byte order mark if there is
  /// one.
  private static func beginning(of text: Span<UInt8>) -> Int {
    text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
  }
}

extension JSONScanner {
  /// Parses the next value, including the values nested in it.
  fileprivate mutating func node(
    _ text: Span<UInt8>, depth: Int
  ) throws(ScanError) -> JSONNode {
    let byte = try next(text)
    let start = position
    let content: JSONNode.Content
    switch byte {
    case UInt8(ascii: "{"): content = .object(try members(text, depth: depth))
    case UInt8(ascii: "["): content = .array(try elements(text, depth: depth))
    case UInt8(ascii: "\""): content = .text(try stringValue(text))
    case UInt8(ascii: "t"):
      try skip(.yes, text)
      content = .boolean(true)
    case UInt8(ascii: "f"):
      try skip(.no, text)
      content = .boolean(false)
    case UInt8(ascii: "n"):
      try skip(.null, text)
      content = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      _ = try number(text)
      content = .number
    default: throw ScanError(.expectedValue, position)
    }
    return JSONNode(content: content, range: start..<position)
  }

  private mutating func elements(
    _ text: Span<UInt8>, depth: Int
  ) throws(ScanError) -> [JSONNode] {
    guard depth < Self.maxDepth else { throw ScanError(.tooDeep, position) }
    var elements: [JSONNode] = []
    var next = try skipOpening(text, closing: UInt8(ascii: "]"))
    while next != nil {
      elements.append(try node(text, depth: depth + 1))
      next = try skipElementEnd(text)
    }
    return elements
  }

  private mutating func members(
    _ text: Span<UInt8>, depth: Int
  ) throws(ScanError) -> [JSONNode.Member] {
    guard depth < Self.maxDepth else { throw ScanError(.tooDeep, position) }
    var members: [JSONNode.Member] = []
    var next = try skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, position) }
      let start = position
      let name = try stringValue(text)
      _ = try skipColon(text)
      members.append(
        JSONNode.Member(name: name, position: start, value: try node(text, depth: depth + 1)))
      next = try skipMemberEnd(text)
    }
    return members
  }

  private mutating func stringValue(_ text: Span<UInt8>) throws(ScanError) -> String {
    if let range = try string(text) {
      String(decoding: text.extracting(range))
    } else {
      String(decoding: unescaped.span)
    }
  }
}
