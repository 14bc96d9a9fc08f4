import JSONText
import Maps

/// The XML inside an element, as a text that is well-formed by itself: each namespace is declared
/// where it begins. Comments and processing instructions are not kept.
struct XMLMarkup: Sendable {
  private struct Element: Sendable {
    let name: [UInt8]
    let namespace: [UInt8]
  }

  private(set) var bytes: [UInt8] = []
  private var elements: [Element] = []
  /// Whether the start tag of the innermost element has no `>` yet.
  private var isTagOpen = false
  /// The number of declared prefixes in the start tag.
  private var prefixCount = 0

  mutating func begin(_ name: Span<UInt8>, _ namespace: Span<UInt8>) {
    closeTag()
    var element = (name: [UInt8](), namespace: [UInt8]())
    element.name.append(copying: name)
    element.namespace.append(copying: namespace)
    bytes.append(UInt8(ascii: "<"))
    bytes += element.name
    if element.namespace != elements.last?.namespace ?? [] {
      append(" xmlns", namespace)
    }
    elements.append(Element(name: element.name, namespace: element.namespace))
    (isTagOpen, prefixCount) = (true, 0)
  }

  /// Adds an attribute. Ignores those of the element whose content is kept.
  mutating func add(_ name: Span<UInt8>, _ namespace: Span<UInt8>, _ value: Span<UInt8>) {
    guard !elements.isEmpty else { return }
    var prefix = ""
    if namespace.isEqual(to: XMLName.xmlNamespace.utf8.span) {
      prefix = "xml:"
    } else if !namespace.isEmpty {
      append(" xmlns:a\(prefixCount)", namespace)
      prefix = "a\(prefixCount):"
      prefixCount += 1
    }
    append(" \(prefix)\(String(decoding: name))", value)
  }

  mutating func add(_ text: Span<UInt8>) {
    closeTag()
    _ = XMLText.append(text, in: .element, to: &bytes)
  }

  mutating func end() {
    guard let element = elements.popLast() else { return }
    if isTagOpen {
      XMLText.append("/>", to: &bytes)
      isTagOpen = false
    } else {
      XMLText.append("</", to: &bytes)
      bytes += element.name
      bytes.append(UInt8(ascii: ">"))
    }
  }

  private mutating func append(_ name: String, _ value: Span<UInt8>) {
    XMLText.append("\(name)=\"", to: &bytes)
    _ = XMLText.append(value, in: .attribute, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func closeTag() {
    if isTagOpen { bytes.append(UInt8(ascii: ">")) }
    isTagOpen = false
  }
}
