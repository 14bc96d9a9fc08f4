import ClientCore
import DataAPI
import DataModel
import JSONText
import Maps

/// The output to which rejected records are written, as NDJSON. Each line contains all problems of
/// a record, and its original text, which `jq -r .text` extracts.
struct Rejects: Sendable {
  private let output: PublishedOutput
  /// Whether a map converts the records. If so, a chunk contains the converted text of a record,
  /// and not the original text.
  private let isConverted: Bool
  private(set) var summary = RejectSummary()

  /// Opens the output. The path `-` means stdout. If the output is a regular file, it is replaced
  /// only when `publish` is called.
  ///
  /// - Parameter map: The map that converts the records, or nil.
  init(
    to path: String, of map: DataMap?, with context: CommandContext
  ) throws(DataError) {
    output = try PublishedOutput(to: path, with: context)
    isConverted = map != nil
  }

  /// Returns a hint that says where the rejected records were written.
  static func hint(count: Int, path: String) -> String {
    let location = path == "-" ? "to standard output" : "to \(path)"
    return count == 1
      ? "the record was written \(location), with its errors"
      : "the records were written \(location), each with its errors"
  }

  /// Throws an error if the rejects file is also an input, an output or a store file of the save.
  static func check(
    _ path: String, distinctFrom inputs: [FileIdentity?], _ storeFiles: [String],
    with context: CommandContext
  ) throws(DataError) {
    guard path != "-", let identity = context.files.identity(of: path) else { return }
    var others = inputs.map { ($0, "the input file") }
    others.append((context.console.output.identity, "the file of standard output"))
    others.append((context.console.errors.identity, "the file of standard error"))
    others += storeFiles.map { (context.files.identity(of: $0), "a file of the store") }
    for (other, role) in others where other == identity {
      throw DataError(
        .usage, "--rejects \(path): this is also \(role)",
        hint: "pass a different file to --rejects")
    }
  }

  mutating func write(
    _ rejection: Rejection, of changes: borrowing RowChanges
  ) throws(DataError) {
    let text =
      rejection.text
      ?? (isConverted ? nil : rejection.row.flatMap { Self.text(of: changes, $0) })
    for problem in rejection.problems { summary.add(problem) }
    let problems = rejection.problems.map(\.json).joined(separator: ",")
    try output.stream.append { output in
      output.append(contentsOf: "{\"text\":".utf8)
      if let text {
        JSONQuote.append(String(decoding: text, as: UTF8.self).utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
      output.append(contentsOf: ",\"problems\":[\(problems)]}\n".utf8)
    }
  }

  /// Returns the text of a record that the store rejected. Returns nil if the schema has a password
  /// field, because the output must not contain passwords.
  private static func text(of changes: borrowing RowChanges, _ row: Int) -> [UInt8]? {
    if changes.schema.passwordSlot != nil { return nil }
    return Array(changes.rows.input[changes.inputRanges[row]])
  }

  /// Flushes the output. If the output is a regular file, also replaces the previous file.
  func publish() throws(DataError) { try output.publish() }
}
