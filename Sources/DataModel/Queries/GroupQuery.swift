/// A query that groups records and returns one row per group.
///
/// Records with equal keys form a group; null keys are equal to each other. Without keys, all
/// records form one group, which exists even if there are no records. Without aggregates, the query
/// returns the distinct keys.
package struct GroupQuery: Sendable {
  package var schema: Schema
  /// The versions of the schemas against which the query was validated. If nil, the store only
  /// checks that the schema of the query is equal to the stored one.
  package var versions: SchemaVersions?
  /// What the caller may read; nil for administrators.
  package internal(set) var scope: Scope?
  package var condition: Condition
  /// The values to group by.
  package var keys: [NamedExpression]
  /// The aggregates to compute for each group. In the result, their columns follow the keys.
  package var aggregates: [Aggregate]
  /// The condition that a group must satisfy to be returned. Its paths are names of columns of the
  /// result, such as `count`.
  package var having = Condition.all
  /// The columns of the result to sort by, or values that are computed from them. Groups with equal
  /// values are sorted by their keys.
  package var order: [OrderTerm]
  /// The maximum number of groups to return, or nil for all groups.
  package var limit: Int?

  package init(
    _ schema: Schema, versions: SchemaVersions? = nil, where condition: Condition = .all,
    columns keys: [NamedExpression], aggregates: [Aggregate] = [], order: [OrderTerm] = [],
    limit: Int? = nil
  ) {
    self.schema = schema
    self.versions = versions
    self.condition = condition
    self.keys = keys
    self.aggregates = aggregates
    self.order = order
    self.limit = limit
  }

  /// Creates a query that groups records by the fields at the given paths. The paths may follow
  /// to-one relations.
  package init(
    _ schema: Schema, versions: SchemaVersions? = nil, where condition: Condition = .all,
    by keys: [FieldPath], aggregates: [Aggregate] = [], order: [OrderTerm] = [], limit: Int? = nil
  ) {
    self.init(
      schema, versions: versions, where: condition, columns: keys.map { NamedExpression($0) },
      aggregates: aggregates, order: order, limit: limit)
  }
}

/// An aggregate over the records of a group.
package enum Aggregate: Hashable, Sendable {
  /// The number of records in the group.
  case count
  /// The result of a function, such as the sum, for all values of an expression except null. The
  /// `NamedExpression` also contains the name of the column.
  case of(AggregateFunction, NamedExpression)
}

/// A function that computes one value from the values of a group.
package enum AggregateFunction: String, CaseIterable, Hashable, Sendable {
  /// The sum of all values that are not null; null if there are none. A sum that exceeds 64-bit
  /// integers, 38 digits or the largest double is an error.
  case sum
  /// The average of all values that are not null, as a double. Integers are added exactly.
  case average = "avg"
  /// The median of all values that are not null, as a double, or as a decimal with one more digit
  /// after the point. If the number of values is even, this is the mean of the two middle values.
  case median
  case minimum = "min"
  case maximum = "max"

  /// The functions that can be applied to the related records of each record. A median is only of
  /// the records of a group.
  package static let ofRelatedRecords: [AggregateFunction] = [.sum, .average, .minimum, .maximum]

  /// Returns the default name of the column for an aggregate of these values, such as `sum_price`.
  package func columnName(for values: String) -> String { "\(rawValue)_\(values)" }
}

extension Aggregate {
  /// Creates an aggregate of the values at a path. Its column has the default name, such as
  /// `sum_price`.
  package init(_ function: AggregateFunction, _ path: FieldPath) {
    self = .of(
      function, NamedExpression(function.columnName(for: path.description), .path(path)))
  }

  package static func sum(_ path: FieldPath) -> Aggregate { Aggregate(.sum, path) }
  package static func average(_ path: FieldPath) -> Aggregate { Aggregate(.average, path) }
  package static func median(_ path: FieldPath) -> Aggregate { Aggregate(.median, path) }
  package static func minimum(_ path: FieldPath) -> Aggregate { Aggregate(.minimum, path) }
  package static func maximum(_ path: FieldPath) -> Aggregate { Aggregate(.maximum, path) }

  /// The name of the aggregate's column in the result, such as `sum_price`.
  package var name: String {
    switch self {
    case .count: "count"
    case .of(_, let values): values.name
    }
  }

  /// The values to aggregate. Nil for the number of records.
  package var expression: Expression? {
    switch self {
    case .count: nil
    case .of(_, let values): values.expression
    }
  }

  /// Splits the name of an aggregate column into an option of `datactl list` and the field from
  /// which the column is computed: `sum_price` into `sum` and `price`. Returns nil if the name does
  /// not begin with the prefix of an aggregate.
  package static func option(ofColumn name: String) -> (option: String, field: String)? {
    AggregateFunction.allCases.first { name.hasPrefix($0.columnName(for: "")) }.map { function in
      (function.rawValue, String(name.dropFirst(function.columnName(for: "").count)))
    }
  }
}

