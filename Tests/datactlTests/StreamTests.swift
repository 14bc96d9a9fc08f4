import DataModel
import DataOutput
import Platform
import RecordText
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

  @Test("does not split characters or escape sequences across writes to a terminal")
  func terminalPieces() throws {
    let characters = String(repeating: "é😀\u{85}\u{1B}[1m", count: 6)
    // The stream writes to the channel after 64 KiB, wherever this is in a line.
    for offset in 0..<12 {
      let channel = MemoryChannel(isTerminal: true)
      let stream = OutputStream("x", to: channel, buffering: .full)
      let line = String(repeating: "x", count: offset) + characters + "\n"
      for _ in 0..<920 {
        for byte in line.utf8 { try stream.append { $0.append(byte) } }
      }
      try stream.flush()
      let lines = String(repeating: line, count: 920)
      #expect(channel.text == lines.replacing("\u{85}", with: "\\u0085"))
    }
  }

  @Test("does not split characters of a line that is longer than the buffer of a terminal")
  func longTerminalLine() throws {
    for offset in 0..<4 {
      let channel = MemoryChannel(isTerminal: true)
      let stream = OutputStream("x", to: channel, buffering: .full)
      let line = String(repeating: "x", count: offset) + String(repeating: "😀", count: 40_000)
      let bytes = Array(line.utf8)
      for start in stride(from: 0, to: bytes.count, by: 64 << 10) {
        try stream.append {
          $0.append(contentsOf: bytes[start..<min(start + (64 << 10), bytes.count)])
        }
      }
      try stream.flush()
      #expect(channel.text == line)
    }
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

  @Test("prints all parts of a large output, in order, after collecting them")
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

  @Test("rewinds a file of any length, but other input only if it is short")
  func rewinding() throws {
    let line = String(repeating: "tea, ", count: 1_000)
    for count in [2, 1_200] {
      let file = try AnonymousTempFile()
      try file.write("head".utf8.span)
      for _ in 0..<count { try file.write(line.utf8.span) }
      let stream = try file.input()
      var head: [UInt8] = []
      #expect(try stream.read(into: &head, atMost: 4) == 4)
      let pieces = MemoryChannel(Array(repeating: line, count: count))
      for (input, canRewind) in [(stream, true), (InputStream("-", from: pieces), count == 2)] {
        let rewindable = RewindableInput(input)
        for _ in 0..<(canRewind ? 2 : 1) {
          var (source, bytes) = (rewindable.bytes, [UInt8]())
          while try source.read(into: &bytes, atMost: 64 << 10) > 0 {}
          #expect(bytes.count == count * 5_000 && bytes.starts(with: "tea, tea".utf8))
        }
        #expect(rewindable.canRewind == canRewind)
      }
    }
  }
}
