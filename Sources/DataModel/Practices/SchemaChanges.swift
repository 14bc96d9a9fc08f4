/// Compares schemas with those that are deployed and finds what breaks the programs that use them.
package struct SchemaChanges {
  private let deployed: [Schema]

  package init(from deployed: [Schema]) {
    self.deployed = deployed
  }

  /// The schemas that are deployed and not declared any more.
  package func removals(of declared: Set<String>) -> [LintFinding] {
    deployed.filter { !declared.contains($0.name) }.map {
      LintFinding(.schemaRemoved, "no file declares it", schema: $0.name)
    }
  }

  /// What breaks in one schema.
  package func findings(in source: SchemaSource) -> [LintFinding] {
    let new = source.schema
    guard let old = deployed.first(where: { $0.name == new.name }) else { return [] }
    var findings: [LintFinding] = []
    if old.kind != new.kind {
      findings.append(
        source.finding(.kindChanged, "was of kind \(old.kind.rawValue), is \(new.kind.rawValue)"))
    }
    if old.key.name != new.key.name {
      findings.append(
        source.finding(
          .keyRenamed, "the primary key was called \(old.key.name)", field: new.key.name))
    }
    for field in old.fields where field.type != .id {
      if let newer = new.fields.first(where: { $0.name == field.name }) {
        findings += changes(from: field, to: newer, in: source)
      } else {
        findings.append(
          source.finding(.fieldRemoved, "not declared any more", field: field.name))
      }
    }
    for field in new.fields where field.isRequired && field.defaultValue == nil {
      guard !old.fields.contains(where: { $0.name == field.name }) else { continue }
      findings.append(
        source.finding(.fieldDemanded, "new, required and without default", field: field.name))
    }
    return findings + propertyFindings(from: old, in: source) + indexFindings(from: old, in: source)
  }

  private func changes(
    from old: Field, to new: Field, in source: SchemaSource
  ) -> [LintFinding] {
    func found(_ rule: LintRule, _ message: String) -> LintFinding {
      source.finding(rule, message, field: new.name)
    }
    if old.type.storedWords != new.type.storedWords {
      return [found(.typeChanged, "was \(old.type.storedWords), is \(new.type.storedWords)")]
    }
    var findings: [LintFinding] = []
    if new.isRequired && !old.isRequired {
      findings.append(found(.requiredAdded, "was optional, is required"))
    }
    if old.isRequired && !new.isRequired {
      findings.append(found(.requiredDropped, "was required, is optional"))
    }
    if new.isUnique && !old.isUnique {
      findings.append(found(.uniqueAdded, "had no need to be unique, is unique"))
    }
    findings += tightenings(from: old, to: new).map { found(.ruleTightened, $0) }
    if !old.oneOf.isEmpty && !Set(new.oneOf).isSubset(of: old.oneOf) || widens(old, new) {
      let added = new.oneOf.filter { !old.oneOf.contains($0) }.map(\.display)
      findings.append(
        found(
          .choiceAdded,
          added.isEmpty ? "one_of is gone" : "can be \(added.joined(separator: ", ")) too"))
    }
    if old.defaultValue != new.defaultValue {
      let before = old.defaultValue.map(\.display) ?? "none"
      let after = new.defaultValue.map(\.display) ?? "none"
      findings.append(found(.defaultChanged, "the default was \(before), is \(after)"))
    }
    if let before = old.type.relation?.onDelete, let after = new.type.relation?.onDelete,
      before != after
    {
      findings.append(
        found(.onDeleteChanged, "on_delete was \(before.rawValue), is \(after.rawValue)"))
    }
    return findings
  }

  private func widens(_ old: Field, _ new: Field) -> Bool {
    !old.oneOf.isEmpty && new.oneOf.isEmpty
  }

  private func tightenings(from old: Field, to new: Field) -> [String] {
    var messages: [String] = []
    if let minimum = new.minimum, old.minimum.map(minimum.isGreater) ?? true {
      messages.append("min was \(old.minimum?.display ?? "none"), is \(minimum.display)")
    }
    if let maximum = new.maximum, old.maximum?.isGreater(than: maximum) ?? true {
      messages.append("max was \(old.maximum?.display ?? "none"), is \(maximum.display)")
    }
    let missing = old.oneOf.filter { !new.oneOf.contains($0) }
    if !new.oneOf.isEmpty && old.oneOf.isEmpty {
      messages.append("could be any value, can be one of \(new.oneOf.count) only")
    } else if !new.oneOf.isEmpty && !missing.isEmpty {
      messages.append("can no longer be \(missing.map(\.display).joined(separator: ", "))")
    }
    if let pattern = new.pattern, pattern != old.pattern {
      messages.append(
        old.pattern == nil ? "has a pattern now" : "has another pattern, which may match less")
    }
    return messages
  }

  private func propertyFindings(from old: Schema, in source: SchemaSource) -> [LintFinding] {
    old.properties.compactMap { property in
      let new = source.schema
      guard new.fields.contains(where: { $0.name == property.field }) else { return nil }
      let slot = new.slot(ofProperty: property.name)
      guard slot.map(new.name(of:)) != property.field else { return nil }
      return source.finding(
        .propertyRemoved, "\(property.name) no longer stands for it", field: property.field)
    }
  }

  private func indexFindings(from old: Schema, in source: SchemaSource) -> [LintFinding] {
    let new = source.schema
    let kept = new.indexes.map(\.terms)
    return old.indexes.map(\.terms).filter { terms in
      !kept.contains(terms)
        && terms.allSatisfy { term in new.fields.contains { $0.name == term.field } }
    }.map { terms in
      source.finding(
        .indexDropped, "the index of \(terms.map(\.text).joined(separator: ", ")) is gone")
    }
  }
}

extension FieldType {
  /// The type in words that are the same if values of the one are values of the other.
  fileprivate var storedWords: String {
    guard let relation else { return name }
    return relation.isMany
      ? "a relation to many \(relation.target)" : "a relation to \(relation.target)"
  }
}
