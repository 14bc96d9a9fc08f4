internal import DataStore
internal import DataText

/// Which records are wanted, in a program's words; the schema makes a query of it.
struct Question: Sendable {
  var matching: [String: DraftValue]
  var order: String
  var limit: Int?

  /// Checks the words against the schema and reports everything that is wrong with them.
  func query(of schema: Schema) throws(DataError) -> Query {
    var problems: [Problem] = []
    var conditions: [Condition] = []
    for (name, value) in matching.sorted(by: { $0.key < $1.key }) {
      do throws(DataError) {
        conditions.append(try schema.equality(name, value))
      } catch {
        problems += error.problems
      }
    }
    let terms = order.split(separator: ",").map { term in
      OrderTerm(text: term.trimming(" "))
    }
    var checked: [OrderTerm] = []
    for term in terms {
      guard let slot = schema.slot(ofProperty: term.field) else {
        problems.append(schema.unknownField(term.field))
        continue
      }
      if !schema.type(of: slot).isOrdered {
        problems.append(
          Problem(
            .usage, "\(schema.type(of: slot).name) has no order", schema: schema.name,
            field: term.field))
      }
      checked.append(OrderTerm(schema.name(of: slot), isDescending: term.isDescending))
    }
    if let limit, limit < 0 {
      problems.append(Problem(.usage, "the limit is below 0: \(limit)", schema: schema.name))
    }
    if let error = DataError(problems) { throw error }
    return Query(
      schema, where: conditions.isEmpty ? .all : .and(conditions), order: checked, limit: limit)
  }
}

extension Schema {
  /// The condition that a field has a value; over a list, that some element has it.
  ///
  /// The value takes the path of a record's values, as if the field had no rules: to ask for a value
  /// that no record can have is no error.
  package func equality(_ name: String, _ value: DraftValue) throws(DataError) -> Condition {
    guard let slot = slot(ofProperty: name) else { throw DataError(unknownField(name)) }
    let field = self.name(of: slot)
    if value.form.isNull { return .isNull(field: field) }
    let element: FieldType
    switch type(of: slot) {
    case .file, .json, .password:
      throw DataError(
        Problem(
          .usage, "\(type(of: slot).name) cannot be compared", schema: self.name, field: field))
    case .relation(let relation): element = .relation(Relation(to: relation.target))
    case .array(let type): element = type.fieldType
    case .id: element = .relation(Relation(to: self.name))
    case .text, .integer, .number, .boolean, .datetime, .geopoint: element = type(of: slot)
    }
    var draft = SchemaDraft(name: self.name)
    draft.fields = [
      .init(Field("\(self.name)_id", .id)), .init(Field("value", element)),
    ]
    let probe = try Schema(checking: draft)
    let record: Draft = [probe.key.name: "x", "value": value]
    var source = DraftSource([record], for: probe)
    let changes = try source.next(reusing: Changes(for: probe), Portion())
    let problems = source.rejected.flatMap(\.problems).map { found in
      Problem(.usage, found.message, hint: found.hint, schema: self.name, field: field)
    }
    if let error = DataError(problems) { throw error }
    guard let changes, changes.count == 1 else { return .isNull(field: field) }
    return .equals(field: field, value: changes.rows.value(changes.rows[0, 1], of: element))
  }

  /// Says that a question names a field that is not there.
  package func unknownField(_ name: String) -> Problem {
    let near = nearest(name, among: fields.map(\.name))
    return Problem(
      .usage, "\(self.name) has no field \(Excerpt.visible(name))",
      hint: near.map { "did you mean \($0)?" }, schema: self.name, field: name)
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    var rest = self
    while rest.first == character { rest.removeFirst() }
    while rest.last == character { rest.removeLast() }
    return String(rest)
  }
}
