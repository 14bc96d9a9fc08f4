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
    if offset == nil && schema.slots[slot].kind != .password && hasNUL(text) {
      return report(slot, "expected text without NUL")
    }
    switch schema.slots[slot].kind {
    case .text: setText(slot, text: text, at: offset)
    case .id, .reference: set(slot, id: text, at: offset)
    case .date: set(slot, date: text)
    case .datetime: set(slot, datetime: text)
    case .integer:
      do throws(NumberText.ParseError) {
        set(slot, integer: try NumberText.integer(fromDigits: text))
      } catch {
        if setLeniently(slot, text) { return }
        report(
          slot, "expected integer, found text \(Excerpt.quoted(text))",
          hint: hintForLenience(slot, text))
      }
    case .password:
      if text.isEmpty, setLeniently(slot, text) { return }
      set(slot, password: text)
    case .system: setSystem(slot, text: text)
    case .geopoint: set(slot, geopoint: text)
    case .number, .boolean, .file, .json, .references, .array:
      if setLeniently(slot, text) { return }
      reportMismatch(
        slot, found: "text \(Excerpt.quoted(text))", hint: hintForLenience(slot, text))
    }
  }

  /// Returns the hint to pass `--lenient` if the text is valid only with this option, or nil for
  /// other text.
  private func hintForLenience(_ slot: Int, _ text: Span<UInt8>) -> String? {
    guard !conversions.isLenient else { return nil }
    let isAccepted =
      switch schema.slots[slot].kind {
      case .boolean: ValueConversions.boolean(text) != nil
      case .integer, .number: ValueConversions.number(text) != nil
      case .id, .text, .date, .datetime, .geopoint, .file, .json, .password, .reference,
        .references, .array, .system:
        false
      }
    return isAccepted ? "to accept this value, pass --lenient to save" : nil
  }

  /// Sets a field to text in a format that only `--lenient` accepts, such as `yes` for a boolean.
  /// Returns false without this option, or if the text is not valid.
  private mutating func setLeniently(_ slot: Int, _ text: Span<UInt8>) -> Bool {
    guard conversions.isLenient else { return false }
    let kind = schema.slots[slot].kind
    if text.isEmpty, kind != .text, kind != .json {
      setNull(slot)
      return true
    }
    switch kind {
    case .boolean:
      guard let boolean = ValueConversions.boolean(text) else { return false }
      set(slot, boolean: boolean)
    case .integer, .number:
      guard let number = ValueConversions.number(text) else { return false }
      set(slot, number: number.span)
    case .id, .text, .date, .datetime, .geopoint, .file, .json, .password, .reference, .references,
      .array,
      .system:
      return false
    }
    return true
  }

  /// Sets a field to a geographic point of the form `LAT,LON`.
  private mutating func set(_ slot: Int, geopoint text: Span<UInt8>) {
    do throws(GeoPoint.ParseError) {
      let point = try GeoPoint(parsing: text)
      set(slot, latitude: point.latitude, longitude: point.longitude)
    } catch {
      if setLeniently(slot, text) { return }
      let rule =
        switch error {
        case .notAPoint: ""
        case .latitude: " with -90 ≤ lat ≤ 90"
        case .longitude: " with -180 ≤ lon ≤ 180"
        }
      reportMismatch(slot, found: "text \(Excerpt.quoted(text))", rule: rule)
    }
  }

  /// Sets a field to a number, which is passed as the text of a JSON number.
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
        let double = try NumberText.double(number)
        if hasLostDigits(slot, number) { return }
        set(slot, double: double)
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
    case .boolean, .date, .datetime:
      guard conversions.isLenient else { fallthrough }
      set(slot, text: number)
    case .text, .geopoint, .file, .json, .password, .references, .array, .system:
      reportMismatch(slot, found: "number \(numberExcerpt(number))")
    }
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
    guard schema.slots[slot].kind == .boolean else {
      return reportMismatch(slot, found: "\(boolean)")
    }
    rows[count - 1, slot] = .integer(boolean ? 1 : 0)
  }

  /// Sets a field to null, and reports a problem if the field cannot be null.
  package mutating func setNull(_ slot: Int) {
    let kind = schema.slots[slot].kind
    if kind == .id {
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
    case .id, .text, .boolean, .date, .datetime, .geopoint, .file, .json, .password, .reference,
      .references, .array, .system:
      return report(slot, "cannot add to \(schema.type(of: slot).name)")
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
      if id.isEmpty, setLeniently(slot, id) { return }
      return report(
        slot,
        "expected an id of 1 to 255 bytes without control characters, found \(Excerpt.quoted(id))")
    }
    setText(slot, text: id, at: offset)
  }

  private mutating func set(_ slot: Int, password: Span<UInt8>) {
    if password.isEmpty {
      report(slot, "expected a password, found an empty string")
    } else {
      let least = schema.fields[slot].minimumPasswordLength
      let length = UTF8Check.scalarCount(in: password)
      if length < least {
        report(slot, "a password must have at least \(least) characters, found \(length)")
      }
    }
    if password.indices.contains(where: { password[$0] == 0x0A || password[$0] == 0x0D }) {
      report(slot, "a password cannot contain a line break, because login reads only one line")
    }
    if password.count > Schema.maxPasswordLength {
      report(
        slot,
        "a password can have at most \(Schema.maxPasswordLength) bytes, found \(password.count)")
    }
    rows[count - 1, slot] = rows.store(password)
  }

  private mutating func set(_ slot: Int, date text: Span<UInt8>) {
    if text.isEmpty, setLeniently(slot, text) { return }
    guard let date = date(slot, text) else { return }
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .date(date)))
    }
    rows[count - 1, slot] = rows.store(text)
  }

  /// Parses a date. If the text is not valid, reports a problem and returns nil.
  mutating func date(_ slot: Int, _ text: Span<UInt8>) -> CalendarDate? {
    do throws(CalendarDate.ParseError) {
      return try CalendarDate(parsing: text)
    } catch {
      let others =
        error == .notADate && CalendarDate.isResembled(by: text)
        ? CalendarDate.hintForOtherNotations : ""
      report(slot, error.message(of: text), hint: error.hint.map { $0 + others })
      return nil
    }
  }

  private mutating func set(_ slot: Int, datetime text: Span<UInt8>) {
    if text.isEmpty, setLeniently(slot, text) { return }
    guard let time = timestamp(slot, text) else { return }
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .datetime(time)))
    }
    rows[count - 1, slot] = .integer(time.microseconds)
  }

  private mutating func set(_ slot: Int, integer: Int64) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .integer(integer)))
    }
    rows[count - 1, slot] = .integer(integer)
  }

  private mutating func set(_ slot: Int, double: Double) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .number(double)))
    }
    rows[count - 1, slot] = .number(double)
  }

  mutating func timestamp(_ slot: Int, _ text: Span<UInt8>) -> Timestamp? {
    do throws(Timestamp.ParseError) {
      return try Timestamp(parsing: text, roundsTimes: conversions.roundsTimes)
    } catch {
      return convertedTimestamp(slot, text, rejected: error)
    }
  }

  /// Parses a time that is not in the default format, in one of the additional formats that
  /// `conversions` permits. If the text has none of these formats, reports a problem and returns
  /// nil.
  ///
  /// - Parameter error: The error from parsing the default format. It is reported if `conversions`
  ///   permits no additional format.
  private mutating func convertedTimestamp(
    _ slot: Int, _ text: Span<UInt8>, rejected error: Timestamp.ParseError
  ) -> Timestamp? {
    var error = error
    if conversions.isLenient || conversions.zone != nil {
      do throws(Timestamp.ParseError) {
        return try Timestamp(parsing: text, by: conversions)
      } catch let found {
        error = found
      }
    }
    var others = error == .missingOffset ? ", or pass --assume-zone to save" : ""
    if !conversions.isLenient, error == .notADateTime, isTimeWithoutSeconds(text) {
      others = ", or pass --lenient to save"
    } else if error == .notADateTime, CalendarDate.isResembled(by: text) {
      others = CalendarDate.hintForOtherNotations
    }
    report(slot, error.message(of: text), hint: error.hint.map { $0 + others })
    return nil
  }

  /// Returns whether the text is a datetime without seconds, such as `2026-11-20 08:30`. Its UTC
  /// offset may also be missing.
  private func isTimeWithoutSeconds(_ text: Span<UInt8>) -> Bool {
    do throws(Timestamp.ParseError) {
      _ = try Timestamp(parsing: text, by: ValueConversions(isLenient: true))
      return text.count > 10
    } catch {
      return error == .missingOffset
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
