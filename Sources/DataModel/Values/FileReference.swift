import JSONText

extension FileReference {
  /// Returns whether the text is a plain file name: not empty, not `.` or `..`, and without slashes
  /// and control characters.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.unicodeScalars.allSatisfy { scalar in
        scalar != "/" && scalar.properties.generalCategory != .control
      }
  }

  /// Returns whether the text is a media type: a type and a subtype separated by a slash,
  /// optionally followed by parameters.
  package static func isMediaType(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    guard skipTypeName(text, &offset), offset < text.count, text[offset] == UInt8(ascii: "/") else {
      return false
    }
    offset += 1
    guard skipTypeName(text, &offset) else { return false }
    guard offset < text.count else { return true }
    while offset < text.count, text[offset] == UInt8(ascii: " ") { offset += 1 }
    guard offset < text.count, text[offset] == UInt8(ascii: ";"),
      text[text.count - 1] != UInt8(ascii: " ")
    else { return false }
    for index in offset..<text.count where text[index] < 0x20 || text[index] >= 0x7F {
      return false
    }
    return true
  }

  /// Advances the offset past the characters that RFC 6838 allows in a type name, and returns
  /// whether there was at least one.
  private static func skipTypeName(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    let start = offset
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"),
        UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "-"), UInt8(ascii: "^"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"):
        offset += 1
      default: return offset > start
      }
    }
    return offset > start
  }
}

extension FileReference {
  /// Appends the file reference as canonical JSON, the form in which it is printed and stored.
  package func append(to output: inout [UInt8]) {
    output.append(contentsOf: "{\"name\":".utf8)
    JSONQuote.append(name.utf8.span, to: &output)
    output.append(contentsOf: ",\"type\":".utf8)
    JSONQuote.append(type.utf8.span, to: &output)
    output.append(contentsOf: ",\"size\":".utf8)
    NumberText.write(size, to: &output)
    output.append(contentsOf: ",\"sha256\":\"".utf8)
    output.append(contentsOf: sha256.utf8)
    output.append(contentsOf: "\"}".utf8)
  }

  /// Parses the canonical JSON that `append(to:)` writes. Returns nil for any other text.
  package init?(canonicalText text: Span<UInt8>) {
    var reader = CanonicalReader(position: 0)
    guard reader.skip("{\"name\":", in: text), let name = reader.quotedBytes(in: text),
      reader.skip(",\"type\":", in: text), let type = reader.quotedBytes(in: text),
      reader.skip(",\"size\":", in: text)
    else { return nil }
    let start = reader.position
    while reader.position < text.count, text[reader.position] != UInt8(ascii: ",") {
      reader.position += 1
    }
    guard let size = try? NumberText.integer(text.extracting(start..<reader.position)),
      reader.skip(",\"sha256\":", in: text), let sha256 = reader.quotedBytes(in: text),
      reader.skip("}", in: text), reader.position == text.count
    else { return nil }
    self.init(
      name: String(decoding: name.span), type: String(decoding: type.span), size: size,
      sha256: String(decoding: sha256.span))
  }
}
