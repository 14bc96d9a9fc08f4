import DataModel
import JSONText

/// Parsing of literals, according to the type that they are compared with.
extension ConditionChecker {
  /// Returns the value of a literal. It is parsed as the type of `subject`, the left side of the
  /// test.
  mutating func value(
    _ literal: Literal, for subject: Subject
  ) throws(ConditionError) -> Value {
    if subject.type == .file {
      throw ConditionError(
        "\(subject.name) is a file, which cannot be compared", subject.range,
        hint: "compare its name, type, size or sha256: \(subject.name).name")
    }
    return try value(literal, subject.valueType, subject.name)
  }

  /// Returns the value of a literal, parsed as the given type.
  ///
  /// - Parameter name: The name of the field that the value is compared with, for error messages.
  mutating func value(
    _ literal: Literal, _ type: FieldType, _ name: String
  ) throws(ConditionError) -> Value {
    switch literal.kind {
    case .null:
      throw ConditionError(
        "cannot compare with null", literal.range, hint: "write \"\(name) is null\"")
    case .parameter(let parameter):
      return try value(ofParameter: parameter, type, name, literal.range)
    case .text(let text): return try value(ofQuoted: text, type, name, literal.range)
    case .number(let number): return try value(ofNumber: number, type, name, literal.range)
    case .boolean(let boolean):
      guard type == .boolean || type == .json else {
        throw mismatch(name, type, "\(boolean)", literal.range)
      }
      return .boolean(boolean)
    case .now(let plus) where type == .date:
      try checkIsDays(plus, literal.range)
      let today = CalendarDate(zone?.offsets.local(now) ?? now)
      guard let date = today.shifted(microseconds: plus) else {
        throw ConditionError("the date is outside the years 0001 to 9999", literal.range)
      }
      return .date(date)
    case .now(let plus):
      guard type == .datetime else { throw mismatch(name, type, "a datetime", literal.range) }
      return .datetime(try moment(plus, literal.range))
    case .duration(_, let text): throw ConditionError(unexpectedDuration: text, literal.range)
    case .point(let latitude, let longitude):
      guard type == .geopoint else { throw mismatch(name, type, "a geopoint", literal.range) }
      return .geopoint(try point(latitude, longitude, literal.range))
    case .json(let text):
      guard type == .json else { throw mismatch(name, type, "json", literal.range) }
      return try json(text, name, literal.range)
    }
  }

  /// Returns a literal as a floating-point number.
  ///
  /// - Parameter name: The meaning of the number, such as `the distance`, for error messages.
  mutating func number(_ literal: Literal, _ name: String) throws(ConditionError) -> Double {
    try value(literal, .number, name).double ?? 0
  }

  /// Converts a literal to a geographic point, which is the center of a circle.
  mutating func pointValue(_ literal: Literal) throws(ConditionError) -> Value {
    try value(literal, .geopoint, "the center")
  }

  private func value(
    ofQuoted text: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    let form = type.descriptor.textForm
    if form == .quoted || type == .json { return try parsed(text, type, name, range) }
    let unquoted = form == .bare ? try? value(ofText: text, type, name, range) : nil
    throw mismatch(
      name, type, "text \(Excerpt.quoted(text))", range,
      hint: unquoted == nil ? nil : "write the value without quotes")
  }

  /// Returns the value of a text that is not in quotes.
  func value(
    ofText text: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    if type.isNumeric, NumberText.isJSONNumber(text.utf8.span) {
      return try value(ofNumber: text, type, name, range)
    }
    return try parsed(text, type, name, range)
  }

  private func parsed(
    _ text: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    let parsed = type == .geopoint ? Self.coordinates(inJSON: text) ?? text : text
    do throws(ValueTextError) {
      return try type.descriptor.parse(parsed.utf8.span)
    } catch {
      switch error {
      case .mismatch:
        throw mismatch(
          name, type, "text \(Excerpt.quoted(text))", range,
          hint: type == .boolean ? Self.hint(forBoolean: text, "=", name) : nil)
      case .invalid(let message, let hint):
        throw ConditionError("\(name): \(message)", range, hint: hint)
      }
    }
  }

  /// Returns the coordinates of a point such as `{"lat": 47.37, "lon": 8.54}` in the form
  /// `47.37,8.54`. Returns nil if the text is not such an object.
  private static func coordinates(inJSON text: String) -> String? {
    guard text.utf8.first == UInt8(ascii: "{"), let json = try? JSONValue(parsing: text),
      case .object(let members) = json, members.count == 2,
      case .number(let latitude)? = json["lat"], case .number(let longitude)? = json["lon"]
    else { return nil }
    return "\(latitude.text),\(longitude.text)"
  }

  private func value(
    ofNumber number: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    do throws(NumberText.ParseError) {
      if let literal = type.descriptor.literal { return try literal(number.utf8.span) }
    } catch {
      throw ConditionError(
        "\(name): " + error.message(of: number.utf8.span, expected: type.nameWithArticle), range)
    }
    let shown = number.utf8.count > 60 ? number.prefix(60) + "…" : number
    throw mismatch(
      name, type, shown, range,
      hint: type == .text
        ? "write text in single quotes: '\(shown)'"
        : type == .boolean ? Self.hint(forBoolean: number, " = ", name) : nil)
  }

