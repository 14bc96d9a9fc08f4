import DataClient
import DataModel

/// Writes records that were not saved to a file, one JSON object a line: the text as it was read,
/// so that `jq -r .text` gives it back, and all that is wrong with it.
struct Rejects: Sendable {
  private let output: OutputStream

  init(to output: OutputStream) {
    self.output = output
  }

  func write(_ rejection: Rejection) throws(DataError) {
    let problems = rejection.problems.map(\.json).joined(separator: ",")
    try output.append { output in
      output.append(contentsOf: "{\"text\":".utf8)
      if let text = rejection.text {
        JSONQuote.append(String(decoding: text, as: UTF8.self).utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
      output.append(contentsOf: ",\"problems\":[\(problems)]}\n".utf8)
    }
  }

  func flush() throws(DataError) {
    try output.flush()
  }
}
