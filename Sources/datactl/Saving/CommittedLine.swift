import ClientCore

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

  /// The line in messages, such as `line 12 of a.csv`.
  var text: String { file.map { "line \(line) of \($0)" } ?? "line \(line)" }
}
