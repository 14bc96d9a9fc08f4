import DataModel
import DataText

extension Schema {
  /// The condition that `FIELD=VALUE` operands make together.
  func condition(_ equalities: [String]) throws(DataError) -> Condition {
    var problems: [Problem] = []
    var conditions: [Condition] = []
    for word in equalities {
      do throws(DataError) {
        conditions.append(try equality(word))
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    return conditions.isEmpty ? .all : .and(conditions)
  }

  private func equality(_ word: String) throws(DataError) -> Condition {
    guard let assignment = Assignment(word), assignment.operation == .text else {
      throw DataError(
        .usage, "\(Excerpt.quoted(word)) is no condition", hint: "write FIELD=VALUE")
    }
    guard let slot = slot(named: assignment.name) else {
      throw DataError(unknownName(assignment.name))
    }
    let field = name(of: slot)
    let type = type(of: slot)
    switch type {
    case .password, .file, .json:
      throw DataError(.usage, "\(name).\(field): \(type.name) stands in no condition")
    case .text where assignment.text.isEmpty: break
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .relation, .array:
      if assignment.text.isEmpty { return .isNull(field: field) }
    }
    return .equals(field: field, value: try value(assignment.text, for: slot))
  }

  /// The value that a text stands for in a field, or in an element of its lists; one that is not
  /// among the only ones of the field is mistyped. Other rules do not matter here.
  private func value(_ text: String, for slot: Int) throws(DataError) -> Value {
    let value = try anyValue(text, for: slot)
    guard slot < fields.count, !fields[slot].oneOf.isEmpty, !fields[slot].oneOf.contains(value)
    else { return value }
    let choices = fields[slot].oneOf.map(\.display).joined(separator: ", ")
    throw DataError(
      .usage, "\(name).\(fields[slot].name): expected one of \(choices), found \(value.display)")
  }

  private func anyValue(_ text: String, for slot: Int) throws(DataError) -> Value {
    let type = type(of: slot).sought
    var draft = SchemaDraft(name: "sought")
    draft.fields = [.init(Field("sought_id", .id)), .init(Field("value", type))]
    let sought = try Schema(checking: draft)
    guard let assignment = Assignment("value=\(text)") else { return .null }
    var changes = Changes(for: sought)
    changes.beginRecord(line: 0)
    changes.set(sought.keySlot, text: "x".utf8.span)
    try Assignments([assignment], for: sought).set(on: &changes)
    let problems = changes.endRecord().map { found in
      Problem(found.code, found.message, hint: found.hint, schema: name, field: name(of: slot))
    }
    if let error = DataError(problems) { throw error }
    return changes.rows.value(changes.rows[0, 1], of: type)
  }
}

extension FieldType {
  /// The type of a value that is sought in such a field.
  fileprivate var sought: FieldType {
    switch self {
    case .id: .text
    case .array(let element): element.fieldType
    case .relation: .text
    case .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password: self
    }
  }
}
