import CommandSyntax
import DataModel

/// Errors of the records in an edited text.
extension DataError {
  /// Whether the user can correct the records, so that they can be saved.
  var canBeCorrected: Bool { [2, 3, 5, 6].contains(code.exitStatus) }

  /// A copy of this error whose hints do not mention options that `edit` does not have.
  var withEditorHints: DataError {
    modifyingProblems { problem in
      // A record that was created again is another one, so its field `created_at` is reported.
      if problem.code == .changed, problem.field == nil {
        problem.hint =
          "to save your changes nevertheless, set revision to the number that was found"
      } else if problem.code == .schemaNotFound {
        let hint = """
          if the schema was renamed, edit the records under its new name, and copy your changes from \
          the text
          """
        problem.hint = [problem.hint, hint].compactMap(\.self).joined(separator: "\n")
      } else if problem.code == .notFound, problem.id != nil {
        problem.hint = "to create it again, add --create to the command that opens this text again"
      }
      let options = EditCommand.declaration.description.options.map(\.name)
      let words = problem.hint?.split { !$0.isLetter && $0 != "-" } ?? []
      if words.contains(where: { $0.hasPrefix("--") && !options.contains(String($0)) }) {
        problem.hint = nil
      }
    }
  }

  /// Returns a copy of this error with a hint that says how to get the text.
  ///
  /// - Parameter path: The path of the text, whose lines the problems name.
  func keeping(_ hint: String, in path: String? = nil) -> DataError {
    var index = 0
    return map { problem in
      index += 1
      var problem = problem
      if let path, problem.line != nil || problem.file != nil { problem.file = path }
      if index == problems.count {
        problem.hint = [problem.hint, hint].compactMap(\.self).joined(separator: "\n")
      }
      return problem
    }
  }
}
