package import DataModel
package import JSONText

/// Parses equality conditions from command-line arguments and from Swift values.
extension ConditionReader {
  /// Parses an argument `FIELD=VALUE` as a condition on the records of a schema. `FIELD` can be a
  /// path.
  ///
  /// An empty value matches records in which the field has no value. In a text field, it matches
  /// empty text instead.
  package mutating func readEquality(
    _ operand: String, of schema: Schema, alias: String? = nil
  ) throws(DataError) -> Condition {
    let bytes = Array(operand.utf8)
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), Self.isPath(bytes[..<sign]) else {
      throw DataError(
        .usage, "expected FIELD=VALUE, found \(Excerpt.quoted(operand))",
        hint: Self.comparison(bytes).map { "write the condition after --where: --where \"\($0)\"" }
          ?? Self.hint(for: bytes, of: schema))
    }
    let path = String(decoding: bytes[..<sign], as: UTF8.self)
    let text = String(decoding: bytes[(sign + 1)...], as: UTF8.self)
    return try equality(of: path, in: schema, alias: alias, valueCode: .invalid) {
      check, subject throws(ConditionError) in
      try check.criterion(equalTo: text, subject)
    }
  }

  /// Returns a condition that is true if a property equals the given value. If `value` is null, the
  /// condition is true if the property has no value.
  package mutating func readEquality(
    _ property: String, _ value: JSONValue, of schema: Schema
  ) throws(DataError) -> Condition {
    try equality(of: property, in: schema, alias: nil, valueCode: code) {
      check, subject throws(ConditionError) in
      try check.criterion(equalTo: value, subject)
    }
  }

  /// Returns a condition that tests the value at a path for equality. Thrown errors contain no
  /// excerpt of the condition, because the condition is short.
  ///
  /// - Parameters:
  ///   - valueCode: The code of errors in the value. Errors in the path have the code of the
  ///     reader.
  ///   - criterion: A closure that creates the predicate for the value at the path.
  private mutating func equality(
    of path: String, in schema: Schema, alias: String?, valueCode: ErrorCode,
    _ criterion: (inout ConditionChecker, ConditionChecker.Subject) throws(ConditionError) ->
      Criterion
  ) throws(DataError) -> Condition {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let syntax = PathSyntax(names: names, ranges: names.map { _ in 0..<0 })
    var check = ConditionChecker(self, of: schema, alias: alias)
    let resolvedPath: (resolvedPath: ResolvedPath, path: FieldPath)
    do throws(ConditionError) {
      resolvedPath = try syntax.resolvedPath(from: schema, in: catalog, alias: alias)
    } catch {
      throw DataError(error.plainProblem(code))
    }
    do throws(ConditionError) {
      let subject = ConditionChecker.Subject(
        resolvedPath: resolvedPath.resolvedPath, syntax: syntax)
      return .test(resolvedPath.path, try criterion(&check, subject))
    } catch {
      throw DataError(error.plainProblem(valueCode))
    }
  }

  /// Returns a hint for an argument that is not a comparison, such as an id or a sort direction.
  private static func hint(for bytes: [UInt8], of schema: Schema) -> String {
    let word = String(decoding: bytes, as: UTF8.self)
    if let tilde = bytes.firstIndex(of: UInt8(ascii: "~")), isPath(bytes[..<tilde]) {
      let path = Excerpt.truncated(String(decoding: bytes[..<tilde], as: UTF8.self))
      return "pass a condition: --where \"\(path) like '%text%'\""
    }
    switch word.lowercased() {
    case "desc", "descending": return "to sort in descending order, write --order=-FIELD"
    case "asc", "ascending": return "remove this word: --order FIELD sorts in ascending order"
    default:
      guard !bytes.contains(UInt8(ascii: " ")), IDs.isValid(bytes.span) else {
        return "write FIELD=VALUE"
      }
      return "write FIELD=VALUE, or get the record: datactl get \(schema.name) "
        + Excerpt.truncated(word)
    }
  }

  /// Returns a suggested condition for an argument that compares a path with an operator other than
  /// `=`, or an expression with any operator. Returns nil for any other argument.
  private static func comparison(_ bytes: [UInt8]) -> String? {
    guard let index = bytes.firstIndex(where: { Array("<>!=".utf8).contains($0) }) else {
      return nil
    }
    let left = String(decoding: bytes[..<index], as: UTF8.self)
    let isAssignment = left.hasSuffix("+") || left.hasSuffix("*") || left.hasSuffix("/")
    guard isPath(bytes[..<index]) || PathError.isExpression(left) && !isAssignment else {
      return nil
    }
    let rest = bytes[index...]
    let sign = ["<=", ">=", "!=", "<>", "<", ">", "="].first { rest.starts(with: $0.utf8) }
    guard let sign else { return nil }
    let value = Array(rest.dropFirst(sign.utf8.count))
    let text = String(decoding: value, as: UTF8.self)
    let isBare = NumberText.isJSONNumber(value.span) || text == "true" || text == "false"
    let literal = isBare ? text : ConditionWriter.text(of: Value.text(text))
    let shown = Excerpt.escaped("\(left) \(sign) ")
    return shown + Excerpt.escaped(literal)
  }

  private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
          || byte &- 48 < 10 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
  }
}

