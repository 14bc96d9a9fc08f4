/// Compares declared schemas with the deployed ones, and finds the changes that break existing
/// programs.
///
/// Renames are detected in the same way as in migration plans.
package struct SchemaChanges {
  private let deployed: [Schema]
  private let origins: [String: Schema]
  private let successors: [String: String]

  package init(from deployed: [Schema], to declared: [DeclaredSchema]) {
    self.deployed = deployed
    let names = RenameMap(of: declared, among: deployed)
    let schemas = Dictionary(deployed.map { ($0.name, $0) }) { first, _ in first }
    origins = names.origins.compactMapValues { schemas[$0] }
    successors = names.successors
  }

  /// Returns a finding for each deployed schema that no file declares.
  ///
  /// - Parameter unread: The names of the schemas whose files could not be read. These schemas are
  ///   not reported.
  package func removals(except unread: [String]) -> [LintFinding] {
    undeclared(except: unread).map {
      LintFinding(.schemaRemoved, "not declared in any file", schema: $0.name)
    }
  }

  /// Returns the deployed schemas that no file declares any longer, not even under a new name.
  ///
  /// - Parameter unread: The names of the schemas whose files could not be read. These schemas are
  ///   not returned.
  package func undeclared(except unread: [String]) -> [Schema] {
    let unread = Set(unread)
    return deployed.filter { successors[$0.name] == nil && !unread.contains($0.name) }
  }

  /// Returns a finding for each change to a deployed schema that can break existing programs. A new
  /// schema has no findings.
  package func findings(in source: DeclaredSchema) -> [LintFinding] {
    let new = source.schema
    guard let old = origins[new.name] else { return [] }
    if old.kind != new.kind {
      return [
        source.finding(.kindChanged, "kind was \(old.kind.rawValue), is now \(new.kind.rawValue)")
      ]
    }
    var findings: [LintFinding] = []
    if old.name != new.name {
      findings.append(source.finding(.schemaRenamed, "was named \(old.name)"))
    }
    if old.kind == .user, old.key.name != new.key.name {
      findings.append(
        source.finding(
          .keyRenamed, "the primary key was named \(old.key.name)", field: new.key.name))
    }
    let successors = RenameMap(ofFieldsOf: source, among: old).successors
    return findings + fieldFindings(from: old, in: source, successors)
      + propertyFindings(from: old, in: source, successors)
      + indexFindings(from: old, in: source, successors)
  }

  private func fieldFindings(
    from old: Schema, in source: DeclaredSchema, _ successors: [String: String]
  ) -> [LintFinding] {
    var findings: [LintFinding] = []
    for field in old.fields where field.type != .id {
      guard let new = source.schema.fields.first(where: { $0.name == successors[field.name] })
      else {
        findings.append(source.finding(.fieldRemoved, "no longer declared", field: field.name))
        continue
      }
      if new.name != field.name {
        findings.append(
          source.finding(.fieldRenamed, "was named \(field.name)", field: new.name))
      }
      findings += changes(from: field, to: new, in: source)
    }
    let known = Set(successors.values)
    for field in source.schema.fields where !known.contains(field.name) {
      guard field.isRequired && !field.hasDefault else { continue }
      findings.append(
        source.finding(.fieldDemanded, "new and required, without a default", field: field.name))
    }
    return findings
  }

  private func changes(
    from old: Field, to new: Field, in source: DeclaredSchema
  ) -> [LintFinding] {
    var old = old
    if var relation = old.type.relation {
      relation.target = successors[relation.target] ?? relation.target
      old.type = .relation(relation)
    }
    if old.type.hasOtherValues(than: new.type) {
      return [
        source.finding(
          .typeChanged, "was \(old.type.displayName), is now \(new.type.displayName)",
          field: new.name)
      ]
    }
    return old.ruleChanges(to: new).flatMap { change in
      change.breakages(from: old, to: new).map {
        source.finding($0.rule, $0.message, field: new.name)
      }
    }
  }

  private func propertyFindings(
    from old: Schema, in source: DeclaredSchema, _ successors: [String: String]
  ) -> [LintFinding] {
    old.properties.compactMap { property in
      let new = source.schema
      guard let field = successors[property.field] else { return nil }
      let slot = new.slot(ofProperty: property.name)
      guard slot.map(new.name(of:)) != field else { return nil }
      return source.finding(
        .propertyRemoved, "the property \(property.name) no longer maps to this field",
        field: field)
    }
  }

  private func indexFindings(
    from old: Schema, in source: DeclaredSchema, _ successors: [String: String]
  ) -> [LintFinding] {
    let kept = source.schema.indexes.map(\.terms)
    return old.indexes.compactMap { index in
      let terms = index.terms.compactMap { term in
        successors[term.field].map { OrderTerm($0, isDescending: term.isDescending) }
      }
      guard terms.count == index.terms.count, !kept.contains(terms) else { return nil }
      return source.finding(
        .indexDropped, "the index on \(terms.map(\.text).joined(separator: ", ")) was removed")
    }
  }
}

extension RuleChange {
  /// Returns the lint rules that a change to a field violates, each with a message.
  fileprivate func breakages(from old: Field, to new: Field) -> [(rule: LintRule, message: String)]
  {
    switch rule {
    case .required:
      new.isRequired
        ? [(.requiredAdded, "was optional, is now required")]
        : [(.requiredDropped, "was required, is now optional")]
    case .unique: new.isUnique ? [(.uniqueAdded, "was not unique, is now unique")] : []
    case .defaultValue: [(.defaultChanged, "the default \(wasAndIs)")]
    case .minimum, .maximum: isStricter ? [(.ruleTightened, "\(rule.rawValue) \(wasAndIs)")] : []
    case .oneOf: Self.choices(from: old.oneOf, to: new.oneOf)
    case .pattern:
      isStricter
        ? [
          (
            .ruleTightened,
            from == nil
              ? "has a new pattern" : "has a different pattern, which may match fewer values"
          )
        ] : []
    case .onDelete:
      [(.onDeleteChanged, "on_delete was \(old.deletionRule), is now \(new.deletionRule)")]
    case .inverse: from == nil ? [] : [(.inverseRemoved, "the inverse \(wasAndIs)")]
    case .owned, .position, .access, .doc: []
    }
  }

  private var wasAndIs: String { "was \(from ?? "none"), is now \(to ?? "none")" }

  private static func choices(
    from old: [Value], to new: [Value]
  ) -> [(rule: LintRule, message: String)] {
    if old.isEmpty {
      return [
        (.ruleTightened, "allowed any value, now allows only the \(new.count) values in one_of")
      ]
    }
    if new.isEmpty { return [(.choiceAdded, "one_of was removed")] }
    func listed(_ values: [Value]) -> String { values.map(\.display).joined(separator: ", ") }
    let missing = old.filter { !new.contains($0) }
    let added = new.filter { !old.contains($0) }
    var breakages: [(rule: LintRule, message: String)] = []
    if !missing.isEmpty {
      breakages.append((.ruleTightened, "can no longer be \(listed(missing))"))
    }
    if !added.isEmpty { breakages.append((.choiceAdded, "can now be \(listed(added))")) }
    return breakages
  }
}

extension Field {
  fileprivate var deletionRule: String { type.relation?.onDelete.rawValue ?? "" }
}
