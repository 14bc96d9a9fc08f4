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

    /// A class and its superclass encode into the same record.
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
