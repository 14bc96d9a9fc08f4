package import DataModel

/// An item in a list of columns, such as the value of the option `--fields`. It has been parsed,
/// but not yet validated against a schema.
enum ColumnSyntax {
  /// A column: `EXPRESSION` or `NAME = EXPRESSION`.
  case column(name: String?, ExpressionSyntax)
  /// All declared fields: `*`.
  case declaredFields(range: Range<Int>)
  /// A field to leave out: `-FIELD`.
  case omitted(PathSyntax)
}

/// A list of columns, such as `title, n = month(due)`, that has been validated against a schema.
package struct ColumnList: Sendable {
  package fileprivate(set) var columns: [NamedExpression] = []
  /// The number of columns before `*`, which means the declared fields that are not in
  /// `columns`. Nil without `*`.
  package fileprivate(set) var declaredFieldsIndex: Int?
  /// The fields that the list leaves out with `-FIELD`, as slots (positions in a row).
  package fileprivate(set) var omittedSlots: [Int] = []
}

extension ConditionParser {
  /// Parses a comma-separated list of columns, which must extend to the end of the text.
  mutating func columns() throws(ConditionError) -> [ColumnSyntax] {
    var columns: [ColumnSyntax] = []
    repeat { columns.append(try column()) } while accept(.comma)
    guard token.kind == .end else { throw expected("a comma") }
    return columns
  }

  private mutating func column() throws(ConditionError) -> ColumnSyntax {
    let range = token.range
    if accept(.times) { return .declaredFields(range: range) }
    var parser = self
    if parser.accept(.minus), let path = parser.acceptPlainPath() {
      self = parser
      return .omitted(path)
    }
    var name: String?
    if case .word(let word) = token.kind, following.kind.isSymbol(.equal) {
      name = word
      advance()
      advance()
    }
    return .column(name: name, try item())
  }
}

extension String {
  /// Whether this text, a comma-separated list of columns, uses more than paths: computed columns,
  /// new names, names in quotes, `*` or `-FIELD`.
  package var hasComputedColumns: Bool { utf8.contains { Self.operatorBytes.contains($0) } }

  private static let operatorBytes = Array("()+-*/=\"".utf8)
}

extension ConditionReader {
  /// Parses a comma-separated list of group keys, such as `owner, n = month(due)`. The thrown error
  /// contains the problems of all columns.
  package mutating func readColumns(
    _ text: String, of schema: Schema
  ) throws(DataError) -> [NamedExpression] {
    try readColumns(text, of: schema, acceptsFieldSets: false).columns
  }

  /// Parses a comma-separated list of values to aggregate, such as `price, total = price * amount`.
  /// A value without a name is named after the function and the value, such as `sum_price`. The
  /// thrown error contains the problems of all values.
  package mutating func readAggregates(
    _ function: AggregateFunction, of text: String, of schema: Schema
  ) throws(DataError) -> [Aggregate] {
    try readColumns(text, of: schema, acceptsFieldSets: false, aggregatedBy: function).columns.map {
      .of(function, $0)
    }
  }

  /// Parses a comma-separated list of columns, in which `*` means all declared fields, and `-FIELD`
  /// leaves out a field. A column that is listed twice is taken once. The thrown error contains the
  /// problems of all columns.
  package mutating func readFields(
    _ text: String, of schema: Schema
  ) throws(DataError) -> ColumnList {
    try readColumns(text, of: schema, acceptsFieldSets: true)
  }

  private mutating func readColumns(
    _ text: String, of schema: Schema, acceptsFieldSets: Bool,
    aggregatedBy function: AggregateFunction? = nil
  ) throws(DataError) -> ColumnList {
    let bytes = Array(text.utf8)
    var list = ColumnList()
    var errors = ConditionErrors()
    var names: Set<String> = []
    do throws(ConditionError) {
      var parser = try parser(of: bytes)
      let items = try parser.columns()
      positionalCount = parser.positionalCount
      var check = ConditionChecker(self, of: schema, alias: nil)
      for item in items {
        do throws(ConditionError) {
          switch item {
          case .column(let name, let expression):
            let column = try check.column(
              named: name, expression, aggregatedBy: function,
              isGroupKey: !acceptsFieldSets && function == nil)
            if acceptsFieldSets, list.columns.contains(column) { continue }
            if !names.insert(column.name).inserted {
              throw ConditionError(
                "two columns are named \(Excerpt.escaped(column.name))", expression.range,
                hint: NamedExpression.hint(forTaken: column.name))
            }
            list.columns.append(column)
          case .declaredFields(let range):
            guard acceptsFieldSets else { throw ConditionError("expected a field", range) }
            list.declaredFieldsIndex = list.declaredFieldsIndex ?? list.columns.count
          case .omitted(let path):
            guard acceptsFieldSets else { throw ConditionError("expected a field", path.range) }
            list.omittedSlots.append(try check.omittedSlot(path))
          }
        } catch {
          errors.add(error)
        }
      }
      parameters = check.parameters
    } catch {
      errors.add(error)
    }
    if let error = errors.error(in: bytes, code: code) { throw error }
    return list
  }
}

extension ConditionChecker {
  /// Validates the path after the minus sign of `-FIELD`, and returns the slot (position in a row)
  /// of the field.
  fileprivate mutating func omittedSlot(_ path: PathSyntax) throws(ConditionError) -> Int {
    let resolvedPath = try resolvedPath(path).resolvedPath
    guard resolvedPath.hops.isEmpty, resolvedPath.part == .whole else {
      throw ConditionError("only a field of \(schema.name) can be left out", path.range)
    }
    return resolvedPath.slot
  }

  /// Validates the path in `each()`, which must lead to a list.
  private mutating func list(_ path: PathSyntax) throws(ConditionError) -> FieldPath {
    let fieldPath = try resolvedPath(path).path
    do throws(PathError) {
      _ = try catalog.resolvedList(fieldPath, from: schema)
    } catch {
      throw ConditionError(error.message, path.range, hint: error.hint)
    }
    return fieldPath
  }

  /// Validates a column, and returns its expression and its name. If no name is given, the name is
  /// derived from the expression. Throws an error if no name can be derived or the name is already
  /// used.
  fileprivate mutating func column(
    named name: String?, _ syntax: ExpressionSyntax, aggregatedBy function: AggregateFunction?,
    isGroupKey: Bool
  ) throws(ConditionError) -> NamedExpression {
    let expression: Expression
    if case .path(let path) = syntax {
      expression = .path(try resolvedPath(path).path)
    } else if case .element(let path, _) = syntax, isGroupKey {
      expression = .element(try list(path))
    } else {
      expression = try self.expression(syntax).expression
    }
    let defaultName = expression.defaultName.map { function?.columnName(for: $0) ?? $0 }
    if name == nil, case .path = expression, let defaultName {
      return NamedExpression(defaultName, expression)
    }
    guard let name = name ?? defaultName else {
      throw ConditionError(
        "a computed column needs a name", syntax.range,
        hint: "write NAME = EXPRESSION, such as total = price * amount")
    }
    guard schema.slot(named: name) == nil else {
      throw ConditionError(
        "\(name) is a field of \(schema.name), so it cannot be the name of a computed column",
        syntax.range, hint: NamedExpression.hint(forTaken: name))
    }
    guard catalog.inverse(named: [name], of: schema) == nil else {
      throw ConditionError(
        "\(name) is the inverse of a relation to \(schema.name), so it cannot be the name of a "
          + "computed column",
        syntax.range, hint: NamedExpression.hint(forTaken: name))
    }
    return NamedExpression(name, expression)
  }
}
