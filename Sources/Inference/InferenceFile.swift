/// One of the files that are read to infer a schema.
package struct InferenceFile: Hashable, Sendable {
  package let name: String
  /// The position of the file among the files that are read, counted from 0.
  let index: Int
  /// The number of all files that are read.
  let count: Int

  package init(_ name: String, _ index: Int = 0, of count: Int = 1) {
    (self.name, self.index, self.count) = (name, index, count)
  }

  var isLast: Bool { index == count - 1 }
}

/// The location of a value in the files that are read to infer a schema. Locations are ordered like
/// the values in the input.
struct InferenceLocation: Hashable, Comparable, CustomStringConvertible, Sendable {
  let file: InferenceFile
  let line: Int

  init(_ file: InferenceFile, _ line: Int) {
    (self.file, self.line) = (file, line)
  }

  static func < (left: InferenceLocation, right: InferenceLocation) -> Bool {
    (left.file.index, left.line) < (right.file.index, right.line)
  }

  /// The name of the file, or nil if there is only one file, which need not be named.
  var fileName: String? { file.count > 1 ? file.name : nil }

  /// The location for messages, such as `line 3` or, if there are several files, `line 3 of b.csv`.
  var description: String { "line \(line)" + (fileName.map { " of \($0)" } ?? "") }
}
