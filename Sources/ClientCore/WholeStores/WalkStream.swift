import DataModel
import DataOutput
import JSONText
import RecordText
import Synchronization

/// The first member of a stream, which contains what the other members do not tell.
struct WalkHead: Hashable {
  static let name = "walk.json"
  static let format: Int64 = 1

  /// The id of the store, or nil if the store was made by a version that gave it none.
  var store: String?
  /// The names of the functions that are left out, because they use schemas that are not walked.
  var omittedFunctions: [String]

  init(store: String?, omittedFunctions: [String]) {
    self.store = store
    self.omittedFunctions = omittedFunctions
  }

  var text: [UInt8] {
    let value: JSONValue = [
      "format": .number(JSONNumber(Self.format)), "program": .text("datactl \(Client.version)"),
      "store": store.map(JSONValue.text) ?? .null,
      "omitted_functions": .array(omittedFunctions.map(JSONValue.text)),
    ]
    return Array("\(value)\n".utf8)
  }

  /// Parses the member. Returns nil if it is not one of this version.
  init?(_ text: [UInt8]) {
    guard let value = try? JSONValue(parsing: text.span),
      case .number(JSONNumber(Self.format))? = value["format"],
      case .array(let functions)? = value["omitted_functions"]
    else { return nil }
    if case .text(let id)? = value["store"] { store = id }
    omittedFunctions = functions.compactMap { if case .text(let name) = $0 { name } else { nil } }
  }
}

/// Writes the members of a walk as a stream of bytes. After the head, the members are those of a
/// dump, but their sizes need not be known in advance, so the store is read only once.
///
/// A member is its name, a line feed, pieces of its content, an empty piece, and its SHA-256 in
/// hexadecimal digits. A piece is its size in 4 bytes, and its bytes. An empty name ends the stream.
/// The SHA-256 of records is that of their text without the hashes of passwords.
struct WalkStreamWriter {
  let sink: any ByteSink

  /// Writes a member whose SHA-256 the body returns.
  func add(
    _ name: String, _ body: (WalkStreamWriter) async throws(DataError) -> String
  ) async throws(DataError) {
    try sink.write("\(name)\n".utf8.span)
    let sha256 = try await body(self)
    try sink.append { bytes in
      bytes += [0, 0, 0, 0]
      bytes += sha256.utf8
    }
  }

  /// Writes a member with the given content.
  func add(_ name: String, _ content: [UInt8]) async throws(DataError) {
    try await add(name) { writer throws(DataError) in
      try writer.write(content.span)
      var digest = SHA256()
      digest.update(content.span)
      return digest.hexadecimal()
    }
  }

  /// Writes a piece of the content of a member.
  func write(_ piece: Span<UInt8>) throws(DataError) {
    guard !piece.isEmpty else { return }
    let size = UInt32(piece.count)
    try sink.append { bytes in
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
      bytes.append(copying: piece)
    }
  }

  /// Writes the end of the stream.
  func finish() throws(DataError) { try sink.write("\n".utf8.span) }
}

/// A source of the members of a walk, which are read in order.
protocol MemberReader: Sendable {
  /// The name of the source in error messages.
  var file: String { get }

  /// Returns an error that names a member.
  func error(_ message: String, hint: String?) -> DataError

  /// Returns the name of the next member, without beginning to read it. The current member must have
  /// been read completely.
  func nextName() throws(DataError) -> String

  /// Begins to read the next member, which must have the given name. Returns its size, or nil if it
  /// is not known in advance.
  @discardableResult
  func begin(_ name: String) throws(DataError) -> Int64?

  /// Reads at most `count` bytes of the current member, and appends them to the buffer. Returns the
  /// number of bytes read, which is 0 at the end of the member.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Ends the current member, and returns its SHA-256. The member must have been read completely.
  @discardableResult
  func end() throws(DataError) -> String

  /// Reads the end of the source.
  func finish() throws(DataError)
}

