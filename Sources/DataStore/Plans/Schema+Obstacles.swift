import DataModel

extension Schema {
  /// Why the records of this schema cannot simply become records of another version of it.
  func obstacles(to new: Schema) -> [Problem] {
    var problems: [Problem] = []
    func refuse(_ code: ErrorCode, _ message: String, hint: String? = nil, field: String? = nil) {
      problems.append(Problem(code, message, hint: hint, schema: name, field: field))
    }
    if kind != new.kind {
      refuse(.misfit, "a schema of \(kind.words) cannot become one of \(new.kind.words)")
    }
    if key.name != new.key.name {
      refuse(
        .misfit, "the primary key cannot be renamed to \(new.key.name)",
        hint: "call it \(key.name)", field: key.name)
    }
    for field in fields where field.type != .id {
      guard let newer = new.fields.first(where: { $0.name == field.name }) else {
        refuse(
          .loss, "the field is left out, and its values would be lost",
          hint: "declare it as the store has it", field: field.name)
        continue
      }
      for message in field.obstacles(to: newer) { refuse(.misfit, message, field: field.name) }
    }
    return problems
  }
}

extension Field {
  /// Why the values of this field may not fit another version of it.
  fileprivate func obstacles(to new: Field) -> [String] {
    if let message = type.obstacle(to: new.type) { return [message] }
    var messages: [String] = []
    if new.isRequired && !isRequired {
      messages.append("cannot become required: every record would need a value")
    }
    if new.isUnique && !isUnique {
      messages.append("cannot become unique: no two records could have the same value")
    }
    if let minimum = new.minimum, self.minimum.map(minimum.isGreater) ?? true {
      messages.append("min cannot become \(minimum.display): every value would need to fit")
    }
    if let maximum = new.maximum, self.maximum?.isGreater(than: maximum) ?? true {
      messages.append("max cannot become \(maximum.display): every value would need to fit")
    }
    if !new.oneOf.isEmpty && (oneOf.isEmpty || !Set(oneOf).isSubset(of: new.oneOf)) {
      messages.append("one_of cannot become narrower: every value would need to be one of them")
    }
    if let pattern = new.pattern, pattern != self.pattern {
      messages.append("pattern cannot become another: every value would need to match")
    }
    return messages
  }
}

extension FieldType {
  /// Why values of this type are none of another; only what happens on deletion may differ.
  fileprivate func obstacle(to new: FieldType) -> String? {
    guard let old = relation, let relation = new.relation else {
      return self == new
        ? nil : "\(name) cannot become \(new.name): every value would have to change"
    }
    if old.target != relation.target {
      return "a relation to \(old.target) cannot become one to \(relation.target)"
    }
    if old.isMany != relation.isMany {
      return
        "a relation to \(old.isMany ? "many cannot become one to one" : "one cannot become one to many")"
    }
    return nil
  }
}

extension Schema.Kind {
  fileprivate var words: String {
    switch self {
    case .records: "records"
    case .user: "users"
    }
  }
}
