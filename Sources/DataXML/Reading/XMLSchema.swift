import DataModel

/// The fields and system fields of a schema, which are found by their names in XML.
struct XMLSchema: Sendable {
  /// A field or system field that has occurred in the document, with the facts that are needed to
  /// find it by its name and to convert its values.
  struct Member: BitwiseCopyable, Sendable {
    let slot: Int
    let type: XMLType
    /// The memory address of the name. libxml2 stores each name of a document only once, so equal
    /// names have equal addresses.
    let address: UInt
    /// The index in `members` of the field that followed this field in the most recent record. It
    /// predicts the next field, because records usually have their fields in the same order.
    var following = 0
  }

  let schema: Schema
  private var members: [Member] = []
  /// The index of each field in `members`. The key is the memory address of the field's name.
  private var indexes: [UInt: Int] = [:]

  init(_ schema: Schema) {
    self.schema = schema
  }

  /// Returns the field with the given name, or nil if the schema has no such field.
  ///
  /// - Parameter previous: The index in `members` of the previous field of the record, from which
  ///   the next field is predicted. It is replaced with the index of the returned field.
  mutating func member(
    _ address: UInt, _ name: Span<UInt8>, after previous: inout Int
  ) -> Member? {
    if previous < members.count {
      let index = members[previous].following
      if members[index].address == address {
        previous = index
        return members[index]
      }
    }
    guard let index = indexes[address] ?? add(address, name) else { return nil }
    if previous < members.count { members[previous].following = index }
    previous = index
    return members[index]
  }

  private mutating func add(_ address: UInt, _ name: Span<UInt8>) -> Int? {
    guard let slot = schema.slot(named: name) else { return nil }
    indexes[address] = members.count
    members.append(
      Member(slot: slot, type: XMLType(schema.type(of: slot)), address: address))
    return members.count - 1
  }
}
