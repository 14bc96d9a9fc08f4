package import CommandSyntax
package import DataModel

extension DataError {
  /// Converts a command-line error.
  package init(_ error: UsageError) {
    let problems = error.problems.map { Problem(.usage, $0.message, hint: $0.hint) }
    self = DataError(problems) ?? DataError(.usage, "invalid command line")
  }
}
