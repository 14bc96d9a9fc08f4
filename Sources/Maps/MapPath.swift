import DataModel

/// A path in a document: the steps that lead to a value from a record, or from the root of the
/// document.
struct MapPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// A member of an object, a child element, an attribute (`@name`), or text (`text()`).
    case name(String)
    /// The elements of an array, or all child elements with the same name (`[]`).
    case elements
    /// The values of an object, each of which is a record (`{}`).
    case entries
  }

  /// The path of a field that stores the member name of each record. It is possible only if the
  /// records are the values of an object.
  static let entryKey = "{}key"
  /// The path step for the text of an XML element.
  static let text = "text()"

  var steps: [Step] = []

  /// The maximum number of steps. It limits recursion, because values are read and written by
  /// recursive functions.
  private static let maxStepCount = 64

  init(_ steps: [Step] = []) {
    self.steps = steps
  }

  static func + (left: MapPath, right: MapPath) -> MapPath { MapPath(left.steps + right.steps) }

  /// The reason why a text is not a valid path.
  struct ParseError: Error {
    let message: String
    var hint: String?
  }

  /// Parses a path as it is written in a map file, such as `enclosure/@url`.
  ///
  /// - Parameters:
  ///   - namespaces: The namespaces of the prefixes in the path.
  ///   - isAbsolute: Whether the path begins at the root of an XML document instead of at a record.
  init(
    parsing text: String, _ format: DataMap.Format,
    _ namespaces: [(prefix: String, uri: String)] = [], isAbsolute: Bool = false
  ) throws(ParseError) {
    guard !text.isEmpty else { throw ParseError(message: "the path is empty") }
    switch format {
    case .csv: steps = [.name(text)]
    case .json: try parseJSON(text)
    case .xml: try parseXML(text, namespaces, isAbsolute: isAbsolute)
    }
    guard steps.count <= Self.maxStepCount else {
      throw ParseError(
        message: "a path can have at most \(Self.maxStepCount) steps, found \(steps.count)")
    }
  }

  private mutating func parseJSON(_ text: String) throws(ParseError) {
    if text == Self.entryKey {
      steps = [.name(text)]
      return
    }
    var name = ""
    var isEscaped = false
    var rest = text[...]
    func invalid() -> ParseError {
      ParseError(message: "not a valid path: \(Excerpt.quoted(text))")
    }
    while let character = rest.first {
      if isEscaped {
        name.append(character)
        isEscaped = false
        rest.removeFirst()
      } else if character == "\\" {
        isEscaped = true
        rest.removeFirst()
      } else if character == "." {
        rest.removeFirst()
        guard !name.isEmpty || steps.last.map(\.isSuffix) == true, !rest.isEmpty else {
          throw invalid()
        }
        if !name.isEmpty { steps.append(.name(name)) }
        name = ""
      } else if rest.hasPrefix("[]") || rest.hasPrefix("{}") {
        if !name.isEmpty { steps.append(.name(name)) }
        name = ""
        guard steps.last.map(\.isSuffix) != true else { throw invalid() }
        steps.append(character == "[" ? .elements : .entries)
        rest.removeFirst(2)
        guard rest.isEmpty || rest.first == "." else { throw invalid() }
      } else if character == "[" || character == "{" {
        throw invalid()
      } else {
        name.append(character)
        rest.removeFirst()
      }
    }
    guard !isEscaped else { throw invalid() }
    if !name.isEmpty { steps.append(.name(name)) }
    guard !steps.isEmpty else { throw invalid() }
  }

  private mutating func parseXML(
    _ text: String, _ namespaces: [(prefix: String, uri: String)], isAbsolute: Bool
  ) throws(ParseError) {
    let invalid = ParseError(message: "not a valid path: \(Excerpt.quoted(text))")
    var rest = text[...]
    if isAbsolute, rest.first != "/" {
      throw ParseError(
        message: "expected a path that begins with /, found \(Excerpt.quoted(text))")
    }
    if isAbsolute { rest.removeFirst() }
    while true {
      let taken = XMLName.take(from: &rest)
      guard var name = try Self.resolved(taken, namespaces) else { throw invalid }
      if case .name(let last)? = steps.last, XMLChoice(last)?.attribute == name {
        throw ParseError(message: "the step before \(name) chooses by it: \(Excerpt.quoted(text))")
      }
      let isLeaf = name.hasPrefix("@") || name == Self.text
      if rest.first == "[", !rest.hasPrefix("[]"), !isLeaf {
        name = try Self.choice(of: name, &rest, namespaces)
      }
      steps.append(.name(name))
      if rest.hasPrefix("[]") {
        steps.append(.elements)
        rest.removeFirst(2)
      }
      if rest.isEmpty, !isLeaf || steps.last != .elements { return }
      guard rest.first == "/", !isLeaf else { throw invalid }
      rest.removeFirst()
    }
  }

  /// Removes the brackets after the name of an element from a path. Returns the name of the step.
  private static func choice(
    of element: String, _ path: inout Substring, _ namespaces: [(prefix: String, uri: String)]
  ) throws(ParseError) -> String {
    let invalid = ParseError(
      message: "expected [] or a choice by an attribute, found \(Excerpt.quoted(String(path)))",
      hint: "the only form is link[@rel='alternate'], with one attribute and its value")
    path.removeFirst()
    guard let attribute = try resolved(XMLName.take(from: &path), namespaces),
      attribute.hasPrefix("@"), path.popFirst() == "=",
      let quote = path.popFirst(), quote == "'" || quote == "\"",
      let end = path.firstIndex(of: quote)
    else { throw invalid }
    let value = String(path[..<end])
    path = path[end...].dropFirst()
    guard path.popFirst() == "]", path.first != "[" || path.hasPrefix("[]"),
      let name = XMLChoice.name(element, attribute, value)
    else { throw invalid }
    return name
  }

  /// Returns a name in an XML path with its namespace in place of the prefix: `atom:link` becomes
  /// `{http://www.w3.org/2005/Atom}link`. Returns nil if it is not a name.
  private static func resolved(
    _ name: String, _ namespaces: [(prefix: String, uri: String)]
  ) throws(ParseError) -> String? {
    if name == text || XMLName(name) != nil { return name }
    let sign = name.hasPrefix("@") ? "@" : ""
    let parts = name.dropFirst(sign.count).split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ XMLName.isLocal(String($0)) }) else { return nil }
    let known = namespaces + [(prefix: "xml", uri: XMLName.xmlNamespace)]
    guard let uri = known.first(where: { $0.prefix.utf8.elementsEqual(parts[0].utf8) })?.uri else {
      throw ParseError(
        message: "\"namespaces\" does not declare the prefix of the path: \(Excerpt.quoted(name))",
        hint: "add \(Excerpt.quoted(String(parts[0]))) with its namespace to \"namespaces\"")
    }
    return "\(sign){\(uri)}\(parts[1])"
  }

  /// Returns whether the paths are equal, or one of them is a prefix of the other.
  func meets(_ other: MapPath) -> Bool {
    zip(steps, other.steps).allSatisfy { $0.isEqual(to: $1) }
  }

  /// Whether the path leads through a list (`[]`), or through the values of an object (`{}`).
  var hasList: Bool { steps.contains { $0 == .elements || $0 == .entries } }

  /// Returns the path in the syntax of map files.
  func text(_ format: DataMap.Format) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .name(let name):
        if !text.isEmpty { text += format == .xml ? "/" : "." }
        text += name
      case .elements: text += "[]"
      case .entries: text += "{}"
      }
    }
    return text
  }
}

extension MapPath.Step {
  /// Returns whether the steps have the same bytes. `==` also treats canonically equivalent names
  /// as equal.
  fileprivate func isEqual(to other: MapPath.Step) -> Bool {
    switch (self, other) {
    case (.name(let name), .name(let otherName)): name.utf8.elementsEqual(otherName.utf8)
    case (.elements, .elements), (.entries, .entries): true
    case (.name, _), (.elements, _), (.entries, _): false
    }
  }

  fileprivate var isSuffix: Bool {
    switch self {
    case .name: false
    case .elements, .entries: true
    }
  }
}
