import DataModel
import JSONText

/// Reads the lists of inverses.
extension TreeBuilder {
  mutating func skipInverse(
    _ name: String, _ text: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(ScanError) -> (isInverse: Bool, problem: String?) {
    guard let kind = owner?.kind, let inverse = inverse(named: name, of: kind) else {
      return (false, nil)
    }
    let byte = text[scanner.position]
    let isRepeated = owner?.lists.contains { $0.inverse == inverse } == true
    if byte == UInt8(ascii: "["), !isRepeated {
      owner?.lists.append(SkippedList(inverse: inverse, scanner: scanner))
    }
    _ = try scanner.skipValue(text)
    if isRepeated { return (true, "duplicate field in a record") }
    return (
      true,
      byte == UInt8(ascii: "[")
        ? nil : "expected an array of records and ids, found \(JSONRecordScanner.kind(byte))"
    )
  }

  /// Returns the number of the inverse with a name, or nil if there is none.
  private mutating func inverse(named name: String, of kind: Int) -> Int? {
    if kinds[kind].inverses == nil {
      kinds[kind].inverses = catalog.declaredInverses(of: kinds[kind].schema).map {
        Inverse(
          name: Array($0.name.utf8), kind: kindIndex($0.source), slot: $0.slot,
          isOwned: $0.source.ownerSlot == $0.slot,
          partKeys: PartKeys.slots(in: $0.source, ofList: $0.name))
      }
    }
    let names = [name, Names.fieldName(ofProperty: name)].compactMap(\.self)
    return kinds[kind].inverses?.firstIndex { inverse in
      names.contains { $0.utf8.elementsEqual(inverse.name) }
    }
  }

  /// Reads the lists of inverses in a record that has been added.
  mutating func readLists(of record: Owner, _ text: Span<UInt8>) throws(ScanError) {
    // A record without a valid id has been rejected.
    guard let (id, isAssigned) = record.id else { return }
    let end = json
    let outerList = openList
    for skipped in record.lists {
      guard let inverse = kinds[record.kind].inverses?[skipped.inverse] else { continue }
      let list = PartList(
        kinds[inverse.kind].schema, inverse.slot, owner: id, isOfNewOwner: isAssigned,
        line: firstNumber + record.location)
      if inverse.isOwned, !isAssigned { try noteOwner(id, inverse, at: record.location) }
      lists.append(list)
      openList = lists.count - 1
      json = skipped.scanner
      try read(inverse, skipped.inverse, of: record, KnownID(bytes: id, isNew: isAssigned), text)
    }
    openList = outerList
    json = end
  }

  /// Remembers that the input contains the parts of an owner. Throws an error if it contains them
  /// twice.
  private mutating func noteOwner(
    _ id: [UInt8], _ inverse: Inverse, at location: Int
  ) throws(ScanError) {
    guard listed.insert(TreeRecordID(kind: inverse.kind, id: id), as: .owner) else {
      let name = String(decoding: inverse.name, as: UTF8.self)
      throw end(
        with: TreeError(
          problem: Problem(
            .invalid, "the input contains \(name) of this record twice",
            id: String(decoding: id, as: UTF8.self)),
          location: location))
    }
  }

  /// Remembers that an owned list contains a record. Throws an error if an earlier one did.
  mutating func noteListed(
    _ id: TreeRecordID, _ schema: Schema, at location: Int
  ) throws(ScanError) {
    guard listed.insert(id, as: .part) else {
      throw end(
        with: TreeError(
          problem: Problem(
            .invalid, "the record is listed twice", schema: schema.name, id: id.id),
          location: location))
    }
  }

  private mutating func read(
    _ inverse: Inverse, _ number: Int, of record: Owner, _ id: KnownID, _ text: Span<UInt8>
  ) throws(ScanError) {
    let slot = kinds[record.kind].schema.width + number
    let name = String(decoding: inverse.name, as: UTF8.self)
    let layout = record.layout?.nested[name]
    let list = openList
    var index = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "]"))
    while let byte = next {
      let isRecord = byte == UInt8(ascii: "{")
      var part = Owner(
        kind: inverse.kind,
        location: addLocation(parent: record.location, slot: slot, index: index),
        depth: record.depth + 1, layout: isRecord ? layout : nil)
      part.role = !isRecord ? .link : inverse.isOwned ? .part : .inside
      part.link = Link(slot: inverse.slot, owner: id.bytes, isOwned: inverse.isOwned)
      let derivedID = derivedID(
        from: id, name, index, of: layout, partKeys: derivation == .none ? [] : inverse.partKeys)
      openList = list
      _ = try self.record(text, part, derivedID: derivedID)
      index += 1
      next = try json.skipElementEnd(text)
    }
  }
}
