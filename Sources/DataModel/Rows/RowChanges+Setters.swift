import JSONText

/// The setters. Each one validates a value of the record that is being built, and reports its
/// problems.
extension RowChanges {
  /// Parses text according to the type of a field, and sets that field in the record that is being
  /// built.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - text: The UTF-8 text.
  ///   - offset: The offset of the text in the input, or nil to copy the text. If an offset is
  ///     given, the text must not contain NUL.
  package mutating func set(_ slot: Int, text: Span<UInt8>, at offset: Int? = nil) {
    let kind = schema.slots[slot].kind
    if offset == nil && kind != .password && hasNUL(text) {
      return report(slot, "expected text without NUL")
    }
    // Most values are text, which needs no indirect call.
    if kind == .text { return setText(slot, text: text, at: offset) }
    schema.setters[slot].setText(&self, slot, text, offset)
  }

  /// Reports text for a field whose values are no strings, unless `--lenient` accepts the text.
  mutating func reportTextOrSetLeniently(_ slot: Int, _ text: Span<UInt8>) {
    if setLeniently(slot, text) { return }
    reportMismatch(
      slot, found: "text \(Excerpt.quoted(text))", hint: hintForLenience(slot, text))
  }

  /// Returns the hint to pass `--lenient` if the text is valid only with this option, or nil for
  /// other text.
  func hintForLenience(_ slot: Int, _ text: Span<UInt8>) -> String? {
    guard !conversions.isLenient, lenientJSON(slot, text, Lenience()) != nil else { return nil }
    return "to accept this value, pass --lenient to save"
  }

  private func lenientJSON(
    _ slot: Int, _ text: Span<UInt8>, _ lenience: Lenience
  ) -> [UInt8]? {
    schema.type(of: slot).descriptor.lenientJSON(text, lenience)
  }

  /// Sets a field to text in a format that only `--lenient` accepts, such as `yes` for a boolean.
  /// Returns false without this option, or if the text is not valid.
  mutating func setLeniently(_ slot: Int, _ text: Span<UInt8>) -> Bool {
    guard let lenience = conversions.lenience else { return false }
    let kind = schema.slots[slot].kind
    if text.isEmpty, kind != .text, kind != .json {
      setNull(slot)
      return true
    }
    guard let json = lenientJSON(slot, text, lenience) else { return false }
    if schema.slots[slot].storage == .boolean {
      set(slot, boolean: json.span.isEqual(to: "true".utf8.span))
    } else {
      set(slot, number: json.span)
    }
    return true
  }

  /// Sets a field to a number, which is passed as the text of a JSON number.
  package mutating func set(_ slot: Int, number: Span<UInt8>) {
    schema.setters[slot].setNumber(&self, slot, number)
  }

  /// Sets a field whose values are no numbers to a number, if `--lenient` accepts it as text.
  mutating func setNumberLeniently(_ slot: Int, _ number: Span<UInt8>) {
    if conversions.isLenient {
      set(slot, text: number)
    } else {
      reportMismatch(slot, number: number)
    }
  }

  mutating func reportMismatch(_ slot: Int, number: Span<UInt8>) {
    reportMismatch(slot, found: "number \(numberExcerpt(number))")
  }

  /// Returns whether a number has more digits than a double keeps, and `conversions` requires that
  /// such numbers are rejected. If so, reports a problem.
  mutating func hasLostDigits(_ slot: Int, _ number: Span<UInt8>) -> Bool {
    guard conversions.keepsDigits, NumberText.losslessType(of: number) == .text else {
      return false
    }
    report(
      slot, "the number has more digits than the type number keeps: \(numberExcerpt(number))",
      hint: "create the schema from the whole input with schema infer, or round the number")
    return true
  }

  /// Sets a field to a boolean.
  package mutating func set(_ slot: Int, boolean: Bool) {
    guard schema.slots[slot].storage == .boolean else {
      return reportMismatch(slot, found: "\(boolean)")
    }
    rows[count - 1, slot] = .integer(boolean ? 1 : 0)
  }

  /// Sets a field to null, and reports a problem if the field cannot be null.
  package mutating func setNull(_ slot: Int) {
    let kind = schema.slots[slot].kind
    if kind == .key {
      report(slot, "expected id, found null")
    } else if kind == .references {
      report(slot, "a to-many relation cannot be null", hint: "pass [] to clear the relation")
    } else if schema.slots[slot].isRequired {
      report(slot, "expected a value, found null")
    } else if kind == .system && schema.type(of: slot) != .text {
      report(slot, "expected \(schema.type(of: slot).name), found null")
    }
    rows[count - 1, slot] = .null
  }

