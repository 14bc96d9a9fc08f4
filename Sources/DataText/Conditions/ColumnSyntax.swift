package import DataModel

/// A column that a query returns, such as `n = month(due)`, before validation against a schema.
struct ColumnSyntax {
  /// The name in `NAME = EXPRESSION`, or nil if the column has only an expression.
  var name: String?
  var expression: ExpressionSyntax
}

extension ConditionParser {
  /// Parses a comma-separated list of columns, which must extend to the end of the text.
  mutating func columns() throws(ConditionError) -> [ColumnSyntax] {
    var columns: [ColumnSyntax] = []
    repeat {
      var name: String?
      if case .word(let word) = token.kind, following.kind.isSymbol(.equal) {
        name = word
        advance()
        advance()
      }
      columns.append(ColumnSyntax(name: name, expression: try expression()))
    } while accept(.comma)
    guard token.kind == .end else { throw expected("a comma") }
    return columns
  }
}

extension String {
  /// Whether the text, a comma-separated list of columns, contains computed columns or new names.
  /// If not, it is a list of paths.
  package var hasComputedColumns: Bool { utf8.contains { Self.operatorBytes.contains($0) } }

  private static let operatorBytes = Array("()+*=".utf8)
}

extension ConditionReader {
  /// Parses a comma-separated list of columns, such as `owner, n = month(due)`. The thrown error
  /// contains the problems of all columns.
  package mutating func readColumns(
    _ text: String, of schema: Schema
  ) throws(DataError) -> [NamedExpression] {
    let bytes = Array(text.utf8)
    var columns: [NamedExpression] = []
    var problems: [Problem] = []
    do throws(ConditionError) {
      var parser = try parser(of: bytes)
      let list = try parser.columns()
      positionalCount = parser.positionalCount
      var check = ConditionChecker(
        catalog: catalog, schema: schema, alias: nil, now: now, parameters: parameters)
      for syntax in list {
        do throws(ConditionError) {
          let column = try check.column(syntax)
          if columns.contains(where: { $0.name == column.name }) {
            throw ConditionError(
              "two columns are named \(Excerpt.escaped(column.name))", syntax.expression.range,
              hint: "give one of them another name: other_\(column.name) = …")
          }
          columns.append(column)
        } catch {
          problems.append(error.problem(in: bytes, code: code))
        }
      }
      parameters = check.parameters
    } catch {
      problems.append(error.problem(in: bytes, code: code))
    }
    if let error = DataError(problems) { throw error }
    return columns
  }
}

extension ConditionChecker {
  /// Validates a column, and returns it with its name.
  fileprivate mutating func column(
    _ syntax: ColumnSyntax
  ) throws(ConditionError) -> NamedExpression {
    let expression: Expression
    if case .path(let path) = syntax.expression {
      expression = .path(try resolvedPath(path).path)
      if syntax.name == nil { return NamedExpression(expression.defaultName ?? "", expression) }
    } else {
      expression = try self.expression(syntax.expression).expression
    }
    guard let name = syntax.name ?? expression.defaultName else {
      throw ConditionError(
        "a computed column needs a name", syntax.expression.range,
        hint: "write NAME = EXPRESSION, such as total = price * amount")
    }
    guard schema.slot(named: name) == nil else {
      throw ConditionError(
        "\(name) is a field of \(schema.name), so it cannot be the name of a computed column",
        syntax.expression.range, hint: "choose another name: other_\(name) = …")
    }
    guard catalog.inverse(named: [name], of: schema) == nil else {
      throw ConditionError(
        "\(name) is the inverse of a relation to \(schema.name), so it cannot be the name of a "
          + "computed column",
        syntax.expression.range, hint: "choose another name: other_\(name) = …")
    }
    return NamedExpression(name, expression)
  }
}
