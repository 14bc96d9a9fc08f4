extension FileReference {
  /// Appends the reference as canonical JSON, the form in which records are printed and stored.
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

  /// Parses the text that `append` writes.
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
      reader.skip(",\"sha256\":", in: text), let sha256 = reader.quotedBytes(in: text)
    else { return nil }
    self.init(
      name: String(decoding: name.span), type: String(decoding: type.span), size: size,
      sha256: String(decoding: sha256.span))
  }
}
