import DataModel

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
    switch try value(literal, .number, name) {
    case .number(let number): return number
    case .integer(let integer): return Double(integer)
    case .null, .text, .boolean, .date, .datetime, .geopoint, .file, .json, .list: return 0
    }
  }

  /// Converts a literal to a geographic point, which is the center of a circle.
  mutating func pointValue(_ literal: Literal) throws(ConditionError) -> Value {
    try value(literal, .geopoint, "the center")
  }

  private func value(
    ofQuoted text: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    switch type {
    case .id, .text, .relation, .json: return .text(text)
    case .date:
      do throws(CalendarDate.ParseError) {
        return .date(try CalendarDate(parsing: text.utf8.span))
      } catch {
        throw ConditionError(
          "\(name): " + error.message(of: text.utf8.span), range, hint: error.hint)
      }
    case .datetime: return .datetime(try datetime(text, name, range))
    case .integer, .number, .boolean:
      let unquoted = try? value(ofText: text, type, name, range)
      throw mismatch(
        name, type, "text \(Excerpt.quoted(text))", range,
        hint: unquoted == nil ? nil : "write the value without quotes")
    case .geopoint, .file, .password, .array:
      throw mismatch(name, type, "text \(Excerpt.quoted(text))", range)
    }
  }

  /// Parses the text of an argument or a parameter as the given type.
  func value(
    ofText text: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    switch type {
    case .integer, .number:
      guard NumberText.isJSONNumber(text.utf8.span) else {
        throw mismatch(name, type, "text \(Excerpt.quoted(text))", range)
      }
      return try value(ofNumber: text, type, name, range)
    case .boolean:
      guard text == "true" || text == "false" else {
        throw mismatch(
          name, type, "text \(Excerpt.quoted(text))", range,
          hint: Self.hint(forBoolean: text, "=", name))
      }
      return .boolean(text == "true")
    case .geopoint:
      let coordinates = Self.coordinates(inJSON: text) ?? text
      do throws(GeoPoint.ParseError) {
        return .geopoint(try GeoPoint(parsing: coordinates.utf8.span))
      } catch {
        throw ConditionError(
          "\(name): " + error.message(found: Excerpt.quoted(text)), range)
      }
    case .id, .text, .relation, .json, .date, .datetime, .file, .password, .array:
      return try value(ofQuoted: text, type, name, range)
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
      switch type {
      case .integer: return .integer(try NumberText.integer(number.utf8.span))
      case .number: return try exactNumber(number.utf8.span)
      case .id, .relation: return .text("\(try NumberText.integer(number.utf8.span))")
      case .json:
        let value = JSONPathEvaluator.scalar(number.utf8.span)
        if case .number(let double) = value, !double.isFinite { throw .beyondLargest }
        return value
      case .text, .boolean, .date, .datetime, .geopoint, .file, .password, .array: break
      }
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

  /// Parses a number that is compared with a number field. An integer that a double cannot
  /// represent exactly remains an integer. As a double, it would be rounded, and could then equal
  /// another number in the store.
  private func exactNumber(_ text: Span<UInt8>) throws(NumberText.ParseError) -> Value {
    let double = try NumberText.double(text)
    guard double.magnitude >= 0x1p53, let integer = try? NumberText.integer(text),
      Value.number(double).order(comparedTo: .integer(integer)) != .same
    else { return .number(double) }
    return .integer(integer)
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
    ConditionError("\(name): expected \(type.expectation), found \(found)", range, hint: hint)
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

extension FieldType {
  /// A description of the values that can be compared with this type, for error messages.
  fileprivate var expectation: String {
    switch self {
    case .id, .relation: "an id as text"
    case .text: "text"
    case .boolean: "true or false"
    case .date: "a date as text, such as '2026-11-20'"
    case .datetime: "a datetime as text, such as '2026-11-20'"
    case .geopoint: "a point, such as (47.37, 8.54)"
    case .json: "text, a number, true, false or json '…'"
    case .integer, .number, .file, .password, .array: nameWithArticle
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
    case .deferred: return type.anyValue
    case .unknownInRule:
      throw ConditionError(
        "an access rule has no parameter :\(parameter)", range,
        hint: ":user is the id of the acting user")
    case .user(let id):
      guard type.isText || type.relation != nil else {
        throw mismatch(name, type, "the id of a user", range)
      }
      return .text(id)
    case .missing(let names):
      let suggestion = nearest(parameter, among: names)
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

extension FieldType {
  /// An arbitrary value of the type. It replaces a parameter when a condition is validated before
  /// its parameters have values.
  fileprivate var anyValue: Value {
    switch elementOrSelf {
    case .integer: .integer(0)
    case .number: .number(0)
    case .boolean: .boolean(false)
    case .date: .date(.earliest)
    case .datetime: .datetime(.earliest)
    case .geopoint: (try? GeoPoint(latitude: 0, longitude: 0)).map(Value.geopoint) ?? .null
    case .id, .text, .json, .file, .password, .relation, .array: .text("")
    }
  }
}
