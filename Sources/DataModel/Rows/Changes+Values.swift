/// The setters, which validate one value of the open record and report its problems.
extension RowChanges {
  /// Sets a field to a text.
  ///
  /// - Parameter offset: The offset of the text in the input, where it must not contain NUL; nil if
  ///   the text must be copied.
  package mutating func set(_ slot: Int, text: Span<UInt8>, at offset: Int? = nil) {
    if offset == nil && schema.slots[slot].kind != .password && hasNUL(text) {
      return report(slot, "expected text without NUL")
    }
    switch schema.slots[slot].kind {
    case .text: setText(slot, text: text, at: offset)
    case .id, .reference: set(slot, id: text, at: offset)
    case .datetime: set(slot, datetime: text)
    case .integer:
      do throws(NumberText.ParseError) {
        set(slot, integer: try NumberText.integer(fromDigits: text))
      } catch {
        report(slot, "expected integer, found text \(Excerpt.quoted(text))")
      }
    case .password: set(slot, password: text)
    case .system: setSystem(slot, text: text)
    case .number, .boolean, .geopoint, .file, .json, .references, .array:
      reportMismatch(slot, found: "text \(Excerpt.quoted(text))")
    }
  }

  /// Sets a field to a number, given as the text of a JSON number.
  package mutating func set(_ slot: Int, number: Span<UInt8>) {
    switch schema.slots[slot].kind {
    case .integer:
      do throws(NumberText.ParseError) {
        set(slot, integer: try NumberText.integer(number))
      } catch {
        report(slot, error.message(of: number, expected: "integer"))
      }
    case .number:
      do throws(NumberText.ParseError) {
        set(slot, double: try NumberText.double(number))
      } catch {
        report(slot, error.message(of: number, expected: "number"))
      }
    case .id, .reference:
      guard let integer = try? NumberText.integer(number) else {
        return reportMismatch(slot, found: "number \(numberExcerpt(number))")
      }
      set(slot, id: "\(integer)".utf8.span, at: nil)
    case .system where schema.name(of: slot) == SystemField.revision.name:
      setRevision(slot, number: number)
    case .text, .boolean, .datetime, .geopoint, .file, .json, .password, .references, .array,
      .system:
      reportMismatch(slot, found: "number \(numberExcerpt(number))")
    }
  }

  /// Sets a field to a boolean.
  package mutating func set(_ slot: Int, boolean: Bool) {
    guard schema.slots[slot].kind == .boolean else {
      return reportMismatch(slot, found: "\(boolean)")
    }
    rows[count - 1, slot] = .integer(boolean ? 1 : 0)
  }

  /// Sets a field to null.
  package mutating func setNull(_ slot: Int) {
    let kind = schema.slots[slot].kind
    if kind == .id {
      report(slot, "expected id, found null")
    } else if kind == .references {
      report(slot, "a to-many relation cannot be null", hint: "pass [] to clear it")
    } else if schema.slots[slot].isRequired {
      report(slot, "required, found null")
    } else if kind == .system && schema.type(of: slot) != .text {
      report(slot, "expected \(schema.type(of: slot).name), found null")
    }
    rows[count - 1, slot] = .null
  }

  /// Sets a field to a geographic point.
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

  /// Sets a field to a JSON value, given as text without insignificant whitespace.
  ///
  /// - Parameter offset: The offset of the text in the input; nil if the text must be copied.
  package mutating func set(_ slot: Int, json: Span<UInt8>, at offset: Int? = nil) {
    guard schema.slots[slot].kind == .json else { return reportMismatch(slot, found: "json") }
    if let offset {
      rows[count - 1, slot] = .input(offset..<offset + json.count)
    } else {
      rows[count - 1, slot] = rows.store(json)
    }
  }

  /// Sets a field to a file reference, with its content unless the store already has it.
  package mutating func set(_ slot: Int, file: FileReference, content: FileContent?) {
    guard schema.slots[slot].kind == .file else { return reportMismatch(slot, found: "a file") }
    let start = rows.arena.count
    file.append(to: &rows.arena)
    rows[count - 1, slot] = .arena(start..<rows.arena.count)
    if let content { addContent(content, slot: slot) }
  }

