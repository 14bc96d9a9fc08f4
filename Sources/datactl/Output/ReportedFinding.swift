import DataModel
import DataOutput
import JSONText

/// A finding that a report prints for the user.
protocol ReportedFinding {
  /// The finding as one line.
  var diagnostic: String { get }
  /// What to do about it.
  var advice: String { get }
  var json: JSONValue { get }
}

extension Console {
  /// Prints findings. Consecutive ones with the same advice are followed by it once.
  func print(_ findings: [some ReportedFinding], as format: ReportFormat) throws(DataError) {
    try output.append { output in
      switch format {
      case .text:
        for (index, finding) in findings.enumerated() {
          output.append(contentsOf: (finding.diagnostic + "\n").utf8)
          let next = index + 1 < findings.count ? findings[index + 1].advice : nil
          if finding.advice != next {
            for line in finding.advice.split(separator: "\n") {
              output.append(contentsOf: "  \(Excerpt.escaped(String(line)))\n".utf8)
            }
          }
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

extension Finding: ReportedFinding {
  var advice: String { code.facts.fix.filter { $0 != "`" } }

  /// The location, the message and the code.
  var diagnostic: String {
    let record = [schema, id].compactMap(\.self).joined(separator: " ")
    let parts = [record.isEmpty ? nil : record, field, "\(message) [\(code.rawValue)]"]
    return Excerpt.escaped(parts.compactMap(\.self).joined(separator: ": "))
  }

  var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    return [
      "code": .text(code.rawValue), "message": .text(message), "hint": .text(advice),
      "schema": text(schema), "id": text(id), "field": text(field),
    ]
  }
}
