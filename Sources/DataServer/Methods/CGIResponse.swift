/// The output of a program that runs as a method: a header and a body (RFC 3875, section 6).
struct CGIResponse: Equatable {
  /// The reason why the output is not a valid response.
  struct ParseError: Error, Equatable {
    let message: String
  }

  /// The headers of the output that are sent to the client. Other headers are ignored, except
  /// `Status`, which determines the status of the response.
  private static let names = ["Content-Type", "Location", "Cache-Control"]
  private static let maxHeaderSize = 32 << 10

  var status = 200
  var headers: [String: String] = [:]
  var body: ArraySlice<UInt8>

  /// Parses the output. Lines end with LF or CRLF.
  init(parsing output: [UInt8]) throws(ParseError) {
    var status: Int?
    var rest = output[...]
    while true {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end <= Self.maxHeaderSize else {
        throw ParseError(message: "no empty line ends the header of the output")
      }
      var line = rest[..<end]
      rest = rest[(end + 1)...]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty { break }
      guard let text = String(validating: line, as: UTF8.self),
        !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }),
        let colon = text.firstIndex(of: ":"), colon > text.startIndex,
        !text[..<colon].contains(where: \.isWhitespace)
      else {
        throw ParseError(message: "the output has a line in its header that is not NAME: VALUE")
      }
      let name = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
      if name == "status" {
        guard status == nil, let number = Int(value.prefix(3)), (200...599).contains(number),
          value.utf8.count == 3 || value.utf8.dropFirst(3).first == UInt8(ascii: " ")
        else {
          throw ParseError(message: "the output has an invalid Status")
        }
        status = number
      } else if let name = Self.names.first(where: { $0.lowercased() == name }) {
        guard headers.updateValue(value, forKey: name) == nil else {
          throw ParseError(message: "the output has two headers \(name)")
        }
      }
    }
    guard status != nil || !headers.isEmpty else {
      throw ParseError(message: "the output has none of the headers Content-Type, Status, Location")
    }
    guard rest.isEmpty || headers["Content-Type"] != nil else {
      throw ParseError(message: "the output has a body, but no Content-Type")
    }
    self.status = status ?? (headers["Location"] == nil ? 200 : 302)
    body = rest
  }
}
