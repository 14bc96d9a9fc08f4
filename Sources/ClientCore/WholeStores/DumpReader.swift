import DataModel
import JSONText
import Platform
import RecordText
import Synchronization

/// Reads the members of a dump in order, and checks each of them against its manifest.
///
/// A dump is accepted only if it is exactly what `DumpWriter` writes, apart from the compression.
final class DumpReader: MemberReader {
  private struct State {
    var source: any ByteSource
    /// The member that is being read, and the number of its bytes that have not been read.
    var member: TarHeader?
    var remaining: Int64 = 0
    var digest = SHA256()
    var manifest = DumpManifest()
    /// The header that follows the member, if it has been read.
    var following: TarHeader?
  }

  /// The name of the dump in error messages.
  let file: String
  private let state: Mutex<State>

  init(_ source: some ByteSource, file: String) {
    self.file = file
    state = Mutex(State(source: source))
  }

  /// Returns an error that names a member.
  func error(_ message: String, hint: String?) -> DataError {
    DataError(
      Problem(
        .invalid, message,
        hint: hint ?? "the dump is damaged, or was made by a newer version of datactl", file: file))
  }

  /// Returns the header of the next member, without beginning to read it. The current member must
  /// have been read completely.
  private func peek() throws(DataError) -> TarHeader {
    try state.withLock { state throws(DataError) in try self.peek(&state) }
  }

  func nextName() throws(DataError) -> String { try peek().name }

  /// Begins to read the next member, which must have the given name, and returns its size.
  @discardableResult
  func begin(_ name: String) throws(DataError) -> Int64? {
    try state.withLock { state throws(DataError) in
      let header = try self.peek(&state)
      guard header.name == name else {
        throw error("expected the member \(name), found \(Excerpt.escaped(header.name))")
      }
      state.following = nil
      state.member = header
      state.remaining = header.size
      state.digest = SHA256()
      return header.size
    }
  }

  /// Reads at most `count` bytes of the current member, and appends them to the buffer. Returns the
  /// number of bytes read, which is 0 at the end of the member.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try state.withLock { state throws(DataError) in
      let limit = Int(min(Int64(count), state.remaining))
      guard limit > 0 else { return 0 }
      let start = buffer.count
      let size = try state.source.read(into: &buffer, atMost: limit)
      guard size > 0 else {
        throw error("\(state.member?.name ?? ""): the dump ends within this member")
      }
      state.digest.update(buffer.span.extracting(start..<buffer.count))
      state.remaining -= Int64(size)
      return size
    }
  }

  /// Ends the current member, and returns its SHA-256. The member must have been read completely.
  @discardableResult
  func end() throws(DataError) -> String {
    try state.withLock { state throws(DataError) in
      guard let member = state.member.take() else { return "" }
      let sha256 = state.digest.hexadecimal()
      let padding = TarHeader.padding(after: member.size)
      guard try self.bytes(padding.count, &state) == padding else {
        throw error("\(member.name): the dump is damaged after this member")
      }
      if member.name != DumpManifest.name { try state.manifest.add(member, sha256: sha256) }
      return sha256
    }
  }

  private func peek(_ state: inout State) throws(DataError) -> TarHeader {
    if let header = state.following { return header }
    var block = try bytes(TarHeader.blockSize, &state)
    if block.count == TarHeader.blockSize {
      block += try bytes(TarHeader.remainingCount(after: block.span), &state)
    }
    guard let header = TarHeader(block) else {
      let isEnd = block.isEmpty || block.allSatisfy { $0 == 0 }
      throw error(
        isEnd
          ? "the dump ends without the member \(DumpManifest.name)"
          : "expected a file of a dump, found another member: \(Self.name(in: block))")
    }
    state.following = header
    return header
  }

  /// Returns the name in a header that is not one of a dump, for error messages.
  private static func name(in block: [UInt8]) -> String {
    Excerpt.truncated(String(decoding: block.prefix(100).prefix { $0 != 0 }, as: UTF8.self))
  }

  private func bytes(_ count: Int, _ state: inout State) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count,
      try state.source.read(into: &bytes, atMost: count - bytes.count) > 0
    {}
    return bytes
  }
}

