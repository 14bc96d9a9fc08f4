/// A change to one rule of a field, such as its `max`, between two versions of a schema.
package struct RuleChange: Hashable, Sendable {
  package enum Rule: String, CaseIterable, Sendable {
    case required
    case unique
    case defaultValue = "default"
    case minimum = "min"
    case maximum = "max"
    case oneOf = "one_of"
    case pattern
    case onDelete = "on_delete"
    case inverse
    case owned
    case position
    case access
    case doc

    /// Whether only relations have the rule.
    package var isOfRelations: Bool {
      switch self {
      case .onDelete, .inverse, .owned, .position: true
      case .required, .unique, .defaultValue, .minimum, .maximum, .oneOf, .pattern, .access, .doc:
        false
      }
    }
  }

  package var rule: Rule
  /// The old value of the rule as JSON, or nil if the rule was not set.
  package var from: String?
  /// The new value of the rule as JSON, or nil if the rule is not set.
  package var to: String?
  /// Whether values that were valid before may violate the new rule.
  package var isStricter: Bool
}

extension Field {
  /// Returns the changes to the rules in a new version of the field.
  package func ruleChanges(to new: Field) -> [RuleChange] {
    RuleChange.Rule.allCases.compactMap { rule in
      let (old, other) = (text(of: rule), new.text(of: rule))
      guard old != other else { return nil }
      return RuleChange(
        rule: rule, from: old, to: other, isStricter: new.isStricter(than: self, in: rule))
    }
  }

  /// Returns whether a value that is valid in an old version of the field may violate a rule of
  /// this version. The rule `unique` is ignored, because it does not concern a single value.
  package func isStricter(than old: Field) -> Bool {
    RuleChange.Rule.allCases.contains { isStricter(than: old, in: $0) && $0 != .unique }
  }

  private func isStricter(than old: Field, in rule: RuleChange.Rule) -> Bool {
    switch rule {
    case .required: isRequired && !old.isRequired
    case .unique: isUnique && !old.isUnique
    case .minimum:
      // A minimum length of 0 is satisfied by every text.
      minimum.map { new in
        old.minimum.map(new.isGreater) ?? !(type == .text && new == .integer(0))
      } ?? false
    case .maximum: maximum.map { new in old.maximum?.isGreater(than: new) ?? true } ?? false
    case .oneOf: !oneOf.isEmpty && (old.oneOf.isEmpty || !Set(old.oneOf).isSubset(of: oneOf))
    case .pattern: pattern != nil && pattern != old.pattern
    case .owned: type.isOwned && !old.type.isOwned
    case .defaultValue, .onDelete, .inverse, .position, .access, .doc: false
    }
  }

  private func text(of rule: RuleChange.Rule) -> String? {
    switch rule {
    case .required: isRequired ? "true" : nil
    case .unique: isUnique ? "true" : nil
    case .defaultValue: defaultText
    case .minimum: minimum?.jsonText
    case .maximum: maximum?.jsonText
    case .oneOf: oneOf.isEmpty ? nil : Value.list(oneOf).jsonText
    case .pattern: pattern.map { Value.text($0.source).jsonText }
    case .onDelete:
      type.relation.flatMap { $0.onDelete == .nullify ? nil : "\"\($0.onDelete.rawValue)\"" }
    case .inverse: type.relation?.inverse.map { Value.text($0).jsonText }
    case .owned: type.isOwned ? "true" : nil
    case .position: type.relation?.position.map { Value.text($0).jsonText }
    case .access: access.jsonText
    case .doc: doc.map { Value.text($0).jsonText }
    }
  }
}
