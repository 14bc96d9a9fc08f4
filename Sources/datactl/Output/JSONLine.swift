import DataModel

/// Writes key-value pairs as a JSON object on one line.
enum JSONLine {
  static func append(_ facts: [(String, String?)], to output: inout [UInt8]) {
    appendObject(facts, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  static func appendObject(_ facts: [(String, String?)], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, fact) in facts.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONQuote.append(fact.0.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      if let text = fact.1 {
        JSONQuote.append(text.utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
    }
    output.append(UInt8(ascii: "}"))
  }
}
