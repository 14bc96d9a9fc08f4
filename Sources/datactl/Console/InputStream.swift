package import DataModel
import DataOutput
import Platform
import RecordText

/// An input that is read as bytes: stdin, a file, or what a client has sent to a server.
package struct InputStream: ByteSource {
  /// The name of the stream in error messages: a path, or `-` for stdin.
  package let file: String
  private let channel: any Channel

  package init(_ file: String, from channel: any Channel) {
    self.file = file
    self.channel = channel
  }

  package var isTerminal: Bool { channel.isTerminal }
  /// The number of bytes left to read, or nil if it is unknown.
  package var remaining: Int? { channel.remaining }
  var identity: FileIdentity? { channel.identity }
  /// The file offset of the next byte to read, or nil if the input is not a regular file.
  package var offset: Int? { channel.offset }

  /// Sets the offset of the next byte to read.
  package func seek(to offset: Int) throws(DataError) {
    do throws(ChannelError) {
      try channel.seek(to: offset)
    } catch {
      throw dataError(error)
    }
  }

  /// Reads at most `count` bytes, and appends them to the buffer. Returns the number of bytes read,
  /// which is 0 at the end of the input.
  package func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    do throws(ChannelError) {
      return try channel.read(into: &buffer, atMost: count)
    } catch {
      throw dataError(error)
    }
  }

  /// Waits until the next read would not block, because there are bytes to read or the input has
  /// ended. Returns false if this takes longer than `seconds`.
  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    do throws(ChannelError) {
      return try channel.hasBytes(within: seconds)
    } catch {
      throw dataError(error)
    }
  }

  private func dataError(_ error: ChannelError) -> DataError {
    switch error {
    case .interrupted: .interrupted
    case .failed(let message): DataError(Problem(.fileFailed, message, file: file))
    }
  }

  /// Reads the rest of the input. Throws an error if it is longer than `limit`.
  package func readAll(atMost limit: Int) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try read(into: &bytes, atMost: 64 << 10) > 0 {
      if bytes.count > limit {
        throw DataError(Problem(.invalid, "the input is longer than \(limit) bytes", file: file))
      }
    }
    return bytes
  }

  /// Runs a closure while the echo of the terminal is switched off. If the process is suspended
  /// meanwhile, `resuming` is called when the process continues.
  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(DataError) -> Result {
    do throws(ChannelError) {
      return try channel.withoutEcho(resuming: resuming, body)
    } catch {
      throw DataError(Problem(.fileFailed, "the terminal cannot hide the input", file: file))
    }
  }

  /// Returns an iterator over the lines. The line endings are removed. The iterator throws an error
  /// if a line has more than `longest` bytes.
  package func lines(longest: Int) -> Lines { Lines(self, of: file, longest: longest) }

  /// An iterator over the lines of an input.
  package struct Lines {
    private var input: any ByteSource
    private let file: String
    private let longest: Int
    private var bytes: [UInt8] = []
    private var position = 0
    private var hasEnded = false
    /// The number of the line that was returned last, counted from 1.
    package private(set) var number = 0

    init(_ input: any ByteSource, of file: String, longest: Int) {
      self.input = input
      self.file = file
      self.longest = longest
    }

    package mutating func next() throws(DataError) -> String? {
      guard var line = try nextLine() else { return nil }
      number += 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard let text = String(validating: line, as: UTF8.self) else {
        throw syntaxError("the line is not UTF-8")
      }
      return text
    }

    private mutating func nextLine() throws(DataError) -> ArraySlice<UInt8>? {
      var searched = position
      while true {
        if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { position = end + 1 }
          return bytes[position..<end]
        }
        if hasEnded {
          defer { position = bytes.count }
          return position < bytes.count ? bytes[position...] : nil
        }
        guard bytes.count - position <= longest else {
          number += 1
          throw syntaxError("the line is longer than \(longest) bytes")
        }
        bytes.removeFirst(position)
        position = 0
        searched = bytes.count
        hasEnded = try input.read(into: &bytes, atMost: 64 << 10) == 0
      }
    }

    private func syntaxError(_ message: String) -> DataError {
      DataError(Problem(.syntax, message, file: file, line: number))
    }
  }
}

extension AnonymousTempFile {
  /// Returns a stream that reads the file from its beginning. Only one such stream may be read at a
  /// time, because all of them share the same file offset.
  package func input() throws(DataError) -> InputStream {
    try rewind()
    return InputStream("a temporary file", from: DescriptorChannel(self))
  }
}
