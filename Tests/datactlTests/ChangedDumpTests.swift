import Foundation
import Platform
import TestSupport
import Testing

@Suite("changed dumps")
struct ChangedDumpTests {
  /// A member of an archive: its header and its content, without padding.
  private struct Member: Equatable {
    var header: [UInt8]
    var content: [UInt8]

    var name: String {
      get { String(decoding: header.prefix { $0 != 0 }, as: UTF8.self) }
      set {
        header.replaceSubrange(
          0..<100,
          with: Array(newValue.utf8) + [UInt8](repeating: 0, count: 100 - newValue.utf8.count))
        sign()
      }
    }

    /// Writes the checksum of the header.
    mutating func sign() {
      header.replaceSubrange(148..<156, with: repeatElement(UInt8(ascii: " "), count: 8))
      let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
      let digits = String(repeating: "0", count: 6 - sum.count) + sum
      header.replaceSubrange(148..<156, with: Array("\(digits)\0 ".utf8))
    }

    mutating func replace(_ text: String, by other: String) {
      content = Array(
        String(decoding: content, as: UTF8.self).replacing(text, with: other).utf8)
      let size = String(content.count, radix: 8)
      header.replaceSubrange(
        124..<135, with: Array((String(repeating: "0", count: 11 - size.count) + size).utf8))
      sign()
    }
  }

  private let session: TestSession
  private let members: [Member]
  private let dump: [UInt8]

  init() async throws {
    session = try TestSession()
    try session.write("photo", "hallo\n")
    let commands = [
      "schema create step title:text", "schema create todo title:text photo:file steps:step+",
      "save step s title=x", "save todo a title=tea photo@=photo steps+=s",
      "save todo b title=milk",
      "dump shop.tgz",
    ]
    for command in commands {
      let outcome = await session.run(command)
      guard outcome.status == 0 else { throw CocoaError(.fileReadUnknown) }
    }
    dump = Array(try Data(contentsOf: URL(filePath: "\(session.folder)/shop.tgz")))
    members = Self.members(in: try Self.decompressed(dump))
  }

  private static func decompressed(_ dump: [UInt8]) throws -> [UInt8] {
    var decompressor = try GzipDecompressor()
    var bytes: [UInt8] = []
    var start = 0
    while true {
      let progress = try decompressor.decompress(
        dump.span.extracting(start..<dump.count), into: &bytes, atMost: 64 << 10)
      start += progress.used
      if progress.isAtEnd { return bytes }
      if progress.count == 0 { throw CocoaError(.fileReadCorruptFile) }
    }
  }

  private static func members(in archive: [UInt8]) -> [Member] {
    var members: [Member] = []
    var offset = 0
    while archive[offset] != 0 {
      let header = Array(archive[offset..<offset + 512])
      let size = Int(String(decoding: header[124..<135], as: UTF8.self), radix: 8) ?? 0
      members.append(
        Member(header: header, content: Array(archive[offset + 512..<offset + 512 + size])))
      offset += 512 + (size + 511) / 512 * 512
    }
    return members
  }

  private static func archive(
    _ members: [Member], end: [UInt8] = [UInt8](repeating: 0, count: 1_024)
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for member in members {
      bytes += member.header + member.content
      bytes += [UInt8](repeating: 0, count: (512 - member.content.count % 512) % 512)
    }
    bytes += end
    return try compressed(bytes)
  }