/// The last member and the end of a dump.
extension DumpReader {
  /// The maximum length of the first line of the manifest.
  private static let maxHeadLength = 4_096

  /// Reads the manifest, and checks that the members that have been read are those that it names,
  /// and that nothing follows.
  func finish() throws(DataError) {
    try begin(DumpManifest.name)
    let manifest = state.withLock { $0.manifest }
    var lines = Lines(self)
    guard let head = try lines.next(), head.count <= Self.maxHeadLength,
      case .number(let number)? = try? JSONValue(parsing: (head + Array("]}".utf8)).span)["format"]
    else { throw error("\(DumpManifest.name): expected a manifest") }
    guard number.text == "\(DumpManifest.format)" else {
      throw error(
        "\(DumpManifest.name): the format of the dump is \(Excerpt.truncated(number.text)); this "
          + "version reads only format \(DumpManifest.format)",
        hint: "install a newer version of datactl")
    }
    try compare(&lines, with: manifest)
    try end()
    let rest = try state.withLock { state throws(DataError) in
      try self.bytes(TarHeader.end.count + 1, &state)
    }
    guard rest == TarHeader.end else {
      throw error(
        rest.count < TarHeader.end.count
          ? "the end of the dump is missing" : "other data follows the member \(DumpManifest.name)")
    }
  }

  /// Compares the lines of the manifest with those of the members that have been read.
  private func compare(_ lines: inout Lines, with manifest: DumpManifest) throws(DataError) {
    var expected: [UInt8] = []
    var offset = 0
    while true {
      var end = expected.firstIndex(of: UInt8(ascii: "\n"))
      while end == nil, offset < manifest.lines.count {
        let piece = try manifest.piece(at: offset)
        offset += piece.count
        expected += piece
        end = expected.firstIndex(of: UInt8(ascii: "\n"))
      }
      let line = Array(expected[..<(end ?? expected.count)])
      expected.removeFirst(min(expected.count, line.count + 1))
      let found = try lines.next() ?? []
      guard found == line else { throw mismatch(found, line) }
      if end == nil { break }
    }
    // The lines of the members end with their line feeds.
    guard try lines.next() == Array("]}".utf8), try lines.next() == [] else {
      throw error("\(DumpManifest.name): expected the end of the manifest")
    }
  }

  private func mismatch(_ found: [UInt8], _ expected: [UInt8]) -> DataError {
    func withoutComma(_ line: [UInt8]) -> [UInt8] {
      line.last == UInt8(ascii: ",") ? Array(line.dropLast()) : line
    }
    func name(_ line: [UInt8]) -> String? {
      let text = withoutComma(line)
      guard case .text(let name)? = try? JSONValue(parsing: text.span)["name"] else { return nil }
      return Excerpt.escaped(name)
    }
    let (foundName, expectedName) = (name(found), name(expected) ?? "")
    if withoutComma(found) == withoutComma(expected) {
      return error("\(DumpManifest.name): the dump has other members after \(expectedName)")
    }
    if foundName == expectedName {
      return error("\(expectedName): the content is not the one that the manifest names")
    }
    return error(
      foundName.map { "\(DumpManifest.name): expected the member \(expectedName), found \($0)" }
        ?? "\(DumpManifest.name): the member \(expectedName) is missing")
  }

  /// The lines of the current member.
  private struct Lines {
    private let reader: DumpReader
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ reader: DumpReader) { self.reader = reader }

    /// Returns the next line without its line feed. The last one has none; after it, returns nil. A
    /// line that is too long is cut, and is then none of a manifest.
    mutating func next() throws(DataError) -> [UInt8]? {
      while true {
        if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { start = end + 1 }
          return Array(bytes[start..<end])
        }
        bytes.removeFirst(start)
        start = 0
        if isAtEnd { return nil }
        if bytes.count > DumpReader.maxHeadLength { return bytes }
        guard try reader.read(into: &bytes, atMost: 64 << 10) > 0 else {
          isAtEnd = true
          return bytes
        }
      }
    }
  }
}

/// The content of the current member, as a source of bytes.
struct MemberSource: ByteSource {
  let reader: any MemberReader

  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try reader.read(into: &buffer, atMost: count)
  }

  func hasBytes(within seconds: Double) -> Bool { true }
}
