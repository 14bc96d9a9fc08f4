/// Encodes a value of a model type as a draft.
struct DraftEncoder: Encoder {
  /// A node of the encoded tree, which several containers may add to.
  final class Node {
    enum Content {
      case empty
      case value(DraftValue)
      case list([Node])
      case object([(name: String, node: Node)])
    }

    var content = Content.empty

    var value: DraftValue {
      switch content {
      case .empty: DraftValue(form: .object([]))
      case .value(let value): value
      case .list(let nodes): DraftValue(form: .list(nodes.map(\.value)))
      case .object(let members):
        DraftValue(form: .object(members.map { Draft.Entry(name: $0.name, value: $0.node.value) }))
      }
    }

    func append(_ node: Node) {
      if case .list(let nodes) = content {
        content = .list(nodes + [node])
      } else {
        content = .list([node])
      }
    }

    func set(_ name: String, _ node: Node) {
      guard case .object(var members) = content else {
        content = .object([(name, node)])
        return
      }
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].node = node
      } else {
        members.append((name, node))
      }
      content = .object(members)
    }

    var count: Int {
      if case .list(let nodes) = content { nodes.count } else { 0 }
    }
  }

  let node: Node
  var codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: Node, _ path: [any CodingKey]) {
    self.node = node
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .empty = node.content { node.content = .object([]) }
    return KeyedEncodingContainer(Keyed(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .empty = node.content { node.content = .list([]) }
    return Unkeyed(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, codingPath: codingPath)
  }

  /// Encodes one value into a new node.
  static func node(_ value: some Encodable, _ path: [any CodingKey]) throws -> Node {
    let node = Node()
    if let value = value as? any FieldValue {
      node.content = .value(DraftValue(form: value.form))
    } else {
      try value.encode(to: DraftEncoder(node, path))
    }
    return node
  }
}

extension Draft {
  /// Creates a draft by encoding a value of a model type.
  ///
  /// A property without a value clears its field, except for passwords, which are never read.
  ///
  /// - Parameter value: The value to encode.
  /// - Throws: A ``DataError`` if the value does not encode to an object.
  public init(encoding value: some Encodable) throws {
    let node = try DraftEncoder.node(value, [])
    guard case .object(let entries) = node.value.form else {
      throw DataError(.usage, "\(type(of: value)) does not encode to named values")
    }
    self.init(entries: entries)
  }
}
