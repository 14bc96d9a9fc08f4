import DataModel

/// The tokens of the next and previous pages, or nil if no such page exists.
struct PageTokens: Sendable {
  var next: String?
  var previous: String?

  /// Appends the last members of a page's JSON object.
  func append(to output: inout [UInt8]) {
    for (name, token) in [("next", next), ("previous", previous)] {
      output.append(contentsOf: ",\"\(name)\":".utf8)
      if let token {
        JSONQuote.append(token.utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
    }
    output.append(contentsOf: "}\n".utf8)
  }
}
