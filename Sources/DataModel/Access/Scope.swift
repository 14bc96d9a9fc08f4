/// What one caller may do with the records of a store, as computed from the access rules in one
/// version of its catalog. Administrators have no scope, because the rules do not restrict them.
package final class Scope: Sendable {
  /// The records on which a caller may perform an operation.
  package enum Permission: Hashable, Sendable {
    case all
    case none
    /// The records that satisfy at least one of the conditions.
    case matching([Condition])
  }

  /// A closure that parses the condition of an access rule. If the caller is not logged in, `user`
  /// is nil. In this case, each test that contains `:user` is false, and so is its negation.
  package typealias RuleParser =
    @Sendable (_ text: String, _ schema: Schema, _ catalog: Catalog, _ user: String?)
    throws(DataError) -> Condition

  /// The role whose users are administrators.
  package static let administratorRole = "admin"

  /// The id of the caller; nil if the caller is not logged in.
  package let user: String?
  package let roles: [String]
  /// The version of the catalog from which the scope was computed.
  package let catalogVersion: Int64
  /// All schemas of the store. The conditions in access rules can refer to all of them, including
  /// those that are hidden from the caller.
  package let fullCatalog: Catalog
  /// The schemas that are visible to the caller, without their hidden fields.
  package let catalog: Catalog
  private let permissions: [String: [AccessVerb: Permission]]
  private let readOnlySlots: [String: Set<Int>]

  package init(
    user: String?, roles: [String], catalog: Catalog, version: Int64, rules parse: RuleParser
  ) throws(DataError) {
    self.user = user
    self.roles = roles
    catalogVersion = version
    fullCatalog = catalog
    var permissions: [String: [AccessVerb: Permission]] = [:]
    var readOnlySlots: [String: Set<Int>] = [:]
    var known: [Schema] = []
    for schema in catalog.schemas {
      var granted: [AccessVerb: Permission] = [:]
      for verb in AccessVerb.allCases {
        granted[verb] = try Self.permission(
          schema.access[verb] ?? [], user, roles
        ) { (text) throws(DataError) in try parse(text, schema, catalog, user) }
      }
      permissions[schema.name] = granted
      func slots(where isDenied: (Field) -> Bool) -> Set<Int> {
        Set(schema.fields.indices.filter { isDenied(schema.fields[$0]) })
      }
      let hidden = slots { !Self.grant($0.access.read, user, roles) }
      readOnlySlots[schema.name] = slots { field in
        [schema.roles, schema.disabled].contains(field.name)
          || !Self.grant(field.access.write, user, roles)
      }
      let verbs: [AccessVerb] = [.read, .create, .update, .delete]
      if verbs.contains(where: { granted[$0] != Permission.none }) {
        known.append(
          schema.known(
            as: SchemaVisibility(
              hiddenSlots: hidden, isReadable: granted[.read] != Permission.none)))
      }
    }
    self.permissions = permissions
    self.readOnlySlots = readOnlySlots
    let canLogIn = user == nil && catalog.userSchema != nil
    self.catalog = Catalog(
      known: known, hintForMissing: canLogIn ? "log in: datactl login" : nil)
  }

  /// Returns the permission to perform an operation on the records of a schema.
  package func permission(to verb: AccessVerb, _ schema: String) -> Permission {
    permissions[schema]?[verb] ?? .none
  }

  /// Returns the slots of the fields that the caller may not write, including hidden fields.
  package func readOnlySlots(of schema: Schema) -> Set<Int> {
    readOnlySlots[schema.name, default: []].union(catalog[schema.name]?.hiddenSlots ?? [])
  }

  /// Returns whether a rule grants access to a caller. Returns nil if the rule is a condition.
  package static func grants(_ rule: AccessRule, _ user: String?, _ roles: [String]) -> Bool? {
    switch rule {
    case .anyone: true
    case .users: user != nil
    case .role(let role): user != nil && roles.contains { $0.utf8.elementsEqual(role.utf8) }
    case .condition: nil
    }
  }

  /// Returns whether the rules of a field grant access to a caller. Returns true if `rules` is nil.
  private static func grant(_ rules: [AccessRule]?, _ user: String?, _ roles: [String]) -> Bool {
    rules?.contains { grants($0, user, roles) == true } ?? true
  }

  private static func permission(
    _ rules: [AccessRule], _ user: String?, _ roles: [String],
    parse: (String) throws(DataError) -> Condition
  ) throws(DataError) -> Permission {
    if rules.contains(where: { grants($0, user, roles) == true }) { return .all }
    var conditions: [Condition] = []
    for text in rules.compactMap(\.condition) {
      let condition = try parse(text)
      switch condition.normalized {
      case .constant(true): return .all
      case .constant(false): break
      case .meets, .fails, .every, .some: conditions.append(condition)
      }
    }
    return conditions.isEmpty ? .none : .matching(conditions)
  }
}

extension Scope {
  /// Returns the visible part of a schema. Throws an error if the schema is hidden from the caller,
  /// or if the caller may not read any of its records.
  fileprivate func readable(_ schema: Schema) throws(DataError) -> Schema {
    let known = try catalog.schema(schema.name)
    guard permission(to: .read, known.name) != .none else {
      throw DataError(denial(.read, known.name))
    }
    return known
  }

  /// Returns the problem for an operation that the rules do not allow.
  package func denial(
    _ verb: AccessVerb, _ schema: String, id: String? = nil, field: String? = nil,
    line: Int? = nil
  ) -> Problem {
    let action =
      switch verb {
      case .read, .history: "read"
      case .create: "create"
      case .update: "change"
      case .delete: "delete"
      }
    let object =
      field != nil ? "this field" : id == nil ? "records of \(schema)" : "this record"
    return Problem(
      user == nil ? .notLoggedIn : .forbidden,
      "the access rules do not allow you to \(action) \(object)",
      hint: user == nil ? "log in: datactl login" : nil, schema: schema, id: id, field: field,
      line: line)
  }
}

extension Query {
  /// Returns a copy of the query that is restricted to what a caller may read (the scope). Throws
  /// an error if the schema is hidden from the caller, or if the caller may not read any of its
  /// records.
  package func bound(to scope: Scope) throws(DataError) -> Query {
    var query = self
    query.scope = scope
    query.includesPasswordHashes = false
    query.schema = try scope.readable(schema)
    query.slots.removeAll { query.schema.hiddenSlots.contains($0) }
    query.versions = SchemaVersions(catalog: scope.catalogVersion)
    return query
  }
}

extension GroupQuery {
  /// Returns a copy of the query that is restricted to what a caller may read (the scope). Throws
  /// an error if the schema is hidden from the caller, or if the caller may not read any of its
  /// records.
  package func bound(to scope: Scope) throws(DataError) -> GroupQuery {
    var query = self
    query.scope = scope
    query.schema = try scope.readable(schema)
    query.versions = SchemaVersions(catalog: scope.catalogVersion)
    return query
  }
}
