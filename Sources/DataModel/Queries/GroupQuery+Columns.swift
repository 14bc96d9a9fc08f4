/// A column in the result of a group query.
package struct GroupColumn: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case key(Route)
    case count
    case sum(Route)
    case average(Route)
    case least(Route)
    case greatest(Route)
  }

  /// The path of the key, or the name of the aggregate.
  package var name: String
  package var type: FieldType
  package var source: Source
}

extension GroupQuery {
  /// Returns the columns of the result, the keys first. Throws if the query is invalid.
  package func columns(in catalog: Catalog) throws(DataError) -> [GroupColumn] {
    var columns: [GroupColumn] = []
    var problems: [Problem] = []
    func add(_ name: String, _ column: () throws(DataError) -> GroupColumn) {
      do throws(DataError) {
        if columns.contains(where: { $0.name == name }) {
          throw DataError(.usage, "two columns are named \(Excerpt.visible(name))")
        }
        columns.append(try column())
      } catch {
        problems += error.problems
      }
    }
    for key in keys {
      add(key.description) { () throws(DataError) in try column(of: key, in: catalog) }
    }
    for sum in sums {
      add(sum.name) { () throws(DataError) in try column(of: sum, in: catalog) }
    }
    if columns.isEmpty, problems.isEmpty {
      problems.append(Problem(.usage, "no fields and no aggregates requested", schema: schema.name))
    }
    for term in order where problems.isEmpty && !columns.contains(where: { $0.name == term.field })
    {
      problems.append(unknown(term, among: columns.map(\.name)))
    }
    if let error = DataError(problems) { throw error }
    return columns
  }

  /// Whether the query only returns the distinct values of one key.
  private var isOfValues: Bool { sums.isEmpty && keys.count == 1 }

  private func unknown(_ term: OrderTerm, among names: [String]) -> Problem {
    let near = names.first { $0.hasSuffix("_" + term.field) } ?? nearest(term.field, among: names)
    let hint = near.map { "did you mean \($0)?" }
    let field = Excerpt.visible(term.field)
    guard isOfValues else {
      return Problem(
        .usage, "cannot order groups by \(field): not a column", hint: hint, schema: schema.name)
    }
    let values = "distinct values of \(keys[0])"
    return Problem(
      .usage, "cannot order \(values) by \(field): not a column",
      hint: term.field == GroupSum.count.name ? "to get a count, pass --group-by \(keys[0])" : hint,
      schema: schema.name)
  }

  /// Returns the indexes of the columns to sort by, followed by the remaining keys.
  package func order(of columns: [GroupColumn]) -> [(place: Int, isDescending: Bool)] {
    let asked = order.compactMap { term in
      columns.firstIndex { $0.name == term.field }.map {
        (place: $0, isDescending: term.isDescending)
      }
    }
    let others = keys.indices.filter { key in !asked.contains { $0.place == key } }
    return asked + others.map { (place: $0, isDescending: false) }
  }

  private func column(of key: FieldPath, in catalog: Catalog) throws(DataError) -> GroupColumn {
    let route = try catalog.route(toOne: key, from: schema)
    guard route.type.isOrdered else {
      let verb = isOfValues ? "list distinct values of" : "group by"
      throw .cannot(verb, key.description, route.type, of: schema)
    }
    return GroupColumn(name: key.description, type: route.type, source: .key(route))
  }

  private func column(of sum: GroupSum, in catalog: Catalog) throws(DataError) -> GroupColumn {
    guard let path = sum.path else {
      return GroupColumn(name: sum.name, type: .integer, source: .count)
    }
    let route = try catalog.route(toOne: path, from: schema)
    let isNumeric = route.type == .integer || route.type == .number
    func column(_ verb: String, _ type: FieldType, if isFit: Bool, _ source: GroupColumn.Source)
      throws(DataError) -> GroupColumn
    {
      guard isFit else { throw .cannot(verb, path.description, route.type, of: schema) }
      return GroupColumn(name: sum.name, type: type, source: source)
    }
    switch sum {
    case .count, .sum: return try column("add up", route.type, if: isNumeric, .sum(route))
    case .average:
      return try column("take the average of", .number, if: isNumeric, .average(route))
    case .least:
      return try column("find the minimum of", route.type, if: route.type.isOrdered, .least(route))
    case .greatest:
      return try column(
        "find the maximum of", route.type, if: route.type.isOrdered, .greatest(route))
    }
  }
}

extension DataError {
  /// Returns the error for a sum that exceeds the range of its column's type.
  package static func sumTooLarge(_ column: GroupColumn, of schema: Schema) -> DataError {
    let message = column.type == .integer ? "does not fit in 64 bits" : "exceeds the largest number"
    return DataError(
      Problem(.invalid, "\(column.name): the sum \(message)", schema: schema.name))
  }
}
