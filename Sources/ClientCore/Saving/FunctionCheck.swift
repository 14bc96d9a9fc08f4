internal import Conditions
internal import DataModel

/// Validates stored functions against the schemas, when functions are saved or schemas change.
struct FunctionCheck: Sendable {
  private let catalog: Catalog

  init(_ catalog: Catalog) {
    self.catalog = catalog
  }

  /// Validates the stored functions that a chunk saves, and returns their problems and warnings.
  /// The rows of the chunk must already contain the complete functions, and not only the changed
  /// fields.
  func check(
    _ chunk: borrowing RowChanges, _ outcomes: [Outcome]
  ) -> (problems: [Problem], warnings: [String]) {
    var problems: [Problem] = []
    var warnings: [String] = []
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .refused: continue
      case .created, .changed, .same: break
      }
      do throws(DataError) {
        let function = StoredFunction(chunk.rows, row)
        var reader = ConditionReader(catalog, now: .epoch, parameters: .deferred, code: .invalid)
        warnings += try function.read(by: &reader, in: catalog).warnings
      } catch {
        for problem in error.problems {
          var located = problem
          located.line = chunk.lines[row]
          problems.append(located)
        }
      }
    }
    return (problems, warnings)
  }

  /// Checks the effects of a migration. Returns a problem for each condition in the access rules
  /// that is invalid after the migration, and for each function that the migration makes invalid.
  static func review(_ functions: Rows, before: Catalog, after: Catalog) -> [Problem] {
    let broken = (0..<functions.count).compactMap { row -> Problem? in
      let function = StoredFunction(functions, row)
      guard problem(of: function, in: before) == nil, let problem = problem(of: function, in: after)
      else { return nil }
      return Problem(
        .referenced, "the change would break this function: \(problem.message)",
        hint: """
          to change the schemas anyway, first write the function to a file and delete it: datactl \
          get function \(function.id) > FILE; datactl delete function \(function.id); after the \
          change, correct the names in FILE and save the function again
          """,
        schema: Schema.function.name, id: function.id)
    }
    return AccessConditions.problems(of: after) + broken
  }

  /// Returns the first problem of a function, or nil if it is valid.
  static func problem(of function: StoredFunction, in catalog: Catalog) -> Problem? {
    do throws(DataError) {
      var reader = ConditionReader(catalog, now: .epoch, parameters: .deferred, code: .invalid)
      _ = try function.read(by: &reader, in: catalog)
      return nil
    } catch {
      return error.problems[0]
    }
  }
}

extension Timestamp {
  /// The time that `now()` returns if its value does not matter, for example when a condition is
  /// only validated.
  static let epoch = Timestamp(microseconds: 0) ?? .earliest
}
