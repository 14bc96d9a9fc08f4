import DataServer
import Platform
import Testing

@Suite("Compressed bodies of responses")
struct ResponseCompressorTests {
  /// Appends the compressed bytes that are available to an array, and returns why there are no
  /// more.
  private func readAll(
    from compressor: ResponseCompressor, into bytes: inout [UInt8]
  ) -> ByteStore.Piece {
    var buffer = [UInt8](repeating: 0, count: 100)
    while true {
      let piece = unsafe buffer.withUnsafeMutableBytes { unsafe compressor.read(into: $0).piece }
      guard case .bytes(let count) = piece else { return piece }
      bytes += buffer.prefix(count)
    }
  }

  @Test("flushes the compressed bytes exactly once whenever the input pauses")
  func pauses() throws {
    let store = ByteStore(.discarded)
    let compressor = try #require(ResponseCompressor(store))
    var decompressor = try GzipDecompressor()
    var text: [UInt8] = []
    var expected: [UInt8] = []
    for line in ["one\n", "two\n", String(repeating: "long ", count: 30_000)] {
      try store.append(Array(line.utf8).span)
      expected += Array(line.utf8)
      var bytes: [UInt8] = []
      #expect(readAll(from: compressor, into: &bytes) == .pending)
      var start = 0
      while start < bytes.count {
        let rest = Array(bytes[start...])
        start += try decompressor.decompress(rest.span, into: &text, atMost: 1 << 20).used
      }
      let nothing: [UInt8] = []
      while try decompressor.decompress(nothing.span, into: &text, atMost: 1 << 20).count > 0 {}
      #expect(text == expected)
      bytes = []
      #expect(readAll(from: compressor, into: &bytes) == .pending)
      #expect(bytes.isEmpty)
    }
    store.finish()
    var bytes: [UInt8] = []
    #expect(readAll(from: compressor, into: &bytes) == .end)
    #expect(try decompressor.decompress(bytes.span, into: &text, atMost: 100).isAtEnd)
    #expect(text == expected)
  }
}
