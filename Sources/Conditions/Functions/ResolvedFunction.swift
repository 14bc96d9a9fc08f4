package import DataModel

/// The query of a stored function, validated against the current schemas.
package struct ResolvedFunction: Sendable {
  package let schema: Schema
  /// The alias of the schema in the function's query. Conditions that the caller adds can use it
  /// too.
  package let alias: String?
  package let condition: Condition
  package let order: [OrderTerm]
  /// The path of the field by which the records are grouped into sections, or nil for no sections.
  package let segment: String?
  /// Messages about inconsistencies in the function that do not affect the result.
  package let warnings: [String]
}

extension StoredFunction {
  /// Parses the query of the function and validates it against the schemas.
  ///
  /// - Parameter reader: The reader that parses the conditions and provides the values of their
  ///   parameters.
  /// - Throws: An error with all problems of the function.
  package func read(
    by reader: inout ConditionReader, in catalog: Catalog
  ) throws(DataError) -> ResolvedFunction {
    var problems = problems
    let named = catalog.schema(ofItems: itemType)
    if named == nil, !itemType.isEmpty {
      let suggestion = nearest(
        Names.suggested(for: itemType, as: .schema) ?? itemType,
        among: catalog.schemas.map(\.name))
      problems.append(
        problem(
          "no schema \(Excerpt.escaped(itemType))", hint: suggestion.map { "did you mean \($0)?" },
          field: "item_type"))
    }
    var selection: FunctionQuery?
    do throws(DataError) {
      if !selectCore.isEmpty { selection = try reader.readSelection(selectCore) }
    } catch {
      problems += error.problems.map { relocated($0, in: "selectCore", reader.code) }
    }
    var order: [OrderTerm] = []
    var segment: FieldPath?
    if let schema = selection?.schema ?? named {
      note(&problems, in: "orderedBy", reader.code) { () throws(DataError) in
        if !orderedBy.isEmpty {
          order = try reader.readOrder(orderedBy, of: schema, alias: selection?.alias)
        }
      }
      note(&problems, in: "segmentedBy", reader.code) { () throws(DataError) in
        guard segmentedBy.count <= 1 else {
          throw DataError(
            .usage, "expected exactly one field, found \(segmentedBy.count)")
        }
        guard let field = segmentedBy.first else { return }
        let terms = try reader.readOrder(field, of: schema, alias: selection?.alias)
        guard terms.count == 1, !terms[0].isDescending else {
          throw DataError(.usage, "expected exactly one field, without a sort direction")
        }
        segment = try catalog.section(by: FieldPath(dotted: terms[0].field), of: schema).path
      }
    }
    if let selection { problems += mismatches(of: selection, to: named) }
    if let error = DataError(problems) { throw error }
    guard let selection else {
      throw DataError(.invalid, "the function has no query: selectCore is empty")
    }
    return ResolvedFunction(
      schema: selection.schema, alias: selection.alias, condition: selection.condition ?? .all,
      order: order, segment: segment?.description, warnings: warnings(of: selection))
  }

  private func mismatches(of selection: FunctionQuery, to named: Schema?) -> [Problem] {
    var problems: [Problem] = []
    if let named, named.name != selection.schema.name {
      problems.append(
        problem(
          "selectCore selects from \(selection.schema.name), but item_type is \(named.name)"))
    }
    if let tableAlias, tableAlias != selection.alias {
      problems.append(
        problem(
          "tableAlias is \(Excerpt.escaped(tableAlias)), but selectCore has "
            + (selection.alias.map { "the alias \($0)" } ?? "no alias")))
    }
    return problems
  }

  private func warnings(of selection: FunctionQuery) -> [String] {
    let hasCondition = selection.condition != nil
    guard let containsWhere, containsWhere != hasCondition else { return [] }
    return [
      "function \(Excerpt.escaped(id)): containsWhere is \(containsWhere), but selectCore has "
        + (hasCondition ? "a condition" : "no condition") + "; containsWhere is ignored"
    ]
  }

  private func note(
    _ problems: inout [Problem], in key: String, _ code: ErrorCode,
    _ body: () throws(DataError) -> Void
  ) {
    do throws(DataError) {
      try body()
    } catch {
      problems += error.problems.map { relocated($0, in: key, code) }
    }
  }

  private func problem(
    _ message: String, hint: String? = nil, field: String = "function"
  ) -> Problem {
    Problem(
      .invalid, message, hint: hint, schema: Schema.function.name, id: id, field: field)
  }

  /// Converts a problem in a text of the function, such as its condition, to a problem of the
  /// record that stores the function. The line and column are removed, because they refer to the
  /// text.
  ///
  /// - Parameter key: The key of the record that contains the text.
  private func relocated(_ found: Problem, in key: String, _ code: ErrorCode) -> Problem {
    var problem = found
    problem.code = code
    problem.message = "\(key): \(found.message)"
    problem.schema = Schema.function.name
    problem.id = id
    problem.field = "function"
    problem.line = nil
    problem.column = nil
    return problem
  }
}

extension Catalog {
  /// Returns the schema with a name that a stored function specifies, or nil if there is none. The
  /// name can also be spelled like a class, such as `TodoItem`, and have the prefix `_entity_`.
  func schema(ofItems name: String) -> Schema? {
    let prefix = "_entity_"
    let name = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    return self[name] ?? Names.suggested(for: name, as: .schema).flatMap { self[$0] }
  }
}
