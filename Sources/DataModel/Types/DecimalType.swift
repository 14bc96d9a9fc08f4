import JSONText
import Synchronization

/// How many digits decimals have.
public struct DecimalDigits: Hashable, Sendable {
  /// The maximum number of digits. A field has 1 to 18, and a computed value has 38.
  public let digits: Int
  /// The number of digits after the point, from 0 to `digits`.
  public let scale: Int

  /// The largest number of digits of a field.
  package static let maxDigits = 18
  /// The digits of a decimal for which any numbers of digits may be declared.
  package static let widest = DecimalDigits(maxDigits, 0)

  /// Creates the numbers of digits of a field; returns nil if they are out of range.
  public init?(digits: Int, scale: Int) {
    guard 1...Self.maxDigits ~= digits, 0...digits ~= scale else { return nil }
    self.init(digits, scale)
  }

  private init(_ digits: Int, _ scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// Returns the numbers of digits of a computed value; nil if the scale is greater than 38.
  package static func computed(scale: Int) -> DecimalDigits? {
    scale <= DecimalValue.maxDigits ? DecimalDigits(DecimalValue.maxDigits, scale) : nil
  }

  /// Returns the numbers of digits of the mean of two values; nil if the scale is greater than 38.
  package static func middle(scale: Int) -> DecimalDigits? { computed(scale: scale + 1) }

  /// Whether these are the digits of a computed value.
  package var isComputed: Bool { digits > Self.maxDigits }

  /// The message for numbers of digits that are out of range.
  package static let rule =
    "a decimal has 1 to 18 \"digits\", of which 0 to all are after the point (\"scale\")"

  /// The largest coefficient of a value: 9,999 for four digits.
  private var limit: Int128 { DecimalValue.power(digits) - 1 }

  /// Returns whether a field can store all values of a field with other numbers of digits.
  package func includes(_ other: DecimalDigits) -> Bool {
    scale >= other.scale && digits - scale >= other.digits - other.scale
  }

  /// Returns whether the coefficient of a value has too many digits.
  package func isExceeded(by coefficient: Int128) -> Bool {
    coefficient.magnitude > limit.magnitude
  }
}

/// The values of a type that surround a number.
package enum DecimalNeighbors {
  /// The number is a value of the type.
  case equal(DecimalValue)
  /// The values directly below and above the number. A value is nil if there is none on that side.
  case around(below: DecimalValue?, above: DecimalValue?)
}

extension DecimalDigits {
  /// Returns the values that surround a number, or nil if the value is not a number.
  package func neighbors(of value: Value) -> DecimalNeighbors? {
    let floor: (coefficient: Int128, isExact: Bool)?
    let isNegative: Bool
    if case .number(let number) = value {
      (floor, isNegative) = (DecimalValue.floor(of: number, scale: scale), number < 0)
    } else {
      guard let decimal = value.exactDecimal else { return nil }
      (floor, isNegative) = (decimal.floor(scale: scale), decimal.coefficient < 0)
    }
    let least = DecimalValue(coefficient: -limit, scale: scale)
    let greatest = DecimalValue(coefficient: limit, scale: scale)
    guard let floor, !isExceeded(by: floor.coefficient) else {
      return isNegative ? .around(below: nil, above: least) : .around(below: greatest, above: nil)
    }
    let below = DecimalValue(coefficient: floor.coefficient, scale: scale)
    if floor.isExact { return .equal(below) }
    let above = DecimalValue(coefficient: floor.coefficient + 1, scale: scale)
    return .around(below: below, above: isExceeded(by: above.coefficient) ? nil : above)
  }
}

/// The descriptor of decimals with certain digits, which is created when it is first used.
private final class DecimalDescriptor: Sendable {
  private let descriptor = AtomicLazyReference<TypeDescriptor>()

  func value(_ create: () -> TypeDescriptor) -> TypeDescriptor {
    descriptor.load() ?? descriptor.storeIfNil(create())
  }
}

extension TypeDescriptor {
  /// Returns the descriptor of decimals with the given digits.
  static func decimals(_ digits: DecimalDigits) -> TypeDescriptor {
    // Every command looks up types by their names. Only those of stores with decimals create more
    // than this descriptor.
    if digits == .widest { return widestDecimal }
    let size = DecimalDigits.maxDigits + 1
    let index = digits.isComputed ? size * size : digits.digits * size
    return decimalDescriptors[index + digits.scale].value { decimal(digits) }
  }

  private static let widestDecimal = decimal(.widest)

  /// The descriptors of fields, and after them those of computed values.
  private static let decimalDescriptors: [DecimalDescriptor] = {
    let size = DecimalDigits.maxDigits + 1
    return (0...size * size + DecimalValue.maxDigits).map { _ in DecimalDescriptor() }
  }()