  /// Sets a field to a geographic point, or reports a problem if the coordinates are out of range.
  package mutating func set(_ slot: Int, latitude: Double, longitude: Double) {
    guard schema.slots[slot].kind == .geopoint else {
      return reportMismatch(slot, found: "a geopoint")
    }
    guard let point = try? GeoPoint(latitude: latitude, longitude: longitude) else {
      return report(
        slot,
        "expected -90 ≤ lat ≤ 90 and -180 ≤ lon ≤ 180, found \(Value.number(latitude).display), \(Value.number(longitude).display)"
      )
    }
    let start = rows.arena.count
    point.append(to: &rows.arena)
    rows[count - 1, slot] = .arena(start..<rows.arena.count)
  }

  /// Sets a field to a JSON value, which is passed as text without insignificant whitespace.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - json: The JSON text.
  ///   - offset: The offset of the text in the input. If nil, the text is copied.
  package mutating func set(_ slot: Int, json: Span<UInt8>, at offset: Int? = nil) {
    guard schema.slots[slot].kind == .json else { return reportMismatch(slot, found: "json") }
    if let offset {
      rows[count - 1, slot] = .input(offset..<offset + json.count)
    } else {
      rows[count - 1, slot] = rows.store(json)
    }
  }

  /// Sets a field to a file reference.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - file: The file reference.
  ///   - content: The content of the file; nil if the store already has the content.
  package mutating func set(_ slot: Int, file: FileReference, content: FileContent?) {
    guard schema.slots[slot].kind == .file else { return reportMismatch(slot, found: "a file") }
    let start = rows.arena.count
    file.append(to: &rows.arena)
    rows[count - 1, slot] = .arena(start..<rows.arena.count)
    if let content { addContent(content, slot: slot) }
  }

  /// Changes a field by adding a number to its stored value, or subtracting the number from it.
  ///
  /// - Parameters:
  ///   - slot: The index of the field in the rows.
  ///   - number: The text of a JSON number.
  ///   - negated: `.minus` to subtract the number.
  package mutating func set(_ slot: Int, adding number: Span<UInt8>, negated: Sign = .plus) {
    guard let summand = schema.type(of: slot).descriptor.summand else {
      return report(slot, "cannot add to \(schema.type(of: slot).name)")
    }
    do throws(SummandError) {
      rows[count - 1, slot] = try summand(number, negated)
    } catch {
      return report(slot, error.message)
    }
    rows[count - 1, slot].operation = .add
  }

  /// Whether a number is added to the stored value or subtracted from it.
  package enum Sign: Sendable {
    case plus
    case minus
  }

  /// Reports a value in the input, such as a boolean, that does not match the type of the field.
  ///
  /// - Parameter rule: A restriction of the field that the message also mentions, such as a range
  ///   of allowed values.
  package mutating func reportMismatch(
    _ slot: Int, found: String, rule: String = "", hint: String? = nil
  ) {
    let isPassword = schema.slots[slot].kind == .password
    report(
      slot,
      "expected \(schema.type(of: slot).expectation)\(rule), "
        + "found \(isPassword ? "another type" : found)", hint: hint)
  }

  /// The largest revision that the input can contain. The store increments the revision with each
  /// change, so the limit is well below the largest integer.
  static let maxRevision: Int64 = 1 << 53

  private func hasNUL(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] == 0 { return true }
    return false
  }

  mutating func reportAll(_ slot: Int, _ messages: [String]) {
    for message in messages { report(slot, message) }
  }

  /// Sets a system field of the record, which `save --keep-system-fields` keeps.
  mutating func setSystem(_ slot: Int, _ field: SystemField, text: Span<UInt8>) {
    switch field {
    case .createdAt, .modifiedAt:
      if let time = timestamp(slot, text) { rows[count - 1, slot] = .integer(time.microseconds) }
    case .createdBy, .modifiedBy: set(slot, id: text, at: nil)
    case .revision:
      report(slot, "expected a revision, found text \(Excerpt.quoted(text))")
    }
  }

  mutating func setSystem(_ slot: Int, _ field: SystemField, number: Span<UInt8>) {
    if field == .revision {
      setRevision(slot, number: number)
    } else {
      reportMismatch(slot, number: number)
    }
  }

  private mutating func setRevision(_ slot: Int, number: Span<UInt8>) {
    guard let revision = try? NumberText.integer(number), 1...Self.maxRevision ~= revision else {
      return report(
        slot, "expected a revision: an integer from 1 to 2^53, found \(numberExcerpt(number))")
    }
    rows[count - 1, slot] = .integer(revision)
  }
}