  /// Sets a field to its stored value plus or minus a number.
  package mutating func set(_ slot: Int, adding number: Span<UInt8>, negated: Sign = .plus) {
    switch schema.slots[slot].kind {
    case .integer:
      do throws(NumberText.ParseError) {
        let integer = try NumberText.integer(number)
        guard integer != .min || negated == .plus else {
          return report(slot, "subtracting \(integer) overflows 64 bits")
        }
        rows[count - 1, slot] = .integer(negated == .minus ? -integer : integer)
      } catch {
        return report(slot, error.message(of: number, expected: "integer to add"))
      }
    case .number:
      do throws(NumberText.ParseError) {
        let double = try NumberText.double(number)
        rows[count - 1, slot] = .number(negated == .minus ? -double : double)
      } catch {
        return report(slot, error.message(of: number, expected: "number to add"))
      }
    case .id, .text, .boolean, .datetime, .geopoint, .file, .json, .password, .reference,
      .references, .array, .system:
      return report(slot, "cannot add to \(schema.type(of: slot).name)")
    }
    rows[count - 1, slot].operation = .add
  }

  /// Whether a number is added or subtracted.
  package enum Sign: Sendable {
    case plus
    case minus
  }

  /// Reports that the value's kind does not match the field's type.
  package mutating func reportMismatch(_ slot: Int, found: String) {
    let isPassword = schema.slots[slot].kind == .password
    report(
      slot,
      "expected \(schema.type(of: slot).expectation), found \(isPassword ? "another type" : found)"
    )
  }

  /// The largest revision that input can set; it leaves enough larger numbers for all later
  /// changes.
  static let maxRevision: Int64 = 1 << 53

  private func hasNUL(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] == 0 { return true }
    return false
  }

  private mutating func setText(_ slot: Int, text: Span<UInt8>, at offset: Int?) {
    if text.count > schema.slots[slot].uncheckedLength {
      reportAll(slot, schema.fields[slot].violations(ofText: text))
    }
    if let offset {
      rows[count - 1, slot] = .input(offset..<offset + text.count)
    } else {
      rows[count - 1, slot] = rows.store(text)
    }
  }

  private mutating func set(_ slot: Int, id: Span<UInt8>, at offset: Int?) {
    guard IDs.isValid(id) else {
      return report(
        slot,
        "expected an id of 1 to 255 bytes without control characters, found \(Excerpt.quoted(id))")
    }
    setText(slot, text: id, at: offset)
  }

  private mutating func set(_ slot: Int, password: Span<UInt8>) {
    if password.isEmpty {
      report(slot, "expected a password, found an empty text")
    }
    if password.indices.contains(where: { password[$0] == 0x0A || password[$0] == 0x0D }) {
      report(slot, "a password cannot contain a line break, since log-in reads a line")
    }
    if password.count > Schema.maxPasswordLength {
      report(
        slot,
        "a password has at most \(Schema.maxPasswordLength) bytes, found \(password.count)")
    }
    rows[count - 1, slot] = rows.store(password)
  }

  private mutating func set(_ slot: Int, datetime text: Span<UInt8>) {
    guard let time = timestamp(slot, text) else { return }
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(ofDatetime: time))
    }
    rows[count - 1, slot] = .integer(time.microseconds)
  }

  private mutating func set(_ slot: Int, integer: Int64) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(ofInteger: integer))
    }
    rows[count - 1, slot] = .integer(integer)
  }

  private mutating func set(_ slot: Int, double: Double) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(ofNumber: double))
    }
    rows[count - 1, slot] = .number(double)
  }

  mutating func timestamp(_ slot: Int, _ text: Span<UInt8>) -> Timestamp? {
    do throws(Timestamp.ParseError) {
      return try Timestamp(parsing: text, roundsTimes: roundsTimes)
    } catch {
      report(slot, error.message(of: text), hint: error.hint)
      return nil
    }
  }

  mutating func reportAll(_ slot: Int, _ messages: [String]) {
    for message in messages { report(slot, message) }
  }

  private mutating func setSystem(_ slot: Int, text: Span<UInt8>) {
    let field = SystemField.allCases[slot - schema.fields.count]
    switch field {
    case .createdAt, .modifiedAt:
      if let time = timestamp(slot, text) { rows[count - 1, slot] = .integer(time.microseconds) }
    case .createdBy, .modifiedBy: set(slot, id: text, at: nil)
    case .revision:
      report(slot, "expected a revision, found text \(Excerpt.quoted(text))")
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