  private static func decimal(_ digits: DecimalDigits) -> TypeDescriptor {
    TypeDescriptor(
      name: "decimal", synonyms: ["numeric", "money"],
      declaration: .integers(
        Integers(
          keys: [
            Integers.Key(name: "digits", least: 1, greatest: DecimalDigits.maxDigits),
            Integers.Key(name: "scale", least: 0, greatest: DecimalDigits.maxDigits),
          ],
          values: [digits.digits, digits.scale], example: [12, 2], rule: DecimalDigits.rule,
          type: { DecimalDigits(digits: $0[0], scale: $0[1]).map(FieldType.decimal) })),
      storeFormat: 3, storage: digits.isComputed ? .bytes : .integer, scale: digits.scale,
      textForm: .bare, kind: .scalar, family: .number, isOrdered: true,
      rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
      phrases: Phrases(
        withArticle: "a decimal", expectation: "decimal", operand: "a decimal",
        bounds: ("at least", "at most")),
      sample: .decimal(DecimalValue(coefficient: 0, scale: digits.scale)),
      setText: { changes, slot, text, _ in
        guard changes.conversions.lenience?.hasDecimalCommas != true,
          NumberText.isJSONNumber(text)
        else {
          return changes.reportTextOrSetLeniently(slot, text)
        }
        changes.set(slot, decimal: text, digits)
      },
      setNumber: { changes, slot, number in changes.set(slot, decimal: number, digits) },
      lenientJSON: { $1.number($0) },
      summand: { (number, sign) throws(SummandError) in
        do throws(DecimalError) {
          let coefficient = try digits.coefficient(of: number, isRounded: false)
          return .integer(sign == .minus ? -coefficient : coefficient)
        } catch {
          throw SummandError(message: error.message)
        }
      }, element: nil,
      parse: { (text) throws(ValueTextError) in
        guard NumberText.isJSONNumber(text), let value = DecimalValue(number: text) else {
          throw .mismatch
        }
        return .decimal(value.withScale(digits.scale))
      },
      literal: { (number) throws(NumberText.ParseError) in
        if let value = DecimalValue(number: number) ?? .shortened(number) {
          return .decimal(value.withScale(digits.scale))
        }
        // The number is beyond all values of a field.
        return .decimal(number[0] == UInt8(ascii: "-") ? -DecimalValue.largest : .largest)
      },
      conversion: { type in
        switch type {
        case "number", "integer": .lossy
        case "text", "json": .lossless
        default: nil
        }
      },
      value: { rows, cell in
        if digits.isComputed { return DecimalValue(rows.text(cell)).map(Value.decimal) ?? .null }
        return .decimal(DecimalValue(coefficient: Int128(cell.integer), scale: digits.scale))
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

/// The reason why a number is no value of a decimal field.
private struct DecimalError: Error {
  let message: String
  var hint: String?
}

extension DecimalDigits {
  /// Returns the coefficient of a number with the scale of the field. Zeros beyond the scale are no
  /// digits.
  ///
  /// - Parameter isRounded: Whether digits beyond the scale are rounded instead of rejected.
  fileprivate func coefficient(
    of number: Span<UInt8>, isRounded: Bool
  ) throws(DecimalError) -> Int64 {
    if let coefficient = plainCoefficient(of: number) { return coefficient }
    let value = DecimalValue(number: number) ?? .shortened(number)
    let floor = value?.floor(scale: scale)
    if let floor, floor.isExact || isRounded,
      let rounded = floor.isExact ? floor.coefficient : value?.rounded(toScale: scale)?.coefficient,
      !isExceeded(by: rounded), let coefficient = Int64(exactly: rounded)
    {
      return coefficient
    }
    let isFraction =
      floor.map { !$0.isExact && !isRounded && !isExceeded(by: $0.coefficient) } ?? false
    let count = isFraction ? scale : digits - scale
    throw DecimalError(
      message: """
        expected at most \(count) digit\(count == 1 ? "" : "s") \
        \(isFraction ? "after" : "before") the point, found \
        \(Excerpt.truncated(String(decoding: number)))
        """,
      hint: isFraction ? "pass --round-decimals to round to the nearest decimal" : nil)
  }
}

extension DecimalDigits {
  /// Returns the coefficient of a number without an exponent that has no more digits than values of
  /// the field; nil for other numbers.
  @inline(__always)
  private func plainCoefficient(of number: Span<UInt8>) -> Int64? {
    // 18 digits, a sign and a point.
    guard number.count <= 20 else { return nil }
    var coefficient: Int64 = 0
    var (places, hasPoint) = (0, false)
    for index in number.indices {
      let byte = number[index]
      if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
        coefficient = coefficient &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        if hasPoint { places += 1 }
      } else if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if byte != UInt8(ascii: "-") {
        return nil
      }
    }
    guard places <= scale else { return nil }
    for _ in places..<scale {
      let (product, overflows) = coefficient.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      coefficient = product
    }
    guard !isExceeded(by: Int128(coefficient)) else { return nil }
    return number[0] == UInt8(ascii: "-") ? -coefficient : coefficient
  }
}

extension RowChanges {
  fileprivate mutating func set(
    _ slot: Int, decimal number: Span<UInt8>, _ digits: DecimalDigits
  ) {
    do throws(DecimalError) {
      let coefficient = try digits.coefficient(of: number, isRounded: conversions.roundsDecimals)
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
