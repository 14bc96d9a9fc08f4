internal import Conditions
package import DataModel
package import DataStore

/// The decision whether a caller may perform an operation on the records of a schema, or on one
/// record. It contains the result of each access rule.
package struct AccessDecision: Sendable {
  /// The text of one access rule, and what it means for this caller and operation.
  package struct Finding: Sendable {
    package var rule: String
    package var result: String
  }

  package var isAllowed: Bool
  package var findings: [Finding] = []
}

extension Client {
  /// Returns whether the access rules allow a caller to perform an operation, with the result of
  /// each rule.
  ///
  /// - Parameters:
  ///   - verb: The operation.
  ///   - name: The name of the schema.
  ///   - id: The id of an existing record, or nil to determine whether the rules could allow the
  ///     operation for some records of the schema.
  package func access(
    of caller: Caller, to verb: AccessVerb, _ name: String, id: String?
  ) async throws(DataError) -> AccessDecision {
    let snapshot = try await store.snapshot()
    let catalog = try await snapshot.catalog().catalog
    let schema = try catalog.schema(name)
    if let id, !(try await snapshot.find([id], in: schema, slots: [schema.keySlot]).missing.isEmpty)
    {
      throw DataError(.recordNotFound(id: id, of: schema))
    }
    let parser = Self.ruleParser(in: environment)
    let now = try environment.now()
    guard let scope = try await snapshot.scope(of: caller, at: now, rules: parser) else {
      return AccessDecision(
        isAllowed: true, findings: [.init(rule: "role:admin", result: "an administrator")])
    }
    var decision = AccessDecision(isAllowed: false)
    if let id, [.update, .delete, .history].contains(verb) {
      let read = try await access(of: scope, to: .read, schema, id: id, from: snapshot)
      guard read.isAllowed else {
        return AccessDecision(
          isAllowed: false,
          findings: [.init(rule: "read", result: "the record is hidden")] + read.findings)
      }
    }
    decision = try await access(of: scope, to: verb, schema, id: id, from: snapshot)
    return decision
  }

  private func access(
    of scope: Scope, to verb: AccessVerb, _ schema: Schema, id: String?,
    from reader: any StoreReader
  ) async throws(DataError) -> AccessDecision {
    var decision = AccessDecision(isAllowed: false)
    for rule in schema.access[verb] ?? [] {
      let isGranted: Bool
      let result: String
      if let grants = Scope.grants(rule, scope.user, scope.roles) {
        (isGranted, result) = (grants, grants ? "yes" : "no")
      } else {
        let condition = try AccessConditions.condition(
          rule.text, of: schema, in: scope.fullCatalog, user: scope.user,
          now: try environment.now())
        if condition.normalized == .constant(false) {
          (isGranted, result) = (false, "no")
        } else if let id {
          let isOne = Condition.equals(field: schema.key.name, value: .text(id))
          let count = try await reader.count(Query(schema, where: .every([isOne, condition])))
          (isGranted, result) = (count > 0, count > 0 ? "yes" : "no")
        } else {
          (isGranted, result) = (true, "depends on the record")
        }
      }
      decision.isAllowed = decision.isAllowed || isGranted
      decision.findings.append(.init(rule: rule.text, result: result))
    }
    return decision
  }
}
