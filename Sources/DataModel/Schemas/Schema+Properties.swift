extension Names {
  /// Returns the default field name for a property name (`person_id` for `personID`), or nil if the
  /// property name is not valid.
  package static func fieldName(ofProperty name: String) -> String? {
    isProperty(name) ? suggested(for: name) : nil
  }
}

extension Schema {
  /// Returns the slot for a name in program code: a field name, a declared property, or a name that
  /// is converted to a field name by the default rule.
  package func slot(ofProperty name: String) -> Int? {
    slot(named: name) ?? Names.fieldName(ofProperty: name).flatMap { slot(named: $0) }
  }
}
