import JSONText

/// The name and the namespace of an element or attribute, each represented by the memory address of
/// its text. libxml2 stores each text of a document only once, so equal names have equal addresses.
struct XMLNameAddress: BitwiseCopyable, Hashable, Sendable {
  let name: UInt
  let namespace: UInt
  var isAttribute = false
}

/// The names of elements and attributes in the notation of maps, such as `{URI}name` and `@name`. A
/// name is found by its memory address, because libxml2 stores each name of a document only once.
struct XMLNames: Sendable {
  private struct Name: Sendable {
    let address: XMLNameAddress
    let text: String
    /// The index in `names` of the name that most recently followed this name. It predicts the next
    /// name, because records usually have the same names in the same order.
    var following = 0
  }

  /// The maximum number of names that are kept from one record to the next.
  private static let maxCount = 10_000

  private var names: [Name] = []
  private var indexes: [XMLNameAddress: Int] = [:]
  private var previous = 0

  subscript(index: Int) -> String { names[index].text }

  /// Returns the index of a name in `names`. A name that has not occurred before is added.
  mutating func index(
    _ address: XMLNameAddress, _ name: Span<UInt8>, _ namespace: Span<UInt8>
  ) -> Int {
    if previous < names.count {
      let index = names[previous].following
      if names[index].address == address {
        previous = index
        return index
      }
    }
    let index = indexes[address] ?? add(address, name, namespace)
    if previous < names.count { names[previous].following = index }
    previous = index
    return index
  }

  private mutating func add(
    _ address: XMLNameAddress, _ name: Span<UInt8>, _ namespace: Span<UInt8>
  ) -> Int {
    let local = String(decoding: name)
    let text = namespace.isEmpty ? local : "{\(String(decoding: namespace))}\(local)"
    names.append(Name(address: address, text: address.isAttribute ? "@\(text)" : text))
    indexes[address] = names.count - 1
    return names.count - 1
  }

  /// Discards all names if there are many, so that a document with millions of different names does
  /// not fill the memory. Indexes that were returned before become invalid.
  mutating func limit() {
    guard names.count > Self.maxCount else { return }
    self = XMLNames()
  }
}
