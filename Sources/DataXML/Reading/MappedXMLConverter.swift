import DataModel
import DataText

/// Finds the elements of the records in a document, and converts them according to a map.
struct MappedXMLConverter: Sendable {
  /// An open element of a record.
  private struct Element {
    var name: String
    var line: Int
    var members: [ForeignValue.Member] = []
    var text: [UInt8] = []

    /// Returns the element as a value. An element that contains only text is a text value.
    func value() -> ForeignValue {
      let text = ForeignValue(.text(String(decoding: text.span)), line: line)
      if members.isEmpty { return text }
      let isBlank = self.text.allSatisfy { $0 <= 0x20 }
      let texts = isBlank ? [] : [ForeignValue.Member("text()", text)]
      return ForeignValue(.object(texts + members), line: line)
    }
  }

  private var records: MappedRecords
  /// The names of the elements on the path to the records, including the record elements.
  private let path: [String]
  /// The number of open elements, and how many of them are on the path to the records.
  private(set) var depth = 0
  private var matchedDepth = 0
  private var hasFoundContainer = false
  /// The names of the first elements that were found in place of the records.
  private var otherNames: [String] = []
  private static let maxOtherNames = 5
  /// The open elements of the current record.
  private var elements: [Element] = []
  private var index = 0
  /// The number of bytes of text and names in the current record.
  private(set) var length = 0

  init(_ records: MappedRecords) {
    self.records = records
    path = records.layout.recordNames
  }

  mutating func takeProblems() -> [Int: [Problem]] { records.takeProblems() }

  var schemaName: String { records.layout.schemaName }

  /// The error message for a document that does not contain the path to the records; nil if the
  /// path was found.
  var missing: String? {
    hasFoundContainer
      ? nil
      : "no /\(path.joined(separator: "/")) in the input, where the map expects the records"
  }

  /// Ends the document.
  func finish() {
    if index == 0 { records.note(otherElements: otherNames) }
  }

  mutating func begin(_ name: Span<UInt8>, _ namespace: Span<UInt8>, line: Int) {
    depth += 1
    if elements.isEmpty, matchedDepth != depth - 1 { return }
    let name = Self.text(name, namespace)
    length += name.utf8.count
    guard elements.isEmpty else { return elements.append(Element(name: name, line: line)) }
    guard name.utf8.elementsEqual(path[matchedDepth].utf8) else {
      if matchedDepth == path.count - 1, otherNames.count < Self.maxOtherNames,
        !otherNames.contains(name)
      {
        otherNames.append(name)
      }
      return
    }
    if matchedDepth == path.count - 1 {
      elements.append(Element(name: name, line: line))
      hasFoundContainer = true
    } else {
      matchedDepth += 1
      if matchedDepth == path.count - 1 { hasFoundContainer = true }
    }
  }

  mutating func add(
    _ name: Span<UInt8>, _ namespace: Span<UInt8>, _ value: Span<UInt8>, line: Int
  ) {
    guard !elements.isEmpty else { return }
    length += name.count + value.count
    let text = ForeignValue(.text(String(decoding: value)), line: line)
    elements[elements.count - 1].members.append(
      ForeignValue.Member("@" + Self.text(name, namespace), text))
  }

  mutating func add(_ text: Span<UInt8>) {
    guard !elements.isEmpty else { return }
    length += text.count
    elements[elements.count - 1].text.append(copying: text)
  }

  mutating func end(to output: inout [UInt8]) {
    depth -= 1
    guard let element = elements.popLast() else {
      if matchedDepth > depth { matchedDepth -= 1 }
      return
    }
    let value = element.value()
    guard elements.isEmpty else {
      return elements[elements.count - 1].members.append(
        ForeignValue.Member(element.name, value))
    }
    records.append(value, at: .element(index), to: &output)
    index += 1
    length = 0
  }

  /// Returns a name in the notation of map paths, such as `{URI}name`.
  private static func text(_ name: Span<UInt8>, _ namespace: Span<UInt8>) -> String {
    let name = String(decoding: name)
    return namespace.isEmpty ? name : "{\(String(decoding: namespace))}\(name)"
  }
}
