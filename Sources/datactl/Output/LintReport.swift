import DataModel
import DataOutput
import JSONText

/// Formats the findings of `schema lint` for the user.
struct LintReport {
  private let findings: [LintFinding]
  private let schemaCount: Int

  init(_ findings: [LintFinding], of files: SchemaFiles) {
    self.findings = findings
    schemaCount = files.schemas.count
  }

  /// Returns whether there is a finding of at least the given level.
  func has(_ level: LintRule.Level) -> Bool {
    findings.contains { $0.rule.facts.level >= level }
  }

  /// A line with the number of findings of each level, such as errors and warnings.
  var summary: String {
    let counts = LintRule.Level.allCases.reversed().compactMap { level -> String? in
      let count = findings.count { $0.rule.facts.level == level }
      return count == 0 ? nil : count.counted(level.rawValue)
    }
    return counts.isEmpty
      ? "Nothing to report in \(schemaCount.counted("schema"))."
      : counts.joined(separator: ", ") + "; see datactl help lint for details"
  }

  var error: DataError { DataError(.findings, summary) }

  func print(as format: ReportFormat, on console: Console) throws(DataError) {
    try console.print(findings, as: format)
  }
}

extension LintFinding: ReportedFinding {
  var advice: String { fix ?? rule.facts.fix.plain }

  /// The finding as one line in the format of compiler diagnostics. The line contains the location,
  /// the level, the field, the message and the rule.
  var diagnostic: String {
    var parts: [String] = []
    if let file {
      parts.append(
        (file == "-" ? "standard input" : file) + (self.line.map { ":\($0)" } ?? ""))
    } else if let schema {
      parts.append(schema)
    }
    parts.append(rule.facts.level.rawValue)
    if let field { parts.append(field) }
    parts.append("\(message) [\(rule.rawValue)]")
    return Excerpt.escaped(parts.joined(separator: ": "))
  }

  var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    return [
      "code": .text(rule.rawValue), "level": .text(rule.facts.level.rawValue),
      "message": .text(message), "mend": .text(advice), "schema": text(schema),
      "field": text(field), "file": text(file),
      "line": line.map { .number(JSONNumber(Int64($0))) } ?? .null,
      "title": .text(rule.facts.title.plain), "why": .text(rule.facts.why.plain),
    ]
  }
}

extension String {
  /// The text without its backquotes. In the help texts, backquotes mark code.
  fileprivate var plain: String { filter { $0 != "`" } }
}
