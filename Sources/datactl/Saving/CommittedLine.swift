import ClientCore
import DataModel

/// The last line of the input whose record has been committed.
struct CommittedLine {
  let line: Int
  /// The file that contains the line, or nil if there is only one file.
  let file: String?

  /// Creates a line from `number`, which contains the line number and the index of the file in
  /// `files` (see `InputLine`).
  init(_ number: Int, of files: [String]) {
    let line = InputLine(number)
    self.line = line.line
    file = files.count > 1 ? files[line.fileIndex] : nil
  }

  /// Returns the problem that says that the save has ended after this line.
  ///
  /// - Parameter mayHaveMore: Whether records after the line may be committed too.
  func problem(of schema: String, mayHaveMore: Bool = false) -> Problem {
    let rest = mayHaveMore ? "possibly records after it" : "nothing after it"
    return Problem(
      .stopped, "everything up to \(text) is saved, and \(rest)", schema: schema, file: file,
      line: line)
  }

  /// The line in messages, such as `line 12 of a.csv`.
  var text: String { file.map { "line \(line) of \($0)" } ?? "line \(line)" }
}
