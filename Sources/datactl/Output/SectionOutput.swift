import DataModel

/// Writes the text around the records of sections.
struct SectionOutput {
  private let form: OutputFormat
  private let console: Console
  private var count = 0

  init(_ form: OutputFormat, on console: Console) {
    self.form = form
    self.console = console
  }

  /// Writes the start of a section.
  mutating func begin(_ title: String, count: Int) throws(DataError) {
    let isFirst = self.count == 0
    self.count += 1
    switch form {
    case .json:
      let head = isFirst ? "{\"sections\":[\n" : ",\n"
      try console.output.write("\(head){\"title\":\"\(title)\",\"count\":\(count),\"records\":")
    case .ndjson:
      try console.output.write("{\"section\":\"\(title)\",\"count\":\(count)}\n")
    case .table:
      try console.output.write("\(isFirst ? "" : "\n")\(title) (\(count.grouped))\n")
    case .csv, .ids, .none, .page: break
    }
  }

  /// Writes the end of a section.
  func end() throws(DataError) {
    switch form {
    case .json: try console.output.write("}")
    case .ndjson, .table, .csv, .ids, .none, .page: break
    }
  }

  /// Writes the end of the output, after the last section.
  func finish(_ titles: [String]) throws(DataError) {
    guard form == .json else { return }
    let list = titles.map { "\"\($0)\"" }.joined(separator: ",")
    let index = titles.count > 1 ? "[\(list)]" : "null"
    let head = titles.isEmpty ? "{\"sections\":[]" : "\n]"
    try console.output.write("\(head),\"index\":\(index)}\n")
  }
}
