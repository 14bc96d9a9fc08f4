import DataModel

/// The tokens of the pages beside one; nil where there is none.
struct PageTokens: Sendable {
  var next: String?
  var previous: String?

  /// Appends the members that end the object of a page.
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
