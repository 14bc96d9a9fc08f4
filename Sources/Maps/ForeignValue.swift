import DataModel
import JSONText
package import RecordText

/// A value in a document that a map describes, with the line on which it starts.
///
/// An XML element with attributes or child elements is an object. An attribute is a member whose
/// name starts with `@`, the text is the member `text()`, and child elements with the same name are
/// separate members with this name.
package struct ForeignValue: Sendable {
  package struct Member: Sendable {
    package var name: String
    package var value: ForeignValue
    /// The name as a JSON string, with the escapes of the document; nil if the name has no escapes.
    var escapedName: String?

    package init(_ name: String, _ value: ForeignValue) {
      self.name = name
      self.value = value
    }

    /// Returns whether the name is equal to a text, byte for byte. The operator `==` would also
    /// accept a canonically equivalent text.
    package func isNamed(_ text: String) -> Bool { name.utf8.elementsEqual(text.utf8) }
  }

  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// A number in JSON syntax.
    case number(String)
    case text(String)
    case array([ForeignValue])
    case object([Member])
    /// The content of a file as base64, for the file field with this slot (position in a row). It
    /// occurs only in output, where the caller inserts the content.
    case fileContent(slot: Int)
    /// The XML inside an element, with the notation `xml_text`.
    case markup(String)
  }

  package var content: Content
  package var line: Int {
    get { Int(shortLine) }
    set { shortLine = Int32(truncatingIfNeeded: newValue) }
  }
  /// The line on which the value starts. It is stored in four bytes, because a document can contain
  /// millions of values.
  private var shortLine: Int32
  /// The text as a JSON string, with the escapes of the document; nil if the text has no escapes. A
  /// value of a `json` field keeps these escapes.
  var escapedText: String?

  package init(_ content: Content, line: Int = 0) {
    self.content = content
    shortLine = Int32(truncatingIfNeeded: line)
  }

  package var isNull: Bool { if case .null = content { true } else { false } }

  /// Whether the value is an object, or a list that contains an object.
  var hasMembers: Bool {
    switch content {
    case .object: true
    case .array(let elements): elements.contains(where: \.hasMembers)
    case .null, .boolean, .number, .text, .fileContent, .markup: false
    }
  }

  /// The value as error messages show it.
  var display: String {
    switch content {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .number(let number): Excerpt.truncated(number)
    case .text(let text), .markup(let text): Excerpt.quoted(text)
    case .array: "an array"
    case .object: "an object"
    case .fileContent: "a file"
    }
  }

  /// Returns the value of the member with the given name, or nil if the value is not an object or
  /// has no such member.
  subscript(name: String) -> ForeignValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Creates a value from a parsed JSON value.
  init(_ json: JSONValue) {
    shortLine = 0
    switch json {
    case .null: content = .null
    case .boolean(let boolean): content = .boolean(boolean)
    case .number(let number): content = .number(number.text)
    case .text(let text): content = .text(text)
    case .array(let elements): content = .array(elements.map { ForeignValue($0) })
    case .object(let members):
      content = .object(members.map { Member($0.name, ForeignValue($0.value)) })
    }
  }

  /// Appends the value as compact JSON. The content of a file is appended as an empty string, and
  /// the offset at which the caller must insert it is added to `insertions`.
  package func appendJSON(to output: inout [UInt8], _ insertions: inout [RecordWriter.Insertion]) {
    switch content {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let boolean): output.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.utf8)
    case .text(let text): Self.append(text, escapedText, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.appendJSON(to: &output, &insertions)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.append(member.name, member.escapedName, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.appendJSON(to: &output, &insertions)
      }
      output.append(UInt8(ascii: "}"))
    case .markup(let text): Self.append(text, nil, to: &output)
    case .fileContent(let slot):
      output.append(UInt8(ascii: "\""))
      insertions.append(RecordWriter.Insertion(offset: output.count, slot: slot))
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func append(_ text: String, _ escaped: String?, to output: inout [UInt8]) {
    guard let escaped else { return JSONQuote.append(text.utf8.span, to: &output) }
    output.append(contentsOf: escaped.utf8)
  }

  /// The value as compact JSON.
  var json: [UInt8] {
    var output: [UInt8] = []
    var insertions: [RecordWriter.Insertion] = []
    appendJSON(to: &output, &insertions)
    return output
  }
}

extension JSONScanner {
  /// Parses the value at the current position, including the values nested in it.
  mutating func foreignValue(
    _ text: Span<UInt8>, depth: Int = 0
  ) throws(ScanError) -> ForeignValue {
    let byte = try next(text)
    let line = line
    var escapedText: String?
    let content: ForeignValue.Content
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < Self.maxDocumentDepth else { throw ScanError(.tooDeepDocument, position) }
      content = .object(try foreignMembers(text, depth: depth))
    case UInt8(ascii: "["):
      guard depth < Self.maxDocumentDepth else { throw ScanError(.tooDeepDocument, position) }
      var elements: [ForeignValue] = []
      var next = try skipOpening(text, closing: UInt8(ascii: "]"))
      while next != nil {
        elements.append(try foreignValue(text, depth: depth + 1))
        next = try skipElementEnd(text)
      }
      content = .array(elements)
    case UInt8(ascii: "\""): content = .text(try foreignText(text, escaped: &escapedText))
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
      content = .number(String(decoding: text.extracting(try number(text))))
    default: throw ScanError(.expectedValue, position)
    }
    var value = ForeignValue(content, line: line)
    value.escapedText = escapedText
    return value
  }

  private mutating func foreignMembers(
    _ text: Span<UInt8>, depth: Int
  ) throws(ScanError) -> [ForeignValue.Member] {
    var members: [ForeignValue.Member] = []
    var next = try skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, position) }
      var escapedName: String?
      let name = try foreignText(text, escaped: &escapedName)
      _ = try skipColon(text)
      var member = ForeignValue.Member(name, try foreignValue(text, depth: depth + 1))
      member.escapedName = escapedName
      members.append(member)
      next = try skipMemberEnd(text)
    }
    return members
  }

  mutating func foreignText(_ text: Span<UInt8>) throws(ScanError) -> String {
    var escaped: String?
    return try foreignText(text, escaped: &escaped)
  }

  /// Scans a string. If it contains escapes, sets `escaped` to the JSON string as it is in the
  /// document.
  private mutating func foreignText(
    _ text: Span<UInt8>, escaped: inout String?
  ) throws(ScanError) -> String {
    let start = position
    if let range = try string(text) { return String(decoding: text.extracting(range)) }
    escaped = String(decoding: text.extracting(start..<position))
    return String(decoding: unescaped.span)
  }
}

extension ForeignValue {
  /// A copy of the value without repeated members: in each object, all members with the same name
  /// become one member whose value is an array.
  var mergingRepeated: ForeignValue {
    switch content {
    case .object(let members):
      var names: [String] = []
      var values: [[UInt8]: [ForeignValue]] = [:]
      for member in members {
        // Compare names as bytes, because `==` also matches canonically equivalent texts.
        let key = Array(member.name.utf8)
        if values[key] == nil { names.append(member.name) }
        values[key, default: []].append(member.value.mergingRepeated)
      }
      let merged = names.map { name in
        let all = values[Array(name.utf8)] ?? []
        return Member(name, all.count == 1 ? all[0] : ForeignValue(.array(all), line: line))
      }
      return ForeignValue(.object(merged), line: line)
    case .array(let elements):
      return ForeignValue(.array(elements.map(\.mergingRepeated)), line: line)
    case .null, .boolean, .number, .text, .fileContent, .markup: return self
    }
  }
}
