import DataModel
import RecordText

extension FieldStatistics {
  /// Returns the narrowest field type that represents all values without loss.
  ///
  /// If there are no values, the type cannot be inferred. In that case, returns the type that a map
  /// declares for the field. Without such a declaration, returns text for a column of a table, and
  /// nil for other formats.
  func type(in format: RecordFormat) -> FieldType? {
    guard let declaration else { return typeOfValues(in: format) }
    if values.total == 0 { return declaration.type }
    switch declaration.role {
    case .always: return declaration.type
    case .withoutValues:
      let isEmptyList = declaration.type.isList && elements.total == 0
      return isEmptyList && values[.array] == values.total
        ? declaration.type : typeOfValues(in: format)
    case .scalars:
      let type = typeOfValues(in: format)
      return type == .json ? declaration.type : type
    }
  }

  /// The type `decimal` if all values of the column are decimals with the same number of digits
  /// after the point. Nil for other values, and for a field that a map declares.
  var decimalType: FieldType? {
    guard declaration == nil, values.areNumbers else { return nil }
    return decimals.digits.map(FieldType.decimal)
  }

  private func typeOfValues(in format: RecordFormat) -> FieldType? {
    let total = values.total
    if isSplit { return .array(elementTypeOfLists) }
    if total == 0 { return format.isTable ? .text : nil }
    if isMapped, format.hasOnlyText, values[.array] > 0, compoundCount == values[.array] {
      return .array(elementTypeOfLists)
    }
    if decimals.mustBeText { return .text }
    if let type = lenient?.type(amongst: values, assumesZone: assumesZone) { return type }
    if assumesZone, values.timesWithoutOffset > 0,
      values.timesWithoutOffset + values.times == total
    {
      return .datetime
    }
    if let element = values.elementType { return element.fieldType }
    if values[.geopoint] == total { return .geopoint }
    if let relation { return .relation(relation) }
    if values[.array] == total, let element = elements.elementType { return .array(element) }
    // With a map, an element that has child elements can be read only as JSON. A `json` field also
    // accepts text.
    return format.hasOnlyText && compoundCount < (isMapped ? 1 : total) ? .text : .json
  }

  /// The narrowest element type that represents all scalars and all elements of arrays. It is used
  /// for XML, in which a list with one element cannot be distinguished from a scalar, and for cells
  /// with several elements.
  private var elementTypeOfLists: ElementType {
    if decimals.mustBeText { return .text }
    var all = values.scalars
    all.add(elements)
    return all.elementType ?? .text
  }

  private var compoundCount: Int {
    values[.geopoint] + values[.array] + values[.mixedArray] + values[.object]
  }

  /// The relation to the separate schema of nested records: to one record if all values are
  /// objects, or to many if all values are arrays of objects. Nil for other values, and if nested
  /// objects do not become a separate schema.
  var relation: Relation? {
    guard let target = nested.first?.name else { return nil }
    if values[.object] > 0, values[.object] == values.total { return Relation(to: target) }
    let arrays = values[.array] + values[.mixedArray]
    guard arrays == values.total, elements.total > 0, elements[.object] == elements.total else {
      return nil
    }
    return Relation(to: target, isMany: true)
  }

  /// Whether the values are lists of objects that become the parts of their records.
  var isListOfParts: Bool { !isMapped && relation?.isMany == true }

  /// Returns an explanation of why the type was inferred, or nil if the reason is obvious from the
  /// data.
  func reason(for type: FieldType) -> String? {
    if type == .json { return reasonForJSON }
    if type == .text { return reasonForText }
    if let scale = type.digits?.scale {
      return "decimal, since all values have \(scale) digits after the point"
    }
    if let relation = type.relation, isListOfParts {
      return
        "the list of the records of \(relation.target), which are its parts; save --deep reads "
        + "the list"
    }
    if let relation = type.relation, !isMapped {
      return "a relation to \(relation.target); save takes an id, or an object with --deep"
    }
    return type == .integer && values[.number] > 0
      ? "integer, since number would lose digits and no value has a fraction" : nil
  }

  private var reasonForJSON: String? {
    let found = values[.array] == values.total ? elements : values
    if found.total == 0 { return "json, since the elements of an empty array are unknown" }
    if found[.integer] + found[.number] + found[.longNumber] == found.total {
      return "json, which keeps all digits: number would lose some"
    }
    if values[.mixedArray] == values.total, elements[.object] == elements.total, !isMapped {
      return "json; schema infer --split makes records of these objects, which conditions can test"
    }
    if values[.object] == values.total || values[.mixedArray] == values.total
      || compoundCount == values.total && values[.array] == 0
    {
      return nil
    }
    return "json, which keeps \(labelList(of: found)) unchanged"
  }

  private var reasonForText: String? {
    if values.total == 0 { return "text, since all values are empty" }
    let numbers = values[.integer] + values[.number]
    if numbers == values.total, let number = decimals.ambiguousNumber {
      let integer = String(number.filter { $0 != "." })
      return "text, since \(number) may be \(integer): another column has decimal commas"
    }
    if numbers == values.total, let number = decimals.trailingZeroNumber {
      return "text, since \(number) as a number would lose its last zero"
    }
    if values[.text] + values.times < values.total {
      return "text, which keeps \(labelList(of: values)) unchanged"
    }
    let times = values.timesWithoutOffset + values.tooPreciseTimes
    if times == 0, let text = example(.text)?.text.dropFirst().dropLast(),
      CalendarDate.isResembled(by: String(text).utf8.span)
    {
      return
        "text; if these are dates, pass --dates dmy, mdy or ymd, or use a map (datactl help maps)"
    }
    guard times > 0, times + values.times == values.total else { return nil }
    return values.timesWithoutOffset > 0
      ? "text, since a datetime needs an offset, such as Z, unless --assume-zone is given"
      : "text, since a datetime has at most six fractional digits"
  }

  /// Returns a list of the kinds of values in the statistics, such as `texts and numbers`, for
  /// messages.
  private func labelList(of statistics: KindStatistics) -> String {
    let labelList = InferredKind.allCases.filter { statistics[$0] > 0 }.map(\.label)
    guard let last = labelList.last, labelList.count > 1 else { return labelList.first ?? "" }
    return labelList.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Whether the summary of the key omits the list of values that have other types than the field.
  /// The list is omitted if the key has no field, if all values of a `json` field are objects or
  /// arrays, or if the numbers under the key are coordinates of a geographic point.
  private func isWhollyIn(_ field: Field?) -> Bool {
    guard let field else { return true }
    return field.type == .json && compoundCount == values.total
      || field.type == .geopoint && values.areNumbers
  }

  /// Returns a summary of the values under the key.
  ///
  /// - Parameters:
  ///   - field: The field for the key, or nil if the schema has no field for the key.
  ///   - count: The number of all records, including those without the key.
  func finding(_ field: Field?, in count: Int) -> InferredSchema.Finding {
    let matching = InferredKind.allCases.filter { kind in
      field.map { kind.matches($0.type) } ?? false
    }
    let others = InferredKind.allCases.compactMap { kind -> InferredSchema.OtherValues? in
      guard !matching.contains(kind), let example = self.example(kind) else { return nil }
      return InferredSchema.OtherValues(
        count: values[kind], kind: kind.label, example: example.text,
        file: example.location.fileName, line: example.location.line)
    }
    let example =
      matching.compactMap { self.example($0) }.min { $0.location < $1.location } ?? firstExample
    return InferredSchema.Finding(
      key: key, field: field, nulls: nulls, missing: count - self.count,
      others: isWhollyIn(field) ? [] : others,
      example: example?.text)
  }
}
