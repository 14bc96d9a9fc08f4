import DataModel
import JSONText

/// Assigns ids to records without an id. If the caller gives an id, it is the id of the only record
/// of the input. If not, ids are generated.
struct IDAssigner: Sendable {
  private(set) var generator: IDGenerator?
  let given: [UInt8]?
  private var isUsed = false

  init(generator: IDGenerator?, given: String?) {
    self.generator = generator
    self.given = given.map { Array($0.utf8) }
  }

  /// Assigns an id to the record being read, unless the record already has one. If the caller has
  /// given an id, reports a problem for a record with a different id and for every record after the
  /// first.
  @inline(__always)
  mutating func assign(to changes: inout RowChanges, reading text: Span<UInt8>) {
    if given == nil {
      changes.assignID(from: &generator)
    } else {
      setGiven(on: &changes, reading: text)
    }
  }

  private mutating func setGiven(on changes: inout RowChanges, reading text: Span<UInt8>) {
    guard let given else { return }
    let slot = changes.schema.keySlot
    if isUsed {
      if !changes.isSet(slot) { changes.set(slot, text: given.span) }
      return changes.report(
        nil, "found a second record, but only one id was given",
        hint:
          "omit ID, and give each record its own \(changes.schema.key.name)")
    }
    isUsed = true
    guard changes.isSet(slot) else { return changes.set(slot, text: given.span) }
    let cell = changes.rows[changes.rows.count - 1, slot]
    let found =
      cell.kind == .input
      ? String(decoding: text.extracting(cell.range)) : changes.rows.text(cell)
    if !found.utf8.elementsEqual(given) {
      changes.report(
        slot,
        "the given id is \(Excerpt.quoted(given.span)), "
          + "but the record has the id \(Excerpt.quoted(found))")
    }
  }
}
