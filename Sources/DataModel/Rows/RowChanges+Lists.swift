import JSONText

/// The setters for arrays and to-many relations, which receive one element after another.
extension RowChanges {
  /// How the elements of a list change the field.
  package enum ListRole: Sendable {
    /// The elements replace the stored value.
    case value
    /// The elements are removed from the stored list.
    case remove
    /// The elements are appended to the stored list.
    case append
  }

  /// A list that was begun with `openList` and not yet ended with `closeList`. Its elements are
  /// written directly to `Rows.arena`.
  struct OpenList: Sendable {
    var slot: Int
    var role: ListRole
    var start: Int
    var count = 0
    /// The elements of the list. They are kept only if they are needed to validate the list.
    var values: [Value] = []
    var keepsValues: Bool
    var problemCount: Int
  }

  /// Begins a list for a field. Append its elements, then call `closeList`.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - role: What happens to the elements: they replace the stored list, are removed from it, or
  ///     are appended to it.
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

  mutating func appendElement(_ value: Value) {
    beginElement()
    ListText.append(value, to: &rows.arena)
    if list?.keepsValues == true { list?.values.append(value) }
  }

  mutating func appendElement(text: Span<UInt8>) {
    beginElement()
    JSONQuote.append(text, to: &rows.arena)
    if list?.keepsValues == true { list?.values.append(.text(String(decoding: text))) }
  }

  private mutating func beginElement() {
    if list?.count ?? 0 > 0 { rows.arena.append(UInt8(ascii: ",")) }
    list?.count += 1
  }

  /// Appends text to the list that was begun with `openList`, or reports a problem if the text is
  /// not a valid element.
  package mutating func append(text: Span<UInt8>) {
    guard let slot = list?.slot else { return }
    guard let element = schema.setters[slot].element else {
      return reportElementMismatch(slot, text: text)
    }
    element.appendText(&self, slot, text)
  }

  /// Reports text for a list whose elements are no strings, unless `--lenient` accepts the text.
  mutating func reportElementMismatch(_ slot: Int, text: Span<UInt8>) {
    if appendLeniently(text, slot) { return }
    reportMismatch(slot, found: "text \(Excerpt.quoted(text)) as an element")
  }

  mutating func reportElementMismatch(_ slot: Int, number: Span<UInt8>) {
    reportMismatch(slot, found: "number \(numberExcerpt(number)) as an element")
  }

  /// Appends text to the list in a format that only `--lenient` accepts, such as `yes` for a
  /// boolean. Returns false without this option, or if the text is not valid.
  mutating func appendLeniently(_ text: Span<UInt8>, _ slot: Int) -> Bool {
    guard let lenience = conversions.lenience, case .array(let element) = schema.type(of: slot),
      let json = element.fieldType.descriptor.lenientJSON(text, lenience)
    else { return false }
    if element == .boolean {
      append(boolean: json.span.isEqual(to: "true".utf8.span))
    } else {
      append(number: json.span)
    }
    return true
  }

  /// Appends a number to the list that was begun with `openList`. The number is passed as the text
  /// of a JSON number.
  package mutating func append(number: Span<UInt8>) {
    guard let slot = list?.slot else { return }
    guard let element = schema.setters[slot].element else {
      return reportElementMismatch(slot, number: number)
    }
    do throws(NumberText.ParseError) {
      try element.appendNumber(&self, slot, number)
    } catch {
      report(slot, error.message(of: number, expected: schema.type(of: slot).expectation))
    }
  }

  /// Appends a number to a list whose elements are no numbers, if `--lenient` accepts it as text.
  mutating func appendNumberLeniently(_ slot: Int, _ number: Span<UInt8>) {
    if conversions.isLenient {
      append(text: number)
    } else {
      reportElementMismatch(slot, number: number)
    }
  }

  /// Appends a boolean to the list that was begun with `openList`.
  package mutating func append(boolean: Bool) {
    guard let slot = list?.slot else { return }
    guard schema.type(of: slot) == .array(.boolean) else {
      return reportMismatch(slot, found: "\(boolean) as an element")
    }
    appendElement(.boolean(boolean))
  }

  /// Reports an element of a kind that no list can contain: null, an array, or an object.
  package mutating func appendInvalid(_ found: String, hint: String? = nil) {
    guard let slot = list?.slot else { return }
    reportMismatch(slot, found: "\(found) as an element", hint: hint)
  }

  /// Ends the list that was begun with `openList`, validates it, and sets the field.
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

  /// Adds a list to the edit in the field's cell. An edit can contain one list of elements to
  /// remove and one list of elements to append.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - role: What happens to the elements: they are removed or appended.
  ///   - offset: The offset of the list in `Rows.arena`.
  private mutating func setEdit(_ slot: Int, _ role: ListRole, at offset: Int) {
    var edit = ListEdit(rows[count - 1, slot])
    if role == .remove { edit.removed = offset } else { edit.appended = offset }
    edit.size += rows.arena.count - offset
    rows[count - 1, slot] = edit.cell
  }

  private func firstRepeated(_ values: [Value]) -> Value? {
    // A set of a few values would take longer than to compare them.
    if values.count <= 8 {
      for (index, value) in values.enumerated() where values[..<index].contains(value) {
        return value
      }
      return nil
    }
    var seen: Set<Value> = []
    return values.first { !seen.insert($0).inserted }
  }
}