/// A column in the result of a group query.
package struct GroupColumn: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case key(ResolvedExpression)
    case count
    case sum(ResolvedExpression)
    case average(ResolvedExpression)
    case median(ResolvedExpression)
    case minimum(ResolvedExpression)
    case maximum(ResolvedExpression)

    /// The aggregated values; nil for a key and for the number of records.
    package var aggregated: ResolvedExpression? {
      switch self {
      case .key, .count: nil
      case .sum(let value), .average(let value), .median(let value), .minimum(let value),
        .maximum(let value):
        value
      }
    }
  }

  /// The name of the column, such as `owner.name` for a key, or `sum_price` for an aggregate.
  package var name: String
  package var type: FieldType
  package var source: Source
}

extension GroupQuery {
  /// Returns the columns of the result, the keys first. Throws an error if the query is invalid.
  package func columns(in catalog: Catalog) throws(DataError) -> [GroupColumn] {
    try checkColumnCount(in: catalog)
    var columns: [GroupColumn] = []
    var problems: [Problem] = []
    func add(_ name: String, _ column: () throws(DataError) -> GroupColumn) {
      do throws(DataError) {
        if columns.contains(where: { $0.name == name }) {
          throw DataError(
            .usage, "two columns are named \(Excerpt.escaped(name))",
            hint: NamedExpression.hint(forTaken: name))
        }
        columns.append(try column())
      } catch {
        problems += error.problems
      }
    }
    for key in keys {
      add(key.name) { () throws(DataError) in try column(of: key, in: catalog) }
    }
    for sum in aggregates {
      add(sum.name) { () throws(DataError) in try column(of: sum, in: catalog) }
    }
    if columns.isEmpty, problems.isEmpty {
      problems.append(Problem(.usage, "no fields and no aggregates requested", schema: schema.name))
    }
    for term in order
    where problems.isEmpty && term.expression == nil
      && !columns.contains(where: { $0.name == term.field })
    {
      problems.append(unknown(term, among: columns.map(\.name)))
    }
    if let error = DataError(problems) { throw error }
    return columns
  }

  /// Returns a schema whose fields are the columns of the result. No table has this schema: it is
  /// used only to resolve the paths in the condition on groups (`having`).
  package func resultSchema(in catalog: Catalog) throws(DataError) -> Schema {
    let columns = try columns(in: catalog)
    let fields = columns.map { column in
      Field(column.name, column.type.isTextual ? .text : column.type)
    }
    // A group has no system fields.
    let systemSlots = fields.count..<fields.count + SystemField.allCases.count
    return Schema(
      name: Self.resultName, doc: nil, kind: .records, fields: fields, indexes: [], properties: [],
      keySlot: 0,
      visibility: SchemaVisibility(hiddenSlots: Set(systemSlots), isReadable: true))
  }

  /// The name of the schema of the result. No declared schema can have a name that begins with an
  /// underscore.
  package static let resultName = "_groups"

  /// Whether the query returns only the distinct values of one key.
  private var isDistinct: Bool { aggregates.isEmpty && keys.count == 1 }

  private func unknown(_ term: OrderTerm, among names: [String]) -> Problem {
    let near = names.first { $0.hasSuffix("_" + term.field) } ?? nearest(term.field, among: names)
    var hint = near.map { "did you mean \($0)?" }
    if let (option, field) = Aggregate.option(ofColumn: term.field),
      schema.slot(named: field) != nil
    {
      hint = "pass --\(option) \(field)"
    }
    let shown = Excerpt.escaped(term.field)
    guard isDistinct else {
      return Problem(
        .usage, "cannot order groups by \(shown), which is not a column of the result",
        hint: hint, schema: schema.name)
    }
    let values = "distinct values of \(keys[0].name)"
    return Problem(
      .usage, "cannot order \(values) by \(shown), which is not a column of the result",
      hint: term.field == Aggregate.count.name
        ? "to get a count, pass --group-by \(keys[0].name)" : hint,
      schema: schema.name)
  }

  /// Returns the terms to sort the groups by: the requested order, followed by the group keys that
  /// are not in this order. The terms refer to columns of the result.
  package func resolvedOrder(in catalog: Catalog) throws(DataError) -> [ResolvedOrder] {
    let schema = try resultSchema(in: catalog)
    let others = keys.map(\.name).filter { name in !order.contains { $0.field == name } }
    // The name of a column may contain dots, so it becomes a path with a single name.
    let terms = order + others.map { OrderTerm($0) }
    var resolved: [ResolvedOrder] = []
    for term in terms {
      resolved += try catalog.resolvedOrder(
        term.expression == nil
          ? OrderTerm(
            .path(FieldPath(term.field)), text: term.field, isDescending: term.isDescending)
          : term, of: schema)
    }
    return resolved
  }