  /// Returns a hint for a literal 0 or 1 that is compared with a boolean field.
  private static func hint(forBoolean text: String, _ sign: String, _ name: String) -> String? {
    switch text {
    case "1", "yes": "write \(name)\(sign)true"
    case "0", "no": "write \(name)\(sign)false"
    default: nil
    }
  }

  private func datetime(
    _ text: String, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Timestamp {
    do throws(Timestamp.ParseError) {
      return try Timestamp(parsing: text.utf8.span)
    } catch {
      throw ConditionError(
        "\(name): " + error.message(of: text.utf8.span), range,
        hint: error == .tooPrecise ? nil : error.hint)
    }
  }

  private func moment(_ plus: Int64, _ range: Range<Int>) throws(ConditionError) -> Timestamp {
    let (sum, overflows) = now.microseconds.addingReportingOverflow(plus)
    guard !overflows, let moment = Timestamp(microseconds: sum) else {
      throw ConditionError("the datetime is outside the years 0001 to 9999", range)
    }
    return moment
  }

  private func json(
    _ text: String, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    var compact: [UInt8] = []
    do throws(ScanError) {
      compact = try JSONScanner.compactValue(text.utf8.span)
    } catch {
      throw ConditionError("\(name): not valid JSON: \(error.kind.message)", range)
    }
    let value = JSONPathEvaluator.scalar(compact.span)
    if case .number(let double) = value, !double.isFinite {
      throw ConditionError("\(name): exceeds the range of a number", range)
    }
    if value == .null {
      throw ConditionError(
        "cannot compare with null", range, hint: "write \"\(name) is null\"")
    }
    return value
  }

  private func mismatch(
    _ name: String, _ type: FieldType, _ found: String, _ range: Range<Int>,
    hint: String? = nil
  ) -> ConditionError {
    let expected = type.descriptor.phrases.operand
    return ConditionError("\(name): expected \(expected), found \(found)", range, hint: hint)
  }

  /// Returns the parsed pattern of a `like` or `ilike` test.
  mutating func pattern(
    _ literal: Literal, _ letters: LikePattern.Letters
  ) throws(ConditionError) -> LikePattern {
    if parameters.isOfRule, case .parameter = literal.kind {
      throw ConditionError("an access rule cannot use a parameter as a pattern", literal.range)
    }
    guard case .text(let text) = try value(literal, .text, "the pattern") else {
      throw ConditionError("expected a pattern as text", literal.range)
    }
    do throws(LikePattern.ParseError) {
      return try LikePattern(text, letters)
    } catch {
      switch error {
      case .endsInEscape:
        throw ConditionError(
          "the pattern ends with an unescaped \\", literal.range,
          hint: "write \\\\ for a literal \\")
      case .tooLong:
        throw ConditionError(
          "a pattern can have at most \(LikePattern.maxLength) characters", literal.range)
      }
    }
  }
}

/// Parsing of parameter values, according to the type that they are compared with.
extension ConditionChecker {
  /// Returns the value of a parameter, parsed as the given type.
  ///
  /// - Parameter name: The name of the field that the value is compared with, for error messages.
  mutating func value(
    ofParameter parameter: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    switch parameters.lookUp(parameter) {
    case .deferred: return type.elementOrSelf.descriptor.sample
    case .unknownInRule:
      throw ConditionError(
        "an access rule has no parameter :\(parameter)", range,
        hint: ":user is the id of the acting user")
    case .user(let id):
      guard type.isText || type.relation != nil else {
        throw mismatch(name, type, "the id of a user", range)
      }
      return .text(id)
    case .missing:
      let suggestion = errors.isFull ? nil : nearest(parameter, among: parameters.names)
      var error = ConditionError(
        "the parameter \(parameter) is missing", range,
        hint: suggestion.map { "did you mean :\($0)?" }
          ?? "pass --param \(parameter)\(type == .json ? ":=JSON" : "=VALUE")")
      error.isRepeated = !parameters.noteMissing(parameter)
      throw error
    case .value(.text(let text)):
      guard type != .json else {
        throw ConditionError(
          "\(name) is json, so the parameter needs a JSON value", range,
          hint: "pass the parameter as JSON: --param \(parameter):='\"text\"', or \(parameter):=3"
        )
      }
      return try value(ofText: text, type, name, range)
    case .value(.json(.text(let text))) where type == .geopoint:
      return try value(ofText: text, type, name, range)
    case .value(.json(let json)):
      let literal = Literal(json, for: type, range) ?? Literal(kind: .null, range: range)
      return try value(literal, type, name)
    }
  }
}

extension ConditionChecker {
  /// Returns whether a literal is a parameter that has no value yet, because the condition is only
  /// validated.
  mutating func isDeferred(_ literal: Literal) -> Bool {
    guard case .parameter(let name) = literal.kind, case .deferred = parameters.lookUp(name) else {
      return false
    }
    return true
  }
}
