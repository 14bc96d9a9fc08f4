/// Encodes a value of a model type as a draft.
struct DraftEncoder: Encoder {
  /// A node of the tree that the encoder builds. Several encoding containers may add values to the
  /// same node.
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

  /// Encodes a value, and returns it as the root of a new tree of nodes.
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
  /// A property that is nil clears its field when the draft is saved. A password is the exception:
  /// it is never read from a store, so nil keeps the stored password.
  ///
  /// - Parameter value: The value to encode.
  /// - Throws: A ``DataError`` if the value does not encode to an object.
  public init(encoding value: some Encodable) throws {
    let node = try DraftEncoder.node(value, [])
    guard case .object(let entries) = node.value.form else {
      throw DataError(.usage, "\(type(of: value)) does not encode to an object")
    }
    self.init(entries: entries)
  }
}

extension DraftEncoder {
  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) {
      set(key, DraftValue(form: .none))
    }

    mutating func encode<Element: Encodable>(_ value: Element, forKey key: Key) throws {
      node.set(key.stringValue, try DraftEncoder.node(value, codingPath + [key]))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      encoder(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }

    /// Returns an encoder for the superclass, which adds its properties to the same record.
    mutating func superEncoder() -> any Encoder { DraftEncoder(node, codingPath) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: Key) -> DraftEncoder {
      let inner = Node()
      node.set(key.stringValue, inner)
      return DraftEncoder(inner, codingPath + [key])
    }

    private func set(_ key: Key, _ value: DraftValue) {
      let inner = Node()
      inner.content = .value(value)
      node.set(key.stringValue, inner)
    }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey]
    var count: Int { node.count }

    mutating func encodeNil() {
      let inner = Node()
      inner.content = .value(.null)
      node.append(inner)
    }

    mutating func encode<Element: Encodable>(_ value: Element) throws {
      node.append(try DraftEncoder.node(value, codingPath))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      encoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> DraftEncoder {
      let inner = Node()
      node.append(inner)
      return DraftEncoder(inner, codingPath)
    }
  }

  struct Single: SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey]

    mutating func encodeNil() {
      node.content = .value(DraftValue(form: .none))
    }

    mutating func encode<Element: Encodable>(_ value: Element) throws {
      node.content = try DraftEncoder.node(value, codingPath).content
    }
  }
}

/// Encodes nil explicitly, because nil clears a field. A missing key would leave the field
/// unchanged.
///
/// The default implementations of `encodeIfPresent` omit nil, so every overload is implemented
/// here.
extension DraftEncoder.Keyed {
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  mutating func encodeIfPresent<Element: Encodable>(_ value: Element?, forKey key: Key) throws {
    try encodeValue(value, forKey: key)
  }

  private mutating func encodeValue(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
}
