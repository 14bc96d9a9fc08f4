/// The name of an XML element or attribute, such as `title`, `@id` or `{http://example.com}title`.
package struct XMLName {
  package static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  static let declarationNamespace = "http://www.w3.org/2000/xmlns/"

  package let isAttribute: Bool
  /// The namespace, or nil if the name has none.
  package let namespace: String?
  package let local: String

  /// Parses a name. Returns nil if XML does not allow the name, or if it is the name of a namespace
  /// declaration (`@xmlns`).
  package init?(_ text: String) {
    var rest = text[...]
    isAttribute = rest.first == "@"
    if isAttribute { rest.removeFirst() }
    if rest.first == "{" {
      guard let end = rest.firstIndex(of: "}") else { return nil }
      namespace = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      namespace = nil
    }
    local = String(rest)
    guard let first = local.unicodeScalars.first, Self.isStart(first),
      local.unicodeScalars.allSatisfy({ Self.isStart($0) || Self.isPart($0) }),
      namespace != "", namespace != Self.declarationNamespace,
      !(isAttribute && namespace == nil && local == "xmlns")
    else { return nil }
  }

  /// Returns whether a text is the name of an element without a namespace.
  static func isLocal(_ text: String) -> Bool {
    guard let name = XMLName(text) else { return false }
    return !name.isAttribute && name.namespace == nil
  }

  /// Removes a name, with `@` and with its namespace or prefix, from the start of a path. Returns
  /// the name, which may be invalid.
  static func take(from path: inout Substring) -> String {
    var name = ""
    if path.first == "@" { name.append(path.removeFirst()) }
    if path.first == "{", let end = path.firstIndex(of: "}") {
      name += path[...end]
      path = path[path.index(after: end)...]
    }
    let local = path.prefix { $0 != "/" && $0 != "[" && $0 != "=" }
    path = path.dropFirst(local.count)
    return name + local
  }

  /// Returns whether a name can begin with a character (`NameStartChar` of XML 1.0, without the
  /// colon).
  private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
      0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
      0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Returns whether a name can contain a character after the first one (`NameChar`).
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}