  private func column(
    of key: NamedExpression, in catalog: Catalog
  ) throws(DataError) -> GroupColumn {
    var value = key.expression
    if case .element(let path) = key.expression {
      guard keys.count(where: { if case .element = $0.expression { true } else { false } }) == 1
      else { throw DataError(.usage, "only one each() is possible") }
      do throws(PathError) {
        if try catalog.resolvedList(path, from: schema).type == .json {
          value = .json(.scalar, key.expression)
        }
      } catch {
        throw DataError(error)
      }
    }
    if case .path(let path) = key.expression {
      let verb = isDistinct ? "list distinct values of" : "group by"
      let resolvedPath = try catalog.resolvedPath(toOne: path, from: schema, to: verb)
      if resolvedPath.isInJSON {
        value = .json(.scalar, key.expression)
      } else if !resolvedPath.type.isOrdered {
        let error = DataError.cannot(verb, path.description, resolvedPath.type, of: schema)
        guard resolvedPath.type.isList else { throw error }
        throw error.modifyingProblems { $0.hint = "for its elements, write each(\(path))" }
      }
    }
    let expression = try catalog.resolved([value], from: schema)[0]
    return GroupColumn(name: key.name, type: expression.type, source: .key(expression))
  }

  private func column(
    of aggregate: Aggregate, in catalog: Catalog
  ) throws(DataError) -> GroupColumn {
    guard case .of(let function, let values) = aggregate else {
      return GroupColumn(name: aggregate.name, type: .integer, source: .count)
    }
    func column(_ type: FieldType, _ source: GroupColumn.Source) -> GroupColumn {
      GroupColumn(name: values.name, type: type, source: source)
    }
    switch function {
    case .sum:
      let value = try number(values, "add up", in: catalog)
      return column(value.type.sumType, .sum(value))
    case .average:
      return column(.number, .average(try number(values, "take the average of", in: catalog)))
    case .median:
      let value = try number(values, "take the median of", in: catalog)
      guard let digits = value.type.digits else { return column(.number, .median(value)) }
      guard let middle = DecimalDigits.middle(scale: digits.scale) else {
        throw DataError(.usage, ArithmeticOperator.scaleMessage)
      }
      return column(.decimal(middle), .median(value))
    case .minimum:
      let value = try ordered(values, "find the minimum of", in: catalog)
      return column(value.type, .minimum(value))
    case .maximum:
      let value = try ordered(values, "find the maximum of", in: catalog)
      return column(value.type, .maximum(value))
    }
  }

  private func number(
    _ values: NamedExpression, _ verb: String, in catalog: Catalog
  ) throws(DataError) -> ResolvedExpression {
    try value(values, verb, if: \.isNumeric, inJSON: .summand, in: catalog)
  }

  private func ordered(
    _ values: NamedExpression, _ verb: String, in catalog: Catalog
  ) throws(DataError) -> ResolvedExpression {
    try value(values, verb, if: \.isOrdered, inJSON: .scalar, in: catalog)
  }

  /// Resolves the paths of an aggregated expression. If the expression is a path into JSON, its
  /// values are converted as `form` specifies. Throws an error if the type of the values is not
  /// supported.
  private func value(
    _ values: NamedExpression, _ verb: String, if isSupported: (FieldType) -> Bool,
    inJSON form: JSONForm, in catalog: Catalog
  ) throws(DataError) -> ResolvedExpression {
    var expression = values.expression
    if case .path(let path) = expression,
      try catalog.resolvedPath(toOne: path, from: schema, to: verb).isInJSON
    {
      expression = .json(form, expression)
    }
    let resolved = try catalog.resolved([expression], from: schema)[0]
    if case .json = expression { return resolved }
    guard isSupported(resolved.type) else {
      throw .cannot(
        verb, expression.defaultName ?? values.name, resolved.type, of: schema)
    }
    return resolved
  }
}

extension DataError {
  /// Returns the error for a sum that exceeds the range of its column's type.
  package static func sumTooLarge(_ column: GroupColumn, of schema: Schema) -> DataError {
    let message =
      column.type == .integer
      ? "does not fit in 64 bits"
      : column.type == .number ? "exceeds the range of a number" : "has more than 38 digits"
    return DataError(
      Problem(.invalid, "\(column.name): the sum \(message)", schema: schema.name))
  }

  /// Returns the error for an aggregate of computed values, one of which is out of range.
  package static func termOutOfRange(_ column: GroupColumn, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .invalid, "\(column.name): a computed value is out of range",
        hint: "integers have 64 bits, decimals 38 digits, and datetimes are in the years 1 to "
          + "9999; leave these records out with --where",
        schema: schema.name))
  }
}

extension FieldType {
  fileprivate var isTextual: Bool { self == .id || relation != nil }
}