extension MemberReader {
  func error(_ message: String) -> DataError { error(message, hint: nil) }

  /// Reads the current member into memory, and ends it.
  func contents(atMost limit: Int) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try read(into: &bytes, atMost: 64 << 10) > 0 {
      guard bytes.count <= limit else { throw error("a member is longer than \(limit) bytes") }
    }
    try end()
    return bytes
  }
}

/// Reads what `WalkStreamWriter` writes.
final class WalkStreamReader: MemberReader {
  /// Whether the SHA-256 of each member is compared with its content.
  enum Check: Sendable {
    /// The stream comes from this process, and can contain hashes of passwords.
    case none
    /// The stream comes from another machine.
    case digests
  }

  private struct State {
    var source: any ByteSource
    /// The name of the next member, if it has been read.
    var name: String?
    /// The number of bytes of the current piece that have not been read.
    var remaining = 0
    var isAtEnd = false
    var digest = SHA256()
  }

  let file: String
  private let check: Check
  private let state: Mutex<State>
  /// The maximum length of a member's name, which contains the name of a schema or a SHA-256.
  private static let maxNameLength = 512

  init(_ source: some ByteSource, file: String, checking check: Check) {
    self.file = file
    self.check = check
    state = Mutex(State(source: source))
  }

  func error(_ message: String, hint: String?) -> DataError {
    DataError(
      .storeUnreachable, "the response of \(file) is invalid: \(message)",
      hint: hint ?? "use the same version of datactl as the server")
  }

  /// Reads the first member.
  func head() throws(DataError) -> WalkHead {
    _ = try begin(WalkHead.name)
    guard let head = WalkHead(try contents(atMost: 16 << 20)) else {
      throw error("\(WalkHead.name) is not one of this version")
    }
    return head
  }

  func nextName() throws(DataError) -> String {
    try state.withLock { state throws(DataError) in try self.nextName(&state) }
  }

  private func nextName(_ state: inout State) throws(DataError) -> String {
    if let name = state.name { return name }
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      guard bytes.count <= Self.maxNameLength else { throw error("a name is too long") }
      bytes += try self.bytes(1, &state)
    }
    let name = String(decoding: bytes.dropLast(), as: UTF8.self)
    state.name = name
    return name
  }

  func begin(_ name: String) throws(DataError) -> Int64? {
    try state.withLock { state throws(DataError) in
      let found = try self.nextName(&state)
      guard found.utf8.elementsEqual(name.utf8) else {
        throw error(
          "expected \(name.isEmpty ? "its end" : name), found \(Excerpt.quoted(found))")
      }
      state.name = nil
      state.remaining = 0
      state.isAtEnd = false
      state.digest = SHA256()
    }
    return nil
  }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try state.withLock { state throws(DataError) in
      if state.remaining == 0, !state.isAtEnd {
        state.remaining = try self.bytes(4, &state).reduce(0) { $0 << 8 | Int($1) }
        state.isAtEnd = state.remaining == 0
      }
      guard !state.isAtEnd else { return 0 }
      let start = buffer.count
      let size = try state.source.read(into: &buffer, atMost: min(count, state.remaining))
      guard size > 0 else { throw incomplete }
      if check == .digests { state.digest.update(buffer.span.extracting(start..<buffer.count)) }
      state.remaining -= size
      return size
    }
  }

  func end() throws(DataError) -> String {
    try state.withLock { state throws(DataError) in
      let sha256 = String(decoding: try self.bytes(64, &state), as: UTF8.self)
      guard check == .none || state.digest.hexadecimal() == sha256 else {
        throw error("the SHA-256 of a member is not that of its content")
      }
      return sha256
    }
  }

  func finish() throws(DataError) { _ = try begin("") }

  private func bytes(_ count: Int, _ state: inout State) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try state.source.read(into: &bytes, atMost: count - bytes.count) > 0 else {
        throw incomplete
      }
    }
    return bytes
  }

  private var incomplete: DataError { error("it ends too early") }
}
