import DataModel
import JSONText
package import Maps
package import RecordText

/// Writes XML documents according to a map.
package struct MappedXMLWriter: Sendable {
  private let writer: MappedRecordWriter
  /// The prefixes of the namespaces in the map, by namespace.
  private let prefixes: [String: String]
  /// The prefixes in the map. No other namespace may get one of them.
  private let declaredPrefixes: Set<String>
  private var insertions: [RecordWriter.Insertion] = []
  private static let longTag =
    "the attributes of an element can have at most \(XMLText.longestTag >> 10) KiB"
  /// The reason why XML cannot represent the most recent record; nil for characters that XML cannot
  /// contain.
  private var failure: String?
  /// The names of the open elements of the record.
  private var openNames: [String] = []
  private var path: [String] { writer.layout.recordNames }

  package init(_ writer: MappedRecordWriter) {
    self.writer = writer
    var prefixes: [String: String] = [:]
    let namespaces = writer.layout.map.namespaces
    for (prefix, uri) in namespaces where prefixes[uri] == nil { prefixes[uri] = prefix }
    declaredPrefixes = Set(namespaces.map(\.prefix))
    var count = 0
    for name in writer.layout.names.flatMap({ name in
      XMLChoice(name).map { [$0.element, $0.attribute] } ?? [name]
    }) {
      guard let namespace = XMLName(name)?.namespace, namespace != XMLName.xmlNamespace,
        prefixes[namespace] == nil
      else { continue }
      repeat { count += 1 } while declaredPrefixes.contains("n\(count)")
      prefixes[namespace] = "n\(count)"
    }
    self.prefixes = prefixes
  }

  /// Appends the text that precedes the first record.
  package mutating func begin(to output: inout [UInt8]) {
    XMLText.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to: &output)
    var frame = writer.layout.frame
    for (index, name) in path.dropLast().enumerated() {
      XMLText.append("<\(qualified(name))", to: &output)
      if index == 0 { appendNamespaces(to: &output) }
      var members: [ForeignValue.Member] = []
      if case .object(let all) = frame.content {
        members =
          all.first { $0.isNamed(name) }.flatMap { member in
            if case .object(let members) = member.value.content { members } else { nil }
          } ?? []
      }
      frame.content = .object(members)
      let next = path[index + 1]
      // Ignore the result: constants that XML cannot contain are rejected when the map is read.
      _ = appendContent(
        members.filter { $0.name != next }, closing: nil, to: &output)
    }
    if path.count > 1 { output.append(0x0A) }
  }

  private func appendNamespaces(to output: inout [UInt8]) {
    for (namespace, prefix) in prefixes.sorted(by: { $0.value < $1.value }) {
      XMLText.append(" xmlns:\(prefix)=\"", to: &output)
      _ = XMLText.append(namespace.utf8.span, in: .attribute, to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a record on its own line. If XML cannot represent it, appends nothing and returns the
  /// reason.
  package mutating func write(
    _ record: MappedRecordWriter.Output, to output: inout [UInt8]
  ) -> String? {
    (failure, openNames) = (nil, [])
    let (start, insertionCount) = (output.count, insertions.count)
    guard let name = path.last, append(name, record.value, isRoot: path.count == 1, to: &output)
    else {
      output.removeSubrange(start...)
      insertions.removeSubrange(insertionCount...)
      return failure ?? "XML cannot contain control characters, U+FFFE or U+FFFF"
    }
    output.append(0x0A)
    return nil
  }

  /// Returns the XML element of a record. The record must have been read with the map of this
  /// writer. Returns nil if XML cannot represent the record.
  package func element(_ record: ForeignValue) -> [UInt8]? {
    var writer = self
    var element: [UInt8] = []
    guard let name = path.last, writer.append(name, record, isRoot: true, to: &element) else {
      return nil
    }
    return element
  }

  /// Appends the text that follows the last record.
  package func end(to output: inout [UInt8]) {
    for name in path.dropLast().reversed() {
      XMLText.append("</\(qualified(name))>", to: &output)
    }
    if path.count > 1 { output.append(0x0A) }
  }

  /// Returns the offsets in the output at which the caller must insert the contents of files in
  /// base64. Each offset is returned only once.
  package mutating func takeInsertions() -> [RecordWriter.Insertion] {
    defer { insertions.removeAll() }
    return insertions
  }
}

extension MappedXMLWriter {
  /// Appends a value as an element, or a list as several elements. Returns false if XML cannot
  /// represent the value.
  private mutating func append(
    _ name: String, _ value: ForeignValue, isRoot: Bool = false, to output: inout [UInt8]
  ) -> Bool {
    if case .array(let elements) = value.content {
      for element in elements {
        guard append(name, element, to: &output) else { return false }
      }
      return true
    }
    if value.isNull { return true }
    openNames.append(name)
    guard appendElement(name, value, isRoot: isRoot, to: &output) else { return false }
    openNames.removeLast()
    return true
  }

  /// Appends a value as an element. Returns false if XML cannot represent the value.
  private mutating func appendElement(
    _ name: String, _ value: ForeignValue, isRoot: Bool, to output: inout [UInt8]
  ) -> Bool {
    let choice = XMLChoice(name)
    let (qualified, declaration) = declared(choice?.element ?? name, "n0")
    XMLText.append("<\(qualified)\(declaration)", to: &output)
    if let choice {
      let value = ForeignValue(.text(choice.value))
      guard appendAttribute(choice.attribute, value, "c0", to: &output) else { return false }
    }
    if isRoot { appendNamespaces(to: &output) }
    switch value.content {
    case .object(let members): return appendContent(members, closing: qualified, to: &output)
    case .fileContent(let slot):
      output.append(UInt8(ascii: ">"))
      insertions.append(RecordWriter.Insertion(offset: output.count, slot: slot))
      XMLText.append("</\(qualified)>", to: &output)
      return true
    case .markup(let text):
      output.append(UInt8(ascii: ">"))
      guard appendMarkup(text, to: &output) else { return false }
      XMLText.append("</\(qualified)>", to: &output)
      return true
    case .null, .boolean, .number, .text, .array:
      let text = value.scalarText ?? ""
      if text.isEmpty {
        XMLText.append("/>", to: &output)
        return true
      }
      output.append(UInt8(ascii: ">"))
      let isValid = XMLText.append(text.utf8.span, in: .element, to: &output)
      XMLText.append("</\(qualified)>", to: &output)
      return isValid
    }
  }

  /// Appends the part of an element after its name: its attributes, its text and its child
  /// elements.
  ///
  /// - Parameter closing: The name of the element, or nil to append no end tag.
  private mutating func appendContent(
    _ members: [ForeignValue.Member], closing: String?, to output: inout [UInt8]
  ) -> Bool {
    let start = output.count
    for (index, member) in members.enumerated() where member.name.hasPrefix("@") {
      guard !member.value.isNull else { continue }
      guard appendAttribute(member.name, member.value, "a\(index)", to: &output) else {
        return false
      }
    }
    guard output.count - start <= XMLText.longestTag else {
      failure = Self.longTag
      return false
    }
    let content = members.filter { !$0.name.hasPrefix("@") && !$0.value.isNull }
    if content.isEmpty, closing != nil {
      XMLText.append("/>", to: &output)
      return true
    }
    output.append(UInt8(ascii: ">"))
    for member in content {
      if member.name != "text()" {
        guard append(member.name, member.value, to: &output) else { return false }
      } else if case .markup(let text) = member.value.content {
        guard appendMarkup(text, to: &output) else { return false }
      } else if let text = member.value.scalarText {
        guard XMLText.append(text.utf8.span, in: .element, to: &output) else { return false }
      } else if case .fileContent(let slot) = member.value.content {
        insertions.append(RecordWriter.Insertion(offset: output.count, slot: slot))
      }
    }
    if let closing { XMLText.append("</\(closing)>", to: &output) }
    return true
  }

  /// Appends a text with XML as elements and text. Returns false if the text is not well-formed.
  private mutating func appendMarkup(_ text: String, to output: inout [UInt8]) -> Bool {
    do throws(DataError) {
      let depth = path.count - 2 + openNames.count
      output += try Self.markup(text, maxDepth: XMLConverter.maxDepth - depth)
      return true
    } catch {
      let names = path.dropLast() + openNames
      let reason = error.problems.first?.message ?? ""
      failure = writer.layout.map.shown("/\(names.joined(separator: "/")): \(reason)")
      return false
    }
  }

  /// The map by which a text with XML is read: as the content of the root element.
  private static let markupLayout = try? MapLayout(
    try DataMap(
      parsing: """
        {"map": "x", "format": "xml", "records": "/x",
          "fields": {"text": {"at": "text()", "as": "xml_text"}}}
        """),
    inferring: "x")

  /// Returns the text as it will be read back. It is read from a document of its own, so it can
  /// refer to no entity and to no prefix outside it.
  private static func markup(_ text: String, maxDepth: Int) throws(DataError) -> [UInt8] {
    guard let layout = markupLayout else { return [] }
    // libxml2 waits for the semicolon of an entity, even at the end of the document.
    let document = "<x>\(text)</x><!--;-->"
    var source = try XMLRecordSource(
      BytesInMemory(Array(document.utf8)), by: layout, MapLocations(layout, file: ""),
      maxDepth: maxDepth)
    var json: [UInt8] = []
    while try source.read(into: &json, atMost: 64 << 10) > 0 {}
    if let failure = source.takeFindings().failure { throw DataError(failure) }
    guard case .text(let markup)? = (try? JSONValue(parsing: json.span))?["text"] else {
      return Array(text.utf8)
    }
    let bytes = Array(markup.utf8)
    var tagStart = 0
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "<") { tagStart = index }
      guard byte != UInt8(ascii: ">") || index - tagStart <= XMLText.longestTag else {
        throw DataError(Problem(.invalid, Self.longTag))
      }
    }
    return bytes
  }

  /// Appends an attribute. Returns false if XML cannot represent its value.
  private mutating func appendAttribute(
    _ name: String, _ value: ForeignValue, _ prefix: String, to output: inout [UInt8]
  ) -> Bool {
    let (name, declaration) = declared(name, prefix)
    XMLText.append("\(declaration) \(name)=\"", to: &output)
    if case .fileContent(let slot) = value.content {
      insertions.append(RecordWriter.Insertion(offset: output.count, slot: slot))
    } else {
      guard let text = value.scalarText,
        XMLText.append(text.utf8.span, in: .attribute, to: &output)
      else { return false }
    }
    output.append(UInt8(ascii: "\""))
    return true
  }

  /// Returns the name with the prefix of its namespace.
  private func qualified(_ name: String) -> String { declared(name, "n0").name }

  /// Returns the name for a tag: `{URI}name` becomes `PREFIX:name`. If the map does not contain the
  /// namespace, the declaration of the prefix is also returned.
  ///
  /// - Parameter prefix: The prefix to declare for a namespace that is not in the map. It must be
  ///   different for each name in a start tag.
  private func declared(_ name: String, _ prefix: String) -> (name: String, declaration: String) {
    guard let parsed = XMLName(name), let namespace = parsed.namespace else {
      return (name.hasPrefix("@") ? String(name.dropFirst()) : name, "")
    }
    if namespace == XMLName.xmlNamespace { return ("xml:\(parsed.local)", "") }
    if let known = prefixes[namespace] { return ("\(known):\(parsed.local)", "") }
    var prefix = prefix
    while declaredPrefixes.contains(prefix) { prefix += "_" }
    var declaration: [UInt8] = []
    _ = XMLText.append(namespace.utf8.span, in: .attribute, to: &declaration)
    return (
      "\(prefix):\(parsed.local)", " xmlns:\(prefix)=\"\(String(decoding: declaration.span))\""
    )
  }
}