extension ConditionError {
  /// Returns the error as a problem, without an excerpt of the condition.
  fileprivate func plainProblem(_ code: ErrorCode) -> Problem {
    Problem(code, message, hint: hint, schema: schema, field: field)
  }
}

extension ConditionChecker {
  /// Returns the predicate that is true if `subject`, the left side of a test, equals the value in
  /// a command-line argument.
  fileprivate mutating func criterion(
    equalTo text: String, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    // A system field with text, such as `created_by`, contains the id of a user, which is never
    // empty. Empty text therefore means no value.
    if text.isEmpty, subject.type != .text || subject.field == nil { return subject.none }
    if subject.type == .json {
      throw ConditionError(
        "\(subject.name) is json, so FIELD=VALUE does not determine the type of the value", 0..<0,
        hint: "pass a condition: --where \"\(subject.name) = 'text'\"")
    }
    if subject.type == .file { return .compare(.equal, try value(Literal(text), for: subject)) }
    let value = try value(ofText: text, subject.valueType, subject.name, 0..<0)
    if let field = subject.field, !field.oneOf.isEmpty, !field.oneOf.contains(value) {
      let choices = Excerpt.choices(field.oneOf.lazy.map(\.display))
      throw ConditionError(
        "\(subject.name): expected one of \(choices), found \(value.display)", 0..<0)
    }
    return .compare(.equal, value)
  }

  /// Returns the predicate that is true if `subject`, the left side of a test, equals a JSON value.
  fileprivate mutating func criterion(
    equalTo value: JSONValue, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    guard let literal = Literal(value, for: subject.type, 0..<0) else { return subject.none }
    return .compare(.equal, try self.value(literal, for: subject))
  }
}

extension ConditionChecker.Subject {
  /// The field on the left side of the test. Nil for a system field or a computed value.
  fileprivate var field: Field? {
    resolvedPath.flatMap { path in
      path.slot < path.schema.fields.count ? path.schema.fields[path.slot] : nil
    }
  }

  /// The predicate that is true if the compared field has no value.
  fileprivate var none: Criterion {
    type.relation?.isMany == true ? .isEmpty : .isNull
  }
}

extension Literal {
  fileprivate init(_ text: String) {
    self.init(kind: .text(text), range: 0..<0)
  }

  /// Creates a literal from a JSON value that is compared with a field of the given type. Returns
  /// nil if the value is null.
  init?(_ value: JSONValue, for type: FieldType, _ range: Range<Int>) {
    switch value {
    case .null: return nil
    case .boolean(let boolean): kind = .boolean(boolean)
    case .number(let number): kind = .number(number.text)
    case .text(let text): kind = .text(text)
    case .array: kind = .json(value.description)
    case .object:
      if type == .geopoint, case .number(let latitude)? = value["lat"],
        case .number(let longitude)? = value["lon"]
      {
        kind = .point(
          latitude: Literal(kind: .number(latitude.text), range: range),
          longitude: Literal(kind: .number(longitude.text), range: range))
      } else {
        kind = .json(value.description)
      }
    }
    self.range = range
  }
}