  private static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    guard var compressor = GzipCompressor() else { throw CocoaError(.executableLoad) }
    var compressed: [UInt8] = []
    compressor.compress(bytes.span, before: .nothing, into: &compressed)
    return compressed
  }

  /// Restores a dump, which must fail with exit status 6 and leave nothing. Returns the error.
  private func failure(_ dump: [UInt8], _ comment: Comment) async throws -> String {
    try Data(dump).write(to: URL(filePath: "\(session.folder)/bad.tgz"))
    let files = try session.files.filter { $0 != "new.db-lock" }
    let outcome = await session.run("restore bad.tgz --store new.db")
    #expect(outcome.status == 6, comment)
    #expect(try session.files.filter { $0 != "new.db-lock" } == files, comment)
    return outcome.errors.split(separator: "\n").first.map(String.init) ?? ""
  }

  @Test("names the member of a dump that is missing, doubled, renamed, moved or changed")
  func changedMembers() async throws {
    func index(_ prefix: String) throws -> Int {
      try #require(members.firstIndex { $0.name.hasPrefix(prefix) })
    }
    #expect(try Self.archive(members) == dump)
    let file = members[try index("files/")].name
    func error(_ comment: Comment, _ body: (inout [Member]) throws -> Void) async throws -> String {
      var changed = members
      try body(&changed)
      return try await failure(Self.archive(changed), comment)
    }
    let (records, end) = (try index("records/todo"), members.count - 1)
    let prefix = "datactl: bad.tgz: "
    for (name, found) in [
      "schemas/step.json": "schemas/todo.json: todo: refers to schema step, which does not exist",
      "records/step.ndjson": "expected the member records/step.ndjson, found records/todo.ndjson",
      "functions.ndjson": "expected the member functions.ndjson, found \(file)",
      file: "expected the member \(file), found manifest.json",
      "manifest.json": "the dump ends without the member manifest.json",
    ] {
      let text = try await error("without \(name)") { $0.removeAll { $0.name == name } }
      #expect(text.contains(found) || name == "schemas/step.json", "\(text)")
    }
    for member in members.dropLast() {
      let text = try await error("\(member.name) twice") { members in
        let index = try #require(members.firstIndex(of: member))
        members.insert(member, at: index)
      }
      #expect(text.contains(member.name), "\(text)")
    }
    #expect(
      try await error("swapped") { $0.swapAt(0, 1) }
        == prefix + "schemas/step.json: the member is not in order")
    for name in ["../x", "/etc/x", "records/../x", "records/x.ndjson", "x", "files/x"] {
      let text = try await error("named \(name)") { $0[records].name = name }
      #expect(text == prefix + "expected the member records/todo.ndjson, found \(name)")
    }
    for type in ["1", "2", "3", "5", "x", "L"] {
      let text = try await error("of the type \(type)") { members in
        members[records].header[156] = Character(type).asciiValue ?? 0
        members[records].sign()
      }
      #expect(text.hasPrefix(prefix + "expected a file of a dump, found another member: "))
    }
    #expect(
      try await error("with another record") { $0[records].replace("milk", by: "silk") }
        == prefix + "records/todo.ndjson: the content is not the one that the manifest names")
    #expect(
      try await error("with another content") { $0[try index("files/")].content[0] = 0 }
        == prefix + "\(file): the content does not have this SHA-256")
    #expect(
      try await error("of format 2") { $0[end].replace(#""format":1"#, by: #""format":2"#) }
        == prefix + "manifest.json: the format of the dump is 2; this version reads only format 1")
    #expect(
      try await error("with a further line") {
        $0[end].replace("\n]}", by: ",\n{\"name\":\"files/x\",\"bytes\":0,\"sha256\":\"\"}\n]}")
      } == prefix + "manifest.json: the dump has other members after \(file)")
    #expect(
      try await error("without a line") {
        $0[end].replace(#"{"name":"functions.ndjson""#, by: #"{"name":"f""#)
      } == prefix + "manifest.json: expected the member functions.ndjson, found f")
    #expect(
      try await failure(Self.archive(members, end: []), "without end")
        == prefix + "the end of the dump is missing")
    #expect(
      try await failure(
        Self.archive(members, end: [UInt8](repeating: 0, count: 1_025)), "with more")
        == prefix + "other data follows the member manifest.json")
  }

  @Test("rejects a dump that is cut or has a changed byte", .tags(.random))
  func changedBytes() async throws {
    var generator = SeededRandom(seed: 7)
    var content = try Self.decompressed(dump)
    for _ in Seeds.count(check: 40, test: 200, all: 1_000) {
      var changed = dump
      // The time and the system in the header of gzip do not matter.
      let index = generator.number(10...dump.count - 1)
      if generator.chance(30) {
        changed.removeLast(dump.count - index)
      } else {
        changed[index] ^= UInt8(1 << generator.number(0...7))
      }
      // Some compressed texts have the same content.
      if (try? Self.decompressed(changed)) == content { continue }
      _ = try await failure(changed, "byte \(index)")
    }
    for _ in Seeds.count(check: 40, test: 200, all: 1_000) {
      // The properties in the manifest do not concern the content.
      let head = try #require(members.last).content.prefix { $0 != UInt8(ascii: "\n") }
      let start =
        content.count - 1_024 - (try #require(members.last).content.count + 511) / 512 * 512
      let index = generator.number(0...content.count - 1)
      if (start..<start + head.count).contains(index) { continue }
      let bit = UInt8(1 << generator.number(0...7))
      content[index] ^= bit
      _ = try await failure(Self.compressed(content), "byte \(index) of the archive")
      content[index] ^= bit
    }
  }
}
