import JSONText

/// How many digits the values of a decimal field have.
public struct DecimalDigits: Hashable, Sendable {
  /// The maximum number of digits, from 1 to 18.
  public let digits: Int
  /// The number of digits after the point, from 0 to `digits`.
  public let scale: Int

  /// The largest number of digits of a field.
  package static let maxDigits = 18
  /// The digits of a decimal for which any numbers of digits may be declared.
  package static let widest = DecimalDigits(maxDigits, 0)

  /// Creates the numbers of digits; returns nil if they are out of range.
  public init?(digits: Int, scale: Int) {
    guard 1...Self.maxDigits ~= digits, 0...digits ~= scale else { return nil }
    self.init(digits, scale)
  }

  private init(_ digits: Int, _ scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// The message for numbers of digits that are out of range.
  package static let rule =
    "a decimal has 1 to 18 \"digits\", of which 0 to all are after the point (\"scale\")"

  /// The largest coefficient of a value: 9,999 for four digits.
  var limit: Int64 { Int64(DecimalValue.power(digits)) - 1 }

  /// Returns whether a field can store all values of a field with other numbers of digits.
  package func includes(_ other: DecimalDigits) -> Bool {
    scale >= other.scale && digits - scale >= other.digits - other.scale
  }

  /// Returns whether the coefficient of a value has too many digits.
  func isExceeded(by coefficient: Int64) -> Bool { coefficient.magnitude > limit.magnitude }
}

extension TypeDescriptor {
  /// Returns the index of the descriptor in `decimals`.
  static func index(_ digits: DecimalDigits) -> Int {
    digits.digits * (DecimalDigits.maxDigits + 1) + digits.scale
  }

  /// The descriptors of all decimals; see `index(_:)`.
  static let decimals: [TypeDescriptor] = (0...DecimalDigits.maxDigits).flatMap { digits in
    (0...DecimalDigits.maxDigits).map { scale in
      DecimalDigits(digits: digits, scale: scale).map(decimal) ?? number
    }
  }

  private static func decimal(_ digits: DecimalDigits) -> TypeDescriptor {
    TypeDescriptor(
      name: "decimal", synonyms: ["numeric", "money"],
      declaration: .integers(
        Integers(
          keys: ["digits", "scale"],
          ranges: [1...DecimalDigits.maxDigits, 0...DecimalDigits.maxDigits],
          values: [digits.digits, digits.scale], example: [12, 2], rule: DecimalDigits.rule,
          type: { DecimalDigits(digits: $0[0], scale: $0[1]).map(FieldType.decimal) })),
      storeFormat: 3, storage: .integer, scale: digits.scale, textForm: .bare,
      kind: .scalar, family: .decimal, isOrdered: true,
      rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
      phrases: Phrases(
        withArticle: "a decimal", expectation: "decimal", operand: "a decimal",
        bounds: ("at least", "at most")),
      sample: .decimal(DecimalValue(coefficient: 0, scale: digits.scale)),
      setText: { changes, slot, text, _ in
        guard NumberText.isJSONNumber(text) else {
          return changes.reportTextOrSetLeniently(slot, text)
        }
        changes.set(slot, decimal: text, digits)
      },
      setNumber: { changes, slot, number in changes.set(slot, decimal: number, digits) },
      lenientJSON: { ValueConversions.number($0) },
      summand: { (number, sign) throws(SummandError) in
        do throws(DecimalError) {
          let units = try digits.coefficient(of: number)
          return .integer(sign == .minus ? -units : units)
        } catch {
          throw SummandError(message: error.message)
        }
      }, element: nil,
      parse: { (text) throws(ValueTextError) in
        guard NumberText.isJSONNumber(text), let value = DecimalValue(number: text) else {
          throw .mismatch
        }
        return .decimal(value)
      },
      literal: { (number) throws(NumberText.ParseError) in
        guard let value = DecimalValue(number: number) else { throw .beyondLargest }
        return .decimal(value)
      },
      neighbors: { digits.neighbors(of: $0) },
      conversion: { type in
        switch type {
        case "number", "integer": .lossy
        case "text", "json": .lossless
        default: nil
        }
      },
      value: { _, cell in
        .decimal(DecimalValue(coefficient: Int128(cell.integer), scale: digits.scale))
      },
      postgresType: "numeric",
      jsonSchema: """
        {"type":"number","x-datactl-digits":\(digits.digits),"x-datactl-scale":\(digits.scale)}
        """,
      writtenJSONSchema: """
        {"type":["number","string"],"pattern":"^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$",\
        "x-datactl-digits":\(digits.digits),"x-datactl-scale":\(digits.scale)}
        """,
      typeScript: .builtIn("number"),
      equivalents: Equivalents(
        json: "number", swift: "DecimalValue", sqlite: "INTEGER, scaled", postgres: "numeric",
        telerik: "Number", stackMob: "Float", backendless: "DOUBLE", coreData: "Decimal"))
  }
}

extension DecimalDigits {
  /// Returns the values of a field directly below and above a number; nil if a value equals it.
  fileprivate func neighbors(of number: Span<UInt8>) -> TypeDescriptor.Neighbors? {
    let least = DecimalValue(coefficient: Int128(-limit), scale: scale)
    let greatest = DecimalValue(coefficient: Int128(limit), scale: scale)
    guard let value = DecimalValue(number: number) else {
      // The number has more than 38 digits. If they are before the point, it is out of range.
      if let double = try? NumberText.double(number), double.magnitude < 1e19 { return nil }
      return number[0] == NumberText.minus ? (nil, .decimal(least)) : (.decimal(greatest), nil)
    }
    if value > greatest { return (.decimal(greatest), nil) }
    if value < least { return (nil, .decimal(least)) }
    guard let below = value.rounded(.down, toScale: scale),
      let above = value.rounded(.up, toScale: scale), below != above
    else { return nil }
    return (.decimal(below), .decimal(above))
  }
}

/// The reason why a number is no value of a decimal field.
private struct DecimalError: Error {
  let message: String
  var hint: String?
}

extension DecimalDigits {
  /// Returns the coefficient of a number with the scale of the field. Zeros beyond the scale are no
  /// digits.
  fileprivate func coefficient(of number: Span<UInt8>) throws(DecimalError) -> Int64 {
    let found = Excerpt.truncated(String(decoding: number))
    guard let value = DecimalValue(number: number),
      let rounded = value.rounded(.nearest, toScale: scale),
      let coefficient = Int64(exactly: rounded.coefficient), !isExceeded(by: coefficient)
    else {
      throw DecimalError(
        message: "expected at most \(pluralized(digits - scale)) before the point, found \(found)")
    }
    guard rounded == value else {
      throw DecimalError(
        message: "expected at most \(pluralized(scale)) after the point, found \(found)")
    }
    return coefficient
  }

  private func pluralized(_ count: Int) -> String { count == 1 ? "1 digit" : "\(count) digits" }
}

extension RowChanges {
  fileprivate mutating func set(
    _ slot: Int, decimal number: Span<UInt8>, _ digits: DecimalDigits
  ) {
    do throws(DecimalError) {
      let coefficient = try digits.coefficient(of: number)
      if schema.slots[slot].hasRules {
        let value = DecimalValue(coefficient: Int128(coefficient), scale: digits.scale)
        reportAll(slot, schema.fields[slot].violations(of: .decimal(value)))
      }
      rows[count - 1, slot] = .integer(coefficient)
    } catch {
      report(slot, error.message, hint: error.hint)
    }
  }
}
