import JSONText

/// Strings to look up in one or more fields, converted to the type of each field.
///
/// A string that is not a valid value of a field's type is not looked up in that field. Several
/// strings can represent the same value, such as 7 and 007.
package struct LookupKeys: Sendable {
  private struct Column: Sendable {
    let slot: Int
    let type: FieldType
    /// The distinct values to look up in the field, in the order of the given strings.
    var values: [Value] = []
    /// For each value to look up, the indexes of the given strings that represent the value.
    var textIndexes: [Value: [Int]] = [:]
  }

  private let columns: [Column]
  /// A condition that is true if at least one of the fields contains one of the values to look up.
  package let condition: Condition

  package init(_ texts: [String], inAnyOf slots: [Int], of schema: Schema) {
    columns = slots.map { slot in
      var column = Column(slot: slot, type: schema.type(of: slot))
      for (index, text) in texts.enumerated() {
        guard let value = column.type.value(ofText: text) else { continue }
        if column.textIndexes[value] == nil { column.values.append(value) }
        column.textIndexes[value, default: []].append(index)
      }
      return column
    }
    condition = .some(
      columns.compactMap { column in
        guard let first = column.values.first else { return nil }
        let criterion: Criterion =
          column.values.count == 1 ? .compare(.equal, first) : .isIn(column.values)
        return .test(FieldPath(schema.name(of: column.slot)), criterion)
      })
  }

  /// The maximum number of matching records, provided that all searched fields are unique.
  package var maxRecordCount: Int { columns.reduce(0) { $0 + $1.values.count } }

  /// Returns the strings that match a record, as indexes in the list of strings to look up. If a
  /// string matches in two fields of the record, its index is included twice.
  package func textIndexes(in rows: Rows, _ row: Int) -> [Int] {
    columns.flatMap { column in
      column.textIndexes[rows.value(rows[row, column.slot], of: column.type)] ?? []
    }
  }
}

extension FieldType {
  /// Parses a string as a value of this type, in the syntax of command-line assignments. Returns
  /// nil if the string is not valid, or if the type does not support lookups.
  fileprivate func value(ofText text: String) -> Value? {
    if isNumeric {
      return text.isNumber ? try? descriptor.literal?(text.utf8.span) : nil
    }
    return self == .json ? nil : try? descriptor.parse(text.utf8.span)
  }
}

extension String {
  /// Whether the text is a JSON number, optionally with leading zeros.
  fileprivate var isNumber: Bool {
    NumberText.isJSONNumber(utf8.span)
      || NumberText.isJSONNumber(Substring(utf8.drop { $0 == UInt8(ascii: "0") }).utf8.span)
  }
}
