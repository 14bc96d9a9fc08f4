import DataModel
import DataOutput
import Testing
import datactl

@Suite("Input and output streams")
struct StreamTests {
  @Test("buffers output until it is flushed or reaches 64 KiB")
  func buffering() throws {
    let channel = MemoryChannel()
    let stream = OutputStream("x", to: channel, buffering: .full)
    try stream.write("tea")
    #expect(channel.text == "")
    try stream.flush()
    #expect(channel.text == "tea")
    try stream.write(String(repeating: "x", count: 64 << 10))
    #expect(channel.text.utf8.count == 3 + 64 << 10)
  }

  @Test("reports a failed write with the name of the stream")
  func failure() {
    let full = OutputStream(
      "standard output", to: MemoryChannel(error: .failed("No space left on device")),
      buffering: .none)
    #expect(throws: DataError(.outputFailed, "standard output: No space left on device")) {
      try full.write("tea")
    }
  }

  @Test("splits lines at LF or CRLF and keeps a byte order mark")
  func lines() throws {
    let input = InputStream("-", from: MemoryChannel(["\u{FEFF}a\r", "\nb\n\nc"]))
    var lines = input.lines(longest: 10)
    #expect(try lines.next() == "\u{FEFF}a")
    #expect(try lines.next() == "b")
    #expect(try lines.next() == "")
    #expect(try lines.next() == "c")
    #expect(try lines.next() == nil)
  }

  @Test("reports the line number of a line that is too long")
  func longLine() throws {
    let input = InputStream("-", from: MemoryChannel(["a\n" + String(repeating: "x", count: 99)]))
    var lines = input.lines(longest: 10)
    #expect(try lines.next() == "a")
    #expect(
      throws: DataError(
        Problem(.syntax, "the line is longer than 10 bytes", file: "-", line: 2))
    ) {
      try lines.next()
    }
  }

  @Test("prints a large spooled output completely and in order")
  func spool() throws {
    let channel = MemoryChannel()
    let stream = OutputStream("x", to: channel, buffering: .full)
    var spool = Spool()
    let piece = String(repeating: "0123456789abcde\n", count: 1 << 15)
    for _ in 0..<5 { try spool.append { $0.append(contentsOf: piece.utf8) } }
    try spool.append { $0.append(contentsOf: "end\n".utf8) }
    #expect(channel.text == "")
    try spool.print(to: AnswerOutput(stream))
    try stream.flush()
    #expect(channel.text == String(repeating: piece, count: 5) + "end\n")
  }
}
