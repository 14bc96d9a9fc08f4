import DataModel
import DataOutput
import JSONText

/// Formats the findings of `doctor` for the user.
struct FindingReport {
  let findings: [Finding]

  func print(as format: ReportFormat, on console: Console) throws(DataError) {
    try console.output.append { output in
      switch format {
      case .text:
        for (index, finding) in findings.enumerated() {
          output.append(contentsOf: (finding.diagnostic + "\n").utf8)
          let next = index + 1 < findings.count ? findings[index + 1].code : nil
          if finding.code != next { output.append(contentsOf: "  \(finding.advice)\n".utf8) }
        }
      case .json:
        for (index, finding) in findings.enumerated() {
          output.append(contentsOf: (index == 0 ? "[\n" : ",\n").utf8)
          finding.json.write(to: &output)
        }
        output.append(contentsOf: (findings.isEmpty ? "[]\n" : "\n]\n").utf8)
      }
    }
  }
}

extension Finding {
  fileprivate var advice: String { code.facts.fix.filter { $0 != "`" } }

  /// The finding as one line: its location, the message and the code.
  fileprivate var diagnostic: String {
    let record = [schema, id].compactMap(\.self).joined(separator: " ")
    let parts = [record.isEmpty ? nil : record, field, "\(message) [\(code.rawValue)]"]
    return Excerpt.escaped(parts.compactMap(\.self).joined(separator: ": "))
  }

  fileprivate var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    return [
      "code": .text(code.rawValue), "message": .text(message), "hint": .text(advice),
      "schema": text(schema), "id": text(id), "field": text(field),
    ]
  }
}
