import DataClient
import DataModel
import DataText

/// Writes records that were not saved to a file, one JSON object a line: the text as it was read,
/// so that `jq -r .text` gives it back, and all that is wrong with it.
struct Rejects: Sendable {
  private let output: OutputStream

  init(to output: OutputStream) {
    self.output = output
  }

  func write(
    _ rejection: Rejection, of changes: borrowing Changes
  ) throws(DataError) {
    let text = rejection.text ?? rejection.row.flatMap { Self.text(of: changes, $0) }
    let problems = rejection.problems.map(\.json).joined(separator: ",")
    try output.append { output in
      output.append(contentsOf: "{\"text\":".utf8)
      if let text {
        JSONQuote.append(String(decoding: text, as: UTF8.self).utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
      output.append(contentsOf: ",\"problems\":[\(problems)]}\n".utf8)
    }
  }

  /// The text of a record that the store refused; none that may hold a password.
  private static func text(of changes: borrowing Changes, _ row: Int) -> [UInt8]? {
    if changes.schema.passwordSlot != nil { return nil }
    return Array(changes.rows.input[changes.places[row]])
  }

  func flush() throws(DataError) {
    try output.flush()
  }
}
