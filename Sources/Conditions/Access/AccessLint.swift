package import DataModel

/// Finds errors in access rules, and probable mistakes such as a rule that allows everyone to
/// write.
package enum AccessLint {
  /// Returns the errors in the access rules of a schema, and warnings about probable mistakes.
  ///
  /// - Parameter catalog: All schemas, or nil if not all of them are known. If it is nil, the
  ///   conditions are not checked.
  package static func findings(in source: DeclaredSchema, _ catalog: Catalog?) -> [LintFinding] {
    let schema = source.schema
    var findings: [LintFinding] = []
    let verbs: [AccessVerb] =
      schema.kind == .user ? [.update, .delete] : [.create, .update, .delete]
    for verb in verbs where schema.access[verb]?.contains(.anyone) == true {
      findings.append(
        source.finding(
          .writeByAnyone,
          "access.\(verb.rawValue): everyone may \(verb.rawValue) records, even without logging in",
          line: source.draft.line(of: verb)))
    }
    if let creator = schema.access.ruleOfCreatorsWithoutReadAccess {
      findings.append(
        source.finding(
          .unreadableRecord,
          "access.create: no rule of access.read lets the callers of \(creator.text) read the "
            + "records that they create", line: source.draft.line(of: .create)))
    }
    let isWritable = [AccessVerb.create, .update].contains { !(schema.access[$0] ?? []).isEmpty }
    for field in schema.fields where isWritable && field.isUnique && field.access.read != nil {
      findings.append(
        source.finding(
          .hiddenUnique,
          "\(field.name) is unique, so callers who may not read it can find out its values",
          field: field.name))
    }
    if let owner = schema.ownerSlot.map(schema.name(of:)) {
      let rules = [AccessVerb.create, .update].flatMap { schema.access[$0] ?? [] }
      if !rules.isEmpty, !rules.contains(where: { $0.condition?.contains(owner) == true }) {
        findings.append(
          source.finding(
            .rulesWithoutOwner, "no rule of access.create or access.update names \(owner)",
            field: owner))
      }
    }
    guard let catalog else { return findings }
    let problems = AccessConditions.problems(of: schema, in: catalog, declaredAs: source.draft)
    findings += problems.map { problem in
      source.finding(.invalidSchema, problem.message, fix: problem.hint, line: problem.line)
    }
    if problems.count >= DataError.maxProblems { return findings }
    for verb in AccessVerb.allCases {
      for text in (schema.access[verb] ?? []).compactMap(\.condition) {
        let condition = try? AccessConditions.condition(
          text, of: schema, in: catalog, user: "", now: .earliest)
        guard let condition else { continue }
        if let isTrue = condition.normalized.constantValue {
          findings.append(
            source.finding(
              .constantRule,
              "access.\(verb.rawValue): \(Excerpt.truncated(text)) is \(isTrue ? "true" : "false") "
                + "for every record", line: source.draft.line(of: verb)))
        }
        guard verb == .read else { continue }
        for slot in condition.slotsWithoutIndex(of: schema) {
          findings.append(
            source.finding(
              .ruleWithoutIndex,
              "no index begins with \(schema.name(of: slot)), which access.read tests",
              fix: "add [\"\(schema.name(of: slot))\"] to \"indexes\"", field: schema.name(of: slot)
            ))
        }
      }
    }
    return findings
  }
}

extension AccessRules {
  /// The first rule for `create` whose callers cannot read any records, because no rule for `read`
  /// applies to them. A rule for `read` with a condition counts as applying to all callers, because
  /// any caller may satisfy the condition.
  fileprivate var ruleOfCreatorsWithoutReadAccess: AccessRule? {
    let readers = self[.read] ?? []
    return (self[.create] ?? []).first { creator in
      !readers.contains { $0.condition != nil || $0.covers(creator) }
    }
  }
}

extension NormalizedCondition {
  /// The maximum number of different tests in a condition whose `constantValue` is computed. The
  /// condition is evaluated for each combination of test results: 2^8 times for 8 tests.
  private static var maxTests: Int { 8 }

  /// The value of the condition if it is always true or always false, whatever the results of its
  /// tests are. Nil if the value depends on the results, or if the condition has too many different
  /// tests.
  fileprivate var constantValue: Bool? {
    let tests = differentTests.map(\.self)
    guard tests.count <= Self.maxTests else { return nil }
    let values = (0..<1 << tests.count).map { combination in
      let met = Set(tests.indices.filter { combination >> $0 & 1 == 1 }.map { tests[$0] })
      return isTrue(meeting: met)
    }
    return values.allSatisfy { $0 == values[0] } ? values[0] : nil
  }

  private var differentTests: Set<Test> {
    switch self {
    case .constant: []
    case .meets(let test), .fails(let test): [test]
    case .every(let parts), .some(let parts):
      parts.reduce(into: []) { $0.formUnion($1.differentTests) }
    }
  }

  private func isTrue(meeting met: Set<Test>) -> Bool {
    switch self {
    case .constant(let isTrue): isTrue
    case .meets(let test): met.contains(test)
    case .fails(let test): !met.contains(test)
    case .every(let parts): parts.allSatisfy { $0.isTrue(meeting: met) }
    case .some(let parts): parts.contains { $0.isTrue(meeting: met) }
    }
  }
}

extension Condition {
  /// The slots (positions in a row) of the fields that the condition compares with `=`, but that
  /// are not the first field of an index. For such a field, a query must examine all records.
  /// Fields with few values, such as booleans, are excluded.
  fileprivate func slotsWithoutIndex(of schema: Schema) -> [Int] {
    switch self {
    case .test(let path, .compare(.equal, _)):
      guard path.names.count == 1, let slot = schema.slot(named: path.names[0]),
        slot < schema.fields.count, schema.type(of: slot).isOrdered,
        schema.type(of: slot) != .boolean, schema.fields[slot].oneOf.isEmpty,
        !schema.hasIndex(beginningWith: slot)
      else { return [] }
      return [slot]
    case .all, .test, .compute, .any, .not: return []
    case .and(let parts), .or(let parts): return parts.flatMap { $0.slotsWithoutIndex(of: schema) }
    }
  }
}
