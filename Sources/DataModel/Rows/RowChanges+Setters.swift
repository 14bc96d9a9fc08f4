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

  /// Returns a hint for text that only lenient conversions accept, or nil for other text.
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

  /// Sets a field to text in a format that only lenient conversions accept, such as `yes` for a
  /// boolean. Returns false if the conversions are not lenient or the text is not valid.
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
    case .boolean, .date, .datetime:
      guard conversions.isLenient else { fallthrough }
      set(slot, text: number)
    case .text, .geopoint, .file, .json, .password, .references, .array, .system:
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

  /// What a change does with a number: it is added to the stored value or subtracted from it.
  package enum Sign: Sendable {
    case plus
    case minus
  }

  /// Reports that a value in the input is of a kind that the type of the field does not accept.
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

  /// The largest revision that the input can set. The store increments the revision with each
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
  private mutating func date(_ slot: Int, _ text: Span<UInt8>) -> CalendarDate? {
    do throws(CalendarDate.ParseError) {
      return try CalendarDate(parsing: text)
    } catch {
      report(slot, error.message(of: text), hint: error.hint)
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

  private mutating func timestamp(_ slot: Int, _ text: Span<UInt8>) -> Timestamp? {
    do throws(Timestamp.ParseError) {
      return try Timestamp(parsing: text, roundsTimes: conversions.roundsTimes)
    } catch {
      return convertedTimestamp(slot, text, rejected: error)
    }
  }

  /// Parses a time that is not in the default format, in a format that the conversions accept. If
  /// the text is not valid, reports a problem and returns nil.
  ///
  /// - Parameter error: The error from parsing the default format. It is reported if the
  ///   conversions accept no other format.
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
    }
    report(slot, error.message(of: text), hint: error.hint.map { $0 + others })
    return nil
  }

  /// Returns whether only the seconds are missing for a datetime with or without a UTC offset.
  private func isTimeWithoutSeconds(_ text: Span<UInt8>) -> Bool {
    do throws(Timestamp.ParseError) {
      _ = try Timestamp(parsing: text, by: ValueConversions(isLenient: true))
      return text.count > 10
    } catch {
      return error == .missingOffset
    }
  }

  private mutating func reportAll(_ slot: Int, _ messages: [String]) {
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
  /// written directly to the arena.
  struct OpenList: Sendable {
    var slot: Int
    var role: ListRole
    var start: Int
    var count = 0
    /// The appended elements, which are kept only if they are needed to validate the list.
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

  /// Appends text to the list that was begun with `openList`, or reports a problem if the text is
  /// not a valid element.
  package mutating func append(text: Span<UInt8>) {
    guard let slot = list?.slot else { return }
    switch schema.type(of: slot) {
    case .array(.text):
      if let nul = text.indices.first(where: { text[$0] == 0 }) {
        return report(slot, "expected text without NUL, found one at byte \(nul + 1)")
      }
      appendElement(text: text)
    case .array(.date):
      if let date = date(slot, text) { appendElement(.date(date)) }
    case .array(.datetime):
      if let time = timestamp(slot, text) { appendElement(.datetime(time)) }
    case .array(.integer):
      if let integer = try? NumberText.integer(fromDigits: text) {
        appendElement(.integer(integer))
      } else if !appendLeniently(text, slot) {
        report(slot, "expected integers, found text \(Excerpt.quoted(text))")
      }
    case .relation:
      guard IDs.isValid(text) else {
        return report(
          slot,
          "expected ids of 1 to 255 bytes without control characters, found \(Excerpt.quoted(text))"
        )
      }
      appendElement(text: text)
    case .array(.number), .array(.boolean), .id, .text, .integer, .number, .boolean, .date,
      .datetime,
      .geopoint, .file, .json, .password:
      if appendLeniently(text, slot) { return }
      reportMismatch(slot, found: "text \(Excerpt.quoted(text)) as an element")
    }
  }

  /// Appends text in a format that only lenient conversions accept to the list. Returns false if
  /// the conversions are not lenient or the text is not valid.
  private mutating func appendLeniently(_ text: Span<UInt8>, _ slot: Int) -> Bool {
    guard conversions.isLenient, case .array(let element) = schema.type(of: slot) else {
      return false
    }
    switch element {
    case .boolean:
      guard let boolean = ValueConversions.boolean(text) else { return false }
      append(boolean: boolean)
    case .integer, .number:
      guard let number = ValueConversions.number(text) else { return false }
      append(number: number.span)
    case .text, .date, .datetime: return false
    }
    return true
  }

  /// Appends a number to the list that was begun with `openList`. The number is passed as the text
  /// of a JSON number.
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
      case .array(.boolean) where conversions.isLenient,
        .array(.date) where conversions.isLenient,
        .array(.datetime) where conversions.isLenient:
        append(text: number)
      case .array(.text), .array(.boolean), .array(.date), .array(.datetime), .id, .text, .integer,
        .number, .boolean, .date, .datetime, .geopoint, .file, .json, .password:
        reportMismatch(slot, found: "number \(numberExcerpt(number)) as an element")
      }
    } catch {
      report(slot, error.message(of: number, expected: schema.type(of: slot).expectation))
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
  ///   - offset: The offset of the list in the arena.
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
