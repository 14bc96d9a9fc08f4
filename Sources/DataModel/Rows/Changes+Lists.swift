/// The setters for arrays and to-many relations, element by element.
extension RowChanges {
  /// How the elements of a list change the field.
  package enum ListRole: Sendable {
    /// The elements are the new value.
    case value
    /// The elements are removed.
    case remove
    /// The elements are appended.
    case append
  }

  /// A list whose elements are being added, and written directly to the arena.
  struct OpenList: Sendable {
    var slot: Int
    var role: ListRole
    var start: Int
    var count = 0
    /// The elements, kept only if they are needed to validate the list.
    var values: [Value] = []
    var keepsValues: Bool
    var problemCount: Int
  }

  /// Begins a list. Append its elements, then call `closeList`.
  package mutating func openList(_ slot: Int, as role: ListRole = .value) {
    guard schema.type(of: slot).isList else {
      return reportMismatch(slot, found: role == .value ? "an array" : "an operation on a list")
    }
    list = OpenList(
      slot: slot, role: role, start: rows.arena.count,
      keepsValues: schema.slots[slot].hasRules || schema.slots[slot].kind == .references,
      problemCount: problems.count)
    rows.arena.append(UInt8(ascii: "["))
  }

  private mutating func appendElement(_ value: Value) {
    beginElement()
    ListText.append(value, to: &rows.arena)
    if list?.keepsValues == true { list?.values.append(value) }
  }

  private mutating func appendElement(text: Span<UInt8>) {
    beginElement()
    JSONQuote.append(text, to: &rows.arena)
    if list?.keepsValues == true { list?.values.append(.text(String(decoding: text))) }
  }

  private mutating func beginElement() {
    if list?.count ?? 0 > 0 { rows.arena.append(UInt8(ascii: ",")) }
    list?.count += 1
  }

  /// Appends a text to the open list.
  package mutating func append(text: Span<UInt8>) {
    guard let slot = list?.slot else { return }
    switch schema.type(of: slot) {
    case .array(.text):
      if let nul = text.indices.first(where: { text[$0] == 0 }) {
        return report(slot, "expected text without NUL, found one at byte \(nul + 1)")
      }
      appendElement(text: text)
    case .array(.datetime):
      if let time = timestamp(slot, text) { appendElement(.datetime(time)) }
    case .array(.integer):
      guard let integer = try? NumberText.integer(fromDigits: text) else {
        return report(slot, "expected integers, found text \(Excerpt.quoted(text))")
      }
      appendElement(.integer(integer))
    case .relation:
      guard IDs.isValid(text) else {
        return report(
          slot,
          "expected ids of 1 to 255 bytes without control characters, found \(Excerpt.quoted(text))"
        )
      }
      appendElement(text: text)
    case .array(.number), .array(.boolean), .id, .text, .integer, .number, .boolean, .datetime,
      .geopoint, .file, .json, .password:
      reportMismatch(slot, found: "text \(Excerpt.quoted(text)) in it")
    }
  }

  /// Appends a number, given as the text of a JSON number, to the open list.
  package mutating func append(number: Span<UInt8>) {
    guard let slot = list?.slot else { return }
    do throws(NumberText.ParseError) {
      switch schema.type(of: slot) {
      case .array(.integer):
        appendElement(.integer(try NumberText.integer(number)))
      case .array(.number):
        appendElement(.number(try NumberText.double(number)))
      case .relation:
        appendElement(.text("\(try NumberText.integer(number))"))
      case .array(.text), .array(.boolean), .array(.datetime), .id, .text, .integer, .number,
        .boolean, .datetime, .geopoint, .file, .json, .password:
        reportMismatch(slot, found: "number \(numberExcerpt(number)) in it")
      }
    } catch {
      report(slot, error.message(of: number, expected: schema.type(of: slot).expectation))
    }
  }

  /// Appends a boolean to the open list.
  package mutating func append(boolean: Bool) {
    guard let slot = list?.slot else { return }
    guard schema.type(of: slot) == .array(.boolean) else {
      return reportMismatch(slot, found: "\(boolean) in it")
    }
    appendElement(.boolean(boolean))
  }

  /// Reports an element that no list can have: null, an array, or an object.
  package mutating func appendInvalid(_ found: String) {
    guard let slot = list?.slot else { return }
    reportMismatch(slot, found: "\(found) in it")
  }

  /// Ends the list, validates it, and sets the field.
  package mutating func closeList() {
    guard let open = list else { return }
    list = nil
    guard open.problemCount == problems.count else { return }
    rows.arena.append(UInt8(ascii: "]"))
    switch open.role {
    case .value:
      if schema.slots[open.slot].kind == .references, let twice = firstRepeated(open.values) {
        return report(
          open.slot, "duplicate id in a to-many relation: \(twice.display)")
      }
      if schema.slots[open.slot].hasRules {
        reportAll(open.slot, schema.fields[open.slot].violations(ofList: open.values))
      }
      rows[count - 1, open.slot] = .arena(open.start..<rows.arena.count)
    case .remove, .append: setEdit(open.slot, open.role, at: open.start)
    }
  }

  /// Stores the offset of the list to remove or to append; a record can set either or both.
  private mutating func setEdit(_ slot: Int, _ role: ListRole, at offset: Int) {
    var edit = ListEdit(rows[count - 1, slot])
    if role == .remove { edit.removed = offset } else { edit.appended = offset }
    rows[count - 1, slot] = edit.cell
  }

  private func firstRepeated(_ values: [Value]) -> Value? {
    var seen: Set<Value> = []
    return values.first { !seen.insert($0).inserted }
  }
}

/// The arena offsets of the two lists of an edit, and their encoding in a cell.
struct ListEdit {
  var removed: Int?
  var appended: Int?

  private static let none = UInt32.max

  init(_ cell: Cell) {
    guard cell.operation == .edit else { return }
    let offsets = (UInt32(cell.bits >> 32), UInt32(truncatingIfNeeded: cell.bits))
    removed = offsets.0 == Self.none ? nil : Int(offsets.0)
    appended = offsets.1 == Self.none ? nil : Int(offsets.1)
  }

  var cell: Cell {
    let high = removed.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    let low = appended.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    return Cell(kind: .arena, bits: UInt64(high) << 32 | UInt64(low), operation: .edit)
  }
}
