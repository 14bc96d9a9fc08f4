import DataModel
import JSONText
import Maps

/// Finds the elements of the records in an XML document, and converts them according to a map.
struct MappedXMLConverter: Sendable {
  /// An element of the current record whose end tag has not been read yet.
  private struct Element: BitwiseCopyable {
    /// The index of the element's name in `names`.
    let name: Int
    let line: Int
    /// The index in `members` of the element's first attribute or child element.
    let firstMember: Int
    /// The offset of the element's text in `text`.
    let textStart: Int
  }

  private var records: MappedRecords
  /// The names of the elements on the path to the records, including the record elements.
  private let path: [String]
  /// The number of open elements. The outermost `matchedDepth` of these elements are on the path to
  /// the records.
  private(set) var depth = 0
  private var matchedDepth = 0
  private var hasFoundContainer = false
  /// The names of elements that were found in place of the records that the map expects. Only the
  /// first few names are kept, to be listed in a warning.
  private var otherNames: [String] = []
  private static let maxOtherNames = 5
  private var names: XMLNames
  /// The elements of the current record whose end tags have not been read yet, from the outermost
  /// to the innermost.
  private var elements: [Element] = []
  /// The attributes and completed child elements of all open elements, in the order from the
  /// outermost open element to the innermost.
  private var members: [ForeignValue.Member] = []
  /// The texts of the open elements. The text of the outermost element comes first.
  private var text: [UInt8] = []
  /// The paths of the elements whose content is read as XML.
  private let markupPaths: [[(element: String, choice: XMLChoice?)]]
  /// The content of the outermost open element at one of these paths.
  private var markup = XMLMarkup()
  /// The number of open elements of the record up to this element, or 0 if there is none.
  private var markupDepth = 0
  private var index = 0
  /// The number of bytes of text and names in the current record.
  private(set) var length = 0

  init(_ records: MappedRecords) {
    self.records = records
    path = records.layout.recordNames
    names = XMLNames()
    markupPaths = records.layout.markupPaths.map { path in
      path.map { name in
        let choice = XMLChoice(name)
        return (choice?.element ?? name, choice)
      }
    }
  }

  mutating func takeProblems() -> [Int: [Problem]] { records.takeProblems() }

  var schemaName: String { records.layout.schemaName }

  /// The error message for a document that does not contain the path to the records; nil if the
  /// path was found.
  var missing: String? {
    hasFoundContainer
      ? nil
      : records.layout.map.shown(
        "no /\(path.joined(separator: "/")) in the input, where the map expects the records")
  }

  /// Ends the document. If it has no records, stores the names of the elements that were found
  /// instead, for a warning.
  func finish() {
    if index == 0 { records.note(otherElements: otherNames) }
  }

  mutating func begin(
    _ address: XMLNameAddress, _ name: Span<UInt8>, _ namespace: Span<UInt8>, line: Int
  ) {
    depth += 1
    if elements.isEmpty, matchedDepth != depth - 1 { return }
    let index = names.index(address, name, namespace)
    if elements.isEmpty {
      let isLast = matchedDepth == path.count - 1
      guard names[index].utf8.elementsEqual(path[matchedDepth].utf8) else {
        if isLast { note(otherName: names[index]) }
        return
      }
      if !isLast { matchedDepth += 1 }
      if matchedDepth == path.count - 1 { hasFoundContainer = true }
      if !isLast { return }
    }
    length += names[index].utf8.count
    elements.append(
      Element(name: index, line: line, firstMember: members.count, textStart: text.count))
    if markupDepth > 0 {
      markup.begin(name, namespace)
    } else if !markupPaths.isEmpty, isMarkup(elements, checkingAttributes: false) {
      markupDepth = elements.count
    }
  }

  /// Returns whether the content of the innermost element is read as XML.
  private func isMarkup(_ elements: [Element], checkingAttributes: Bool) -> Bool {
    markupPaths.contains { path in
      path.count == elements.count - 1
        && zip(path, elements.dropFirst()).allSatisfy { step, element in
          names[element.name].utf8.elementsEqual(step.element.utf8)
            && (!checkingAttributes || step.choice.map { isChosen(element, by: $0) } ?? true)
        }
    }
  }

  private func isChosen(_ element: Element, by choice: XMLChoice) -> Bool {
    members[element.firstMember...].prefix { $0.name.hasPrefix("@") }.contains { member in
      member.isNamed(choice.attribute)
        && member.value.scalarText?.utf8.elementsEqual(choice.value.utf8) ?? false
    }
  }

  private mutating func note(otherName name: String) {
    if otherNames.count < Self.maxOtherNames, !otherNames.contains(name) {
      otherNames.append(name)
    }
  }

  mutating func add(
    _ address: XMLNameAddress, _ name: Span<UInt8>, _ namespace: Span<UInt8>,
    _ value: Span<UInt8>, line: Int
  ) {
    guard !elements.isEmpty else { return }
    length += name.count + namespace.count + value.count
    if markupDepth > 0 { markup.add(name, namespace, value) }
    var address = address
    address.isAttribute = true
    let index = names.index(address, name, namespace)
    members.append(
      ForeignValue.Member(
        names[index], ForeignValue(.text(String(decoding: value)), line: line)))
  }

  mutating func add(_ text: Span<UInt8>) {
    guard !elements.isEmpty else { return }
    length += text.count
    self.text.append(copying: text)
    if markupDepth > 0 { markup.add(text) }
  }

  mutating func end(to output: inout [UInt8]) {
    depth -= 1
    guard let element = elements.popLast() else {
      if matchedDepth > depth { matchedDepth -= 1 }
      names.limit()
      return
    }
    let value = takeValue(of: element)
    guard elements.isEmpty else {
      members.append(ForeignValue.Member(names[element.name], value))
      return
    }
    records.append(value, at: .element(index), to: &output)
    index += 1
    length = 0
    names.limit()
  }

  /// Returns the value of an element whose end tag has been read: text if the element has only
  /// text, or an object if it has attributes or child elements. Removes the content of the element
  /// from `members` and `text`.
  private mutating func takeValue(of element: Element) -> ForeignValue {
    var isMarkup = false
    if markupDepth > elements.count {
      isMarkup = self.isMarkup(elements + [element], checkingAttributes: true)
      if isMarkup {
        self.text.replaceSubrange(element.textStart..., with: markup.bytes)
        let attributes = members[element.firstMember...].prefix { $0.name.hasPrefix("@") }
        members.removeSubrange(attributes.endIndex...)
      }
      (markup, markupDepth) = (XMLMarkup(), 0)
    } else if markupDepth > 0 {
      markup.end()
    }
    let memberCount = members.count - element.firstMember
    let text = text(of: element)
    self.text.removeSubrange(element.textStart...)
    let textValue = ForeignValue(
      isMarkup ? .markup(text ?? "") : .text(text ?? ""), line: element.line)
    guard memberCount > 0 else { return textValue }
    var own: [ForeignValue.Member] = []
    own.reserveCapacity(memberCount + 1)
    if text != nil { own.append(ForeignValue.Member("text()", textValue)) }
    own += members[element.firstMember...]
    members.removeSubrange(element.firstMember...)
    return ForeignValue(.object(own), line: element.line)
  }

  /// Returns the text of an element. Returns nil for white space in an element that has attributes
  /// or child elements.
  private func text(of element: Element) -> String? {
    let bytes = text.span.extracting(element.textStart..<text.count)
    let hasMembers = members.count > element.firstMember
    return hasMembers && XMLConverter.isBlank(bytes) ? nil : String(decoding: bytes)
  }
}
