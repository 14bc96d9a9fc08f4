import JSONText

extension TypeDescriptor {
  static let number = TypeDescriptor(
    name: "number", synonyms: ["float", "double", "real"],
    declaration: .nothing, storeFormat: 1, storage: .number, scale: nil,
    textForm: .bare, kind: .scalar, family: .number, isOrdered: true,
    rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
    phrases: Phrases(
      withArticle: "a number", expectation: "number", operand: "a number",
      bounds: ("at least", "at most")),
    sample: .number(0),
    setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
    setNumber: { changes, slot, number in
      do throws(NumberText.ParseError) {
        let double = try NumberText.double(number)
        if changes.hasLostDigits(slot, number) { return }
        changes.set(slot, double: double)
      } catch {
        changes.report(slot, error.message(of: number, expected: "number"))
      }
    },
    lenientJSON: { $1.number($0) },
    summand: { (number, sign) throws(SummandError) in
      do throws(NumberText.ParseError) {
        let double = try NumberText.double(number)
        return .number(sign == .minus ? -double : double)
      } catch {
        throw SummandError(message: error.message(of: number, expected: "number to add"))
      }
    },
    element: Element(
      appendText: { $0.reportElementMismatch($1, text: $2) },
      appendNumber: { (changes, slot, number) throws(NumberText.ParseError) in
        let double = try NumberText.double(number)
        if !changes.hasLostDigits(slot, number) { changes.appendElement(.number(double)) }
      }, example: "[1, 2]"),
    parse: { (text) throws(ValueTextError) in
      guard NumberText.isJSONNumber(text), let double = try? NumberText.double(text) else {
        throw .mismatch
      }
      return .number(double)
    },
    literal: { (number) throws(NumberText.ParseError) in try Value.exactNumber(number) },

    conversion: { type in
      switch type {
      case "integer", "decimal": .lossy
      case "text", "json": .lossless
      default: nil
      }
    },
    value: { _, cell in .number(cell.number) },
    postgresType: "double precision", jsonSchema: #"{"type":"number","format":"double"}"#,
    writtenJSONSchema: #"{"type":"number","format":"double"}"#, typeScript: .builtIn("number"),
    equivalents: Equivalents(
      json: "number", swift: "Double", sqlite: "REAL", postgres: "double precision",
      telerik: "Number", stackMob: "Float", backendless: "DOUBLE", coreData: "Double"))
}

extension RowChanges {
  fileprivate mutating func set(_ slot: Int, double: Double) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .number(double)))
    }
    rows[count - 1, slot] = .number(double)
  }
}

extension Value {
  /// Parses a number that is compared with a number field. An integer that a double cannot
  /// represent exactly remains an integer. As a double, it would be rounded, and could then equal
  /// another number in the store.
  fileprivate static func exactNumber(
    _ text: Span<UInt8>
  ) throws(NumberText.ParseError) -> Value {
    let double = try NumberText.double(text)
    guard double.magnitude >= 0x1p53, let integer = try? NumberText.integer(text),
      Value.number(double).order(comparedTo: .integer(integer)) != .same
    else { return .number(double) }
    return .integer(integer)
  }
}
