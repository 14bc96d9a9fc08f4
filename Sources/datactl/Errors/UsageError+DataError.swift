package import CommandSyntax
package import DataModel

extension DataError {
  /// What is wrong with a command line, in the form that every error has.
  package init(_ error: UsageError) {
    let problems = error.problems.map { Problem(.usage, $0.message, hint: $0.hint) }
    self = DataError(problems) ?? DataError(.usage, "invalid command line")
  }
}
