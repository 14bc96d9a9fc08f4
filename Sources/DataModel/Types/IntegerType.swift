import JSONText

extension TypeDescriptor {
  static let integer = TypeDescriptor(
    name: "integer", synonyms: ["int", "bigint", "long", "int64"],
    declaration: .nothing, storeFormat: 1, storage: .integer, scale: nil,
    textForm: .bare, kind: .scalar, family: .number, isOrdered: true,
    rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
    phrases: Phrases(
      withArticle: "an integer", expectation: "integer", operand: "an integer",
      bounds: ("at least", "at most")),
    sample: .integer(0),
    setText: { changes, slot, text, _ in
      do throws(NumberText.ParseError) {
        changes.set(slot, integer: try NumberText.integer(fromDigits: text))
      } catch {
        if changes.setLeniently(slot, text) { return }
        changes.report(
          slot, "expected integer, found text \(Excerpt.quoted(text))",
          hint: changes.hintForLenience(slot, text))
      }
    },
    setNumber: { changes, slot, number in
      do throws(NumberText.ParseError) {
        changes.set(slot, integer: try NumberText.integer(number))
      } catch {
        changes.report(slot, error.message(of: number, expected: "integer"))
      }
    },
    lenientJSON: { $1.number($0) },
    summand: { (number, sign) throws(SummandError) in
      let integer: Int64
      do throws(NumberText.ParseError) {
        integer = try NumberText.integer(number)
      } catch {
        throw SummandError(message: error.message(of: number, expected: "integer to add"))
      }
      guard integer != .min || sign == .plus else {
        throw SummandError(message: "subtracting \(integer) overflows 64 bits")
      }
      return .integer(sign == .minus ? -integer : integer)
    },
    element: Element(
      appendText: { changes, slot, text in
        if let integer = try? NumberText.integer(fromDigits: text) {
          changes.appendElement(.integer(integer))
        } else if !changes.appendLeniently(text, slot) {
          changes.report(slot, "expected integers, found text \(Excerpt.quoted(text))")
        }
      },
      appendNumber: { (changes, _, number) throws(NumberText.ParseError) in
        changes.appendElement(.integer(try NumberText.integer(number)))
      }, example: "[1, 2]"),
    parse: { (text) throws(ValueTextError) in
      guard NumberText.isJSONNumber(text), let integer = try? NumberText.integer(text) else {
        throw .mismatch
      }
      return .integer(integer)
    },
    literal: { (number) throws(NumberText.ParseError) in
      .integer(try NumberText.integer(number))
    },
    conversion: { type in
      switch type {
      case "boolean": .mayFail
      case "number", "decimal": .lossy
      case "text", "json": .lossless
      default: nil
      }
    },
    // A sum of integers that does not fit in 64 bits is an infinite number.
    value: { _, cell in cell.kind == .number ? .number(cell.number) : .integer(cell.integer) },
    postgresType: "bigint", jsonSchema: #"{"type":"integer","format":"int64"}"#,
    writtenJSONSchema: #"{"type":"integer","format":"int64"}"#, typeScript: .builtIn("number"),
    equivalents: Equivalents(
      json: "number", swift: "Int64", sqlite: "INTEGER", postgres: "bigint", telerik: "Number",
      stackMob: "Integer", backendless: "INT", coreData: "Integer 64"))
}

extension RowChanges {
  fileprivate mutating func set(_ slot: Int, integer: Int64) {
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .integer(integer)))
    }
    rows[count - 1, slot] = .integer(integer)
  }
}
