extension DraftValue: ExpressibleByNilLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a null value, which clears the field.
  public init(nilLiteral: ()) { self.init(form: .null) }

  /// Creates a text.
  public init(stringLiteral text: String) { self.init(form: .text(text)) }

  /// Creates an integer.
  public init(integerLiteral integer: Int64) { self.init(form: .integer(integer)) }

  /// Creates a number.
  public init(floatLiteral number: Double) { self.init(form: .number(number)) }

  /// Creates a boolean.
  public init(booleanLiteral boolean: Bool) { self.init(form: .boolean(boolean)) }

  /// Creates a list: the elements of an array, or the ids of a to-many relation.
  public init(arrayLiteral values: DraftValue...) { self.init(form: .list(values)) }

  /// Creates an object: for `json` fields, and for points and files in their JSON form.
  public init(dictionaryLiteral members: (String, DraftValue)...) {
    self.init(form: .object(members.map { Draft.Entry(name: $0.0, value: $0.1) }))
  }
}

extension DraftValue {
  /// Creates a draft value from a value of a record.
  public init(_ value: DataModel.Value) {
    switch value {
    case .null: self.init(form: .null)
    case .text(let text): self.init(form: .text(text))
    case .integer(let integer): self.init(form: .integer(integer))
    case .number(let number): self.init(form: .number(number))
    case .boolean(let boolean): self.init(form: .boolean(boolean))
    case .datetime(let time): self.init(form: .datetime(time))
    case .geopoint(let point): self.init(form: .point(point))
    case .file(let file): self.init(form: .file(file))
    case .json(let text): self.init(form: .json(text))
    case .list(let values): self.init(form: .list(values.map { DraftValue($0) }))
    }
  }
}
