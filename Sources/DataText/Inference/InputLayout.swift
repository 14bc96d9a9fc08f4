import DataModel

/// The layout of JSON, CSV, TSV or XML input. It determines the shell commands that are suggested
/// for changing the keys of the input.
struct InputLayout {
  var format: RecordFormat
  var isArray: Bool
  /// The delimiter of the cells in a table.
  var separator: UInt8
  /// Whether the records have the same keys as the input. This is false if options rename or name
  /// the columns. No commands are suggested in this case.
  var hasOriginalKeys: Bool

  /// The maximum length of a suggested command.
  private static let longestCommand = 2_000

  /// Whether values have the same representation in another layout.
  func isSimilar(to other: InputLayout) -> Bool {
    format.isTable == other.format.isTable && format.hasOnlyText == other.format.hasOnlyText
  }

  /// Returns a hint with a command that renames keys. Returns nil if the command would be too long,
  /// if `hasOriginalKeys` is false, or if the header of a table has several lines.
  func renaming(_ renames: [(key: String, name: String)], keys: [String]) -> String? {
    guard hasOriginalKeys else { return nil }
    let command: String
    switch format {
    case .csv, .tsv:
      guard !keys.contains(where: { $0.utf8.contains(0x0A) }) else { return nil }
      let header = keys.map { key in renames.first { $0.key == key }?.name ?? key }
      let separator = separator == 0x09 ? "\\t" : String(UnicodeScalar(separator))
      command = "sed '1s/.*/\(header.joined(separator: separator))/'"
    case .xml: return nil
    case .json, .ndjson:
      let map = renames.map { "\(Self.quoted($0.key)):\(Self.quoted($0.name))" }
      command = jq("with_entries(.key |= ({\(map.joined(separator: ","))}[.] // .))")
    }
    guard command.utf8.count <= Self.longestCommand else { return nil }
    return "rename such keys first, for example:\n\(command)"
  }

  /// Returns a command that removes keys, or nil if the command would be too long, the input is
  /// CSV or XML, or there are no keys.
  func removal(of keys: [String]) -> String? {
    guard !format.hasOnlyText, !keys.isEmpty else { return nil }
    let command = jq("del(\(keys.map { ".[\(Self.quoted($0))]" }.joined(separator: ", ")))")
    return command.utf8.count <= Self.longestCommand ? command : nil
  }

  /// Returns a `jq` command that applies a filter to each record of the input.
  private func jq(_ filter: String) -> String {
    let text = (isArray ? ".[] | " : "") + filter
    let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
    return "jq -c '\(quoted.joined(separator: "'\\''"))'"
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONQuote.append(text.utf8.span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
