package import DataModel

/// Parsing and validation of the conditions in access rules.
package enum AccessConditions {
  /// The maximum number of comparisons in the condition of a rule.
  static let maxTests = 50
  /// The maximum number of relations that a path in the condition of a rule follows.
  static let maxRelations = 4

  /// Parses the condition of an access rule.
  ///
  /// - Parameters:
  ///   - text: The text of the condition, in which `:user` is the id of the user who makes the
  ///     request.
  ///   - user: The id of this user, or nil if the caller is not logged in. Without an id, a test
  ///     that contains `:user` is false, and so is its negation.
  package static func condition(
    _ text: String, of schema: Schema, in catalog: Catalog, user: String?, now: Timestamp
  ) throws(DataError) -> Condition {
    var reader = ConditionReader(
      catalog, now: now, parameters: .user(user), code: .invalidSchema)
    return try reader.read(text, of: schema)
  }

  /// Returns whether a condition of the schema's access rules contains a name that is neither a
  /// field nor the inverse of a relation in the catalog. A schema that is not in the catalog may
  /// declare such an inverse.
  package static func haveUnknownNames(_ schema: Schema, in catalog: Catalog) -> Bool {
    schema.conditions.contains { text in
      var reader = ConditionReader(catalog, now: .earliest, parameters: .user(""))
      _ = try? reader.read(text, of: schema)
      return reader.hasUnknownNames
    }
  }

  /// Returns the problems in all conditions in the access rules of a catalog.
  package static func problems(of catalog: Catalog) -> [Problem] {
    catalog.schemas.flatMap { problems(of: $0, in: catalog) }
  }

  /// Returns the problems in the conditions of a schema's access rules. If there are many, the
  /// other conditions are not checked.
  ///
  /// - Parameter draft: The declaration of the schema in a file, with the file name and the lines
  ///   of the rules. Nil if the schema is not declared in a file.
  package static func problems(
    of schema: Schema, in catalog: Catalog, declaredAs draft: SchemaDraft? = nil
  ) -> [Problem] {
    var found: [Problem] = []
    for verb in AccessVerb.allCases {
      for text in (schema.access[verb] ?? []).compactMap(\.condition)
      where found.count < DataError.maxProblems {
        found += problems(of: text, schema, catalog).map { problem in
          Problem(
            .invalidSchema, "access.\(verb.rawValue): \(problem.message)", hint: problem.hint,
            schema: schema.name, file: draft?.file,
            line: draft.flatMap { $0.line(of: verb) ?? $0.line })
        }
      }
    }
    return found
  }

  private static func problems(
    of text: String, _ schema: Schema, _ catalog: Catalog
  ) -> [(message: String, hint: String?)] {
    let condition: Condition
    do throws(DataError) {
      condition = try self.condition(
        text, of: schema, in: catalog, user: "", now: Timestamp(microseconds: 0) ?? .earliest)
    } catch {
      let word = nearest(text, among: ["anyone", "users"]).map { "did you mean \($0)?" }
      return error.problems.map { ($0.message, word ?? $0.hint) }
    }
    var problems: [(message: String, hint: String?)] = []
    let count = condition.normalized.tests
    if count > maxTests {
      problems.append(
        ("\(count) comparisons in a rule; the limit is \(maxTests)", "write several rules"))
    }
    if catalog.relationDepth(of: condition, from: schema) > maxRelations {
      problems.append(("a rule can follow at most \(maxRelations) relations", nil))
    }
    if condition.computesValuesOutOfRange {
      problems.append(
        ("a rule cannot compute a value that may be out of range", "compare fields with values"))
    }
    return problems
  }
}

extension Schema {
  /// The texts of the conditions in the access rules.
  package var conditions: [String] {
    AccessVerb.allCases.flatMap { (access[$0] ?? []).compactMap(\.condition) }
  }
}

extension Catalog {
  /// Returns the number of relations that the longest path in a condition follows. The condition is
  /// about records of `schema`, and all of its paths must be valid.
  fileprivate func relationDepth(of condition: Condition, from schema: Schema) -> Int {
    func depth(_ paths: [FieldPath]) -> Int {
      paths.map { (try? resolvedPath($0, from: schema))?.hops.count ?? 0 }.max() ?? 0
    }
    switch condition {
    case .all: return 0
    case .test(let path, .comparePath(_, let other)): return depth([path, other])
    case .test(let path, _): return depth([path])
    case .compute(let expression, let criterion):
      let paths = expression.paths + (criterion.expression?.paths ?? [])
      return max(depth(paths), expression.readsReferrers ? 1 : 0)
    case .any(let path, let inner):
      guard let target = try? toManyHop(path, from: schema).target else { return 0 }
      return 1 + relationDepth(of: inner, from: target)
    case .not(let inner): return relationDepth(of: inner, from: schema)
    case .and(let parts), .or(let parts):
      return parts.map { relationDepth(of: $0, from: schema) }.max() ?? 0
    }
  }
}
