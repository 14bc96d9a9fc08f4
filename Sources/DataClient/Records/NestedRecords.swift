internal import ClientCore
internal import JSONText
internal import RecordText

/// The records of a response in which expanded relations contain records in place of ids.
struct NestedRecords {
  let schema: Schema
  private let expansion: Expansion
  private let lines: ResponseStream
  private let source: ResponseSource

  init(
    _ lines: ResponseStream, of schema: Schema, _ expansion: Expansion,
    from source: ResponseSource
  ) {
    self.lines = lines
    self.schema = schema
    self.expansion = expansion
    self.source = source
  }

  /// Returns the records in the next lines of the response, or nil at the end.
  func next() async throws(DataError) -> [Record]? {
    guard let text = try await lines.nextLines() else { return nil }
    return try Self.records(in: text, of: schema, expansion, from: source)
  }

  /// Returns the records in a text, which consists of JSON objects.
  static func records(
    in text: [UInt8], of schema: Schema, _ expansion: Expansion, from source: ResponseSource
  ) throws(DataError) -> [Record] {
    let nodes = try source.parse { () throws(DataError) in try JSONNode.documents(text) }
    return try records(nodes, in: text, of: schema, expansion, from: source)
  }

  /// Returns the records in a JSON array.
  static func records(
    inArray text: [UInt8], of schema: Schema, _ expansion: Expansion, from source: ResponseSource
  ) throws(DataError) -> [Record] {
    let nodes = try source.parse { () throws(DataError) in
      try JSONNode.documents(text).flatMap(\.elementsOrSelf)
    }
    return try records(nodes, in: text, of: schema, expansion, from: source)
  }

  private static func records(
    _ nodes: [JSONNode], in text: [UInt8], of schema: Schema, _ expansion: Expansion,
    from source: ResponseSource
  ) throws(DataError) -> [Record] {
    var flat: [UInt8] = []
    var nested = expansion.branches.map { _ in [[JSONNode]]() }
    for node in nodes {
      guard case .object(let members) = node.content else {
        throw source.invalidResponse("expected a record, found \(node.kind)")
      }
      var isFirst = true
      func append(_ name: String, _ value: ArraySlice<UInt8>) {
        flat += isFirst ? [UInt8(ascii: "{")] : [UInt8(ascii: ",")]
        isFirst = false
        JSONQuote.append(name.utf8.span, to: &flat)
        flat.append(UInt8(ascii: ":"))
        flat += value
      }
      for member in members {
        guard let index = expansion.branches.firstIndex(where: { $0.name == member.name }) else {
          append(member.name, text[member.value.range])
          continue
        }
        let branch = expansion.branches[index]
        let elements = member.value.elementsOrSelf
        nested[index].append(elements.filter(\.isObject))
        // An inverse relation is not a field.
        if branch.slot >= schema.width { continue }
        let ids = elements.map { element in
          text[(element.isObject ? element[branch.target.key.name] ?? element : element).range]
        }
        let list = Array(ids.joined(separator: [UInt8(ascii: ",")]))
        if branch.isMany {
          append(member.name, [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")])
        } else {
          append(member.name, ids.isEmpty ? ArraySlice("null".utf8) : list[...])
        }
      }
      flat += Array((isFirst ? "{}\n" : "}\n").utf8)
    }
    var related = nodes.map { _ in [String: [Record]]() }
    for (branch, lists) in zip(expansion.branches, nested) where lists.count == nodes.count {
      var found = try records(
        lists.flatMap(\.self), in: text, of: branch.target, branch.expansion, from: source)[...]
      for (index, list) in lists.enumerated() {
        related[index][branch.name] = Array(found.prefix(list.count))
        found = found.dropFirst(list.count)
      }
    }
    let records = try source.rows(flat, of: schema).records(of: schema, related)
    guard records.count == nodes.count else { throw source.invalidResponse("a record is missing") }
    return records
  }
}

extension JSONNode {
  fileprivate var isObject: Bool {
    if case .object = content { true } else { false }
  }

  /// The elements of an array, or the node itself. Nothing for null.
  fileprivate var elementsOrSelf: [JSONNode] {
    switch content {
    case .array(let elements): elements
    case .null: []
    case .boolean, .number, .text, .object: [self]
    }
  }
}
