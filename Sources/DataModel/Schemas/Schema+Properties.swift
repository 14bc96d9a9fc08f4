extension Names {
  /// The field that the rule leads to from a property's name (`personID` to `person_id`), or nil if
  /// the name is none that a property can have.
  package static func fieldName(ofProperty name: String) -> String? {
    isProperty(name) ? suggested(for: name) : nil
  }
}

extension Schema {
  /// Where the field stands that program code calls by this name: a field, a property that the schema
  /// declares, or one that the rule leads from.
  package func slot(ofProperty name: String) -> Int? {
    slot(named: name) ?? Names.fieldName(ofProperty: name).flatMap { slot(named: $0) }
  }
}
