import DataModel
import JSONText
import RecordText

/// The layout of JSON, CSV, TSV or XML input. It determines the shell commands that are suggested
/// for changing the keys of the input.
struct InputLayout {
  var format: RecordFormat
  var isArray: Bool

  /// The maximum length of a suggested command.
  private static let longestCommand = 2_000

  /// Returns whether values are represented in the same way in another layout, so that one schema
  /// can be inferred from inputs in both layouts.
  func isSimilar(to other: InputLayout) -> Bool {
    format.isTable == other.format.isTable && format.hasOnlyText == other.format.hasOnlyText
  }

  /// Returns a hint that shows how to rename keys. If the input is a table, or if options such as
  /// `--rename` or `--skip` are already used, the hint suggests the option `--rename`. For other
  /// input, it suggests a shell command. Returns nil if the options or the command would be too
  /// long, or if `--rename` cannot rename the keys.
  func renaming(_ renames: [(key: String, name: String)], _ rules: ColumnRules) -> String? {
    if format == .xml { return nil }
    guard format.isTable || !rules.isEmpty else {
      let map = renames.map { "\(Self.quoted($0.key)):\(Self.quoted($0.name))" }
      let command = jq("with_entries(.key |= ({\(map.joined(separator: ","))}[.] // .))")
      guard command.utf8.count <= Self.longestCommand else { return nil }
      return "rename such keys first, for example:\n\(command)"
    }
    if renames.contains(where: \.key.isEmpty) {
      return format.isTable
        ? "remove the first line of the input, and name the columns with --header" : nil
    }
    // A key that a rule has produced cannot be renamed by another rule.
    let options = renames.filter { !rules.isTarget($0.key) }.map { key, name in
      "--rename \(ShellText.quoted("\(key)=\(name)"))"
    }
    guard let first = options.first else { return nil }
    let all = options.joined(separator: " ")
    let shown = all.utf8.count <= Self.longestCommand ? all : first
    return shown.utf8.count <= Self.longestCommand ? "rename such columns: \(shown)" : nil
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
    return "jq -c \(ShellText.quoted(text))"
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONQuote.append(text.utf8.span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
