import DataAPI
import DataModel
import TestSupport
import Testing

/// The frames in which commands are sent to servers, and their output to clients.
@Suite("Frames", .tags(.random))
struct FrameTests {
  private static let texts = ["", "a", "--where", "ünï 👍", "e\u{301}", "a\n\"b\"\\", "-", "../x"]

  private func text(_ random: inout SeededRandom) -> String { random.pick(Self.texts) }

  private func problem(_ random: inout SeededRandom) -> Problem {
    var problem = Problem(
      random.pick(ErrorCode.allCases), text(&random),
      hint: random.chance(50) ? text(&random) : nil, schema: random.chance(50) ? "todo" : nil,
      id: random.chance(30) ? text(&random) : nil, field: random.chance(30) ? "title" : nil,
      file: random.chance(50) ? "a.csv" : nil, line: random.chance(50) ? 7 : nil,
      column: random.chance(20) ? 3 : nil)
    if random.chance(20) {
      problem.path = "$.steps[1]"
      problem.pathIsComplete = random.chance(50)
    }
    return problem
  }

  @Test(
    "decodes frames of the wire protocol from bytes that arrive in pieces",
    arguments: Seeds.count(test: 100, all: 2_000))
  func frames(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let frames = (0..<random.number(0...6)).map { _ in
      let kind = random.pick(Frame.Kind.allCases)
      let size = kind == .publish ? 0 : random.number(0...300)
      return Frame(kind, (0..<size).map { _ in UInt8(random.number(0...255)) })
    }
    let bytes = frames.flatMap(\.encoded)
    var decoder = FrameDecoder()
    var decoded: [Frame] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + random.number(1...40))
      decoder.append(bytes[start..<end].span)
      while let frame = try decoder.next() { decoded.append(frame) }
      start = end
    }
    #expect(decoded == frames)
    #expect(try decoder.next() == nil)
  }

  @Test("rejects a client's command with too many environment variables or answers to prompts")
  func hostileCommands() throws {
    var command = CommandDocument([], store: "http://127.0.0.1")
    command.variables = CommandDocument.variableNames.map { .init($0, "x") }
    command.answers = (0..<100).map { .init(to: "\($0)?", "y") }
    #expect(try CommandDocument(parsing: command.json.span) == command)
    var other = command
    other.variables.append(.init("TERM", "x"))
    #expect(throws: DataError.self) { try CommandDocument(parsing: other.json.span) }
    command.answers.append(.init(to: "?", "y"))
    #expect(throws: DataError.self) { try CommandDocument(parsing: command.json.span) }
  }

  @Test("rejects a frame of the wire protocol that has an unknown kind or exceeds the size limit")
  func hostileHeaders() {
    for bytes: [UInt8] in [
      [0, 0, 0, 0, 0, 0, 0, 0, 1], [200, 0, 0, 0, 0, 0, 0, 0, 1],
      [3, 0, 0, 0, 0, 0, 0x10, 0, 1], [9, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [1, 0x80, 0, 0, 0, 0, 0, 0, 0], [8, 0, 0, 0, 0, 0, 0, 0, 1], [3, 0, 0],
    ] {
      #expect(throws: DataError.self) { try Frame.header(parsing: bytes) }
    }
  }

  @Test("restores a command from its encoded form", arguments: Seeds.count(test: 100, all: 1_000))
  func commands(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var command = CommandDocument(
      (0..<random.number(0...5)).map { _ in .init(text(&random), text(&random)) },
      store: "https://shop.example")
    command.verbosity = random.pick(["quiet", "normal", "verbose"])
    command.errorFormat = random.pick(["text", "json"])
    command.input = .init(isTerminal: random.chance(50))
    command.output = .init(isTerminal: true, columns: random.chance(50) ? 80 : nil)
    command.variables = [.init("TERM", text(&random))]
    command.answers = [.init(to: text(&random), text(&random))]
    command.expansions = [.init(of: "*.csv", [text(&random), text(&random)])]
    if random.chance(50) {
      var earlier = SavedParts()
      try earlier.add(
        SaveSummary(created: 2, changed: 1, rejected: 1), through: random.number(0...9),
        skipping: random.chance(50) ? DataError(.invalid, text(&random)) : nil)
      command.part = .init(after: random.number(0...99), earlier, isLast: random.chance(50))
    }
    #expect(try CommandDocument(parsing: command.json.span) == command)
    let contents: [AttachedPath.Content] = [
      .file, .folder([text(&random), "b.json"]), .unreadable(problem(&random)),
      .unwritable(problem(&random)),
    ]
    var path = AttachedPath(text(&random), random.pick(contents))
    switch path.content {
    case .file, .folder: break
    case .unreadable(var problem):
      problem.pathIsComplete = false
      path.content = .unreadable(problem)
    case .unwritable(var problem):
      problem.pathIsComplete = false
      path.content = .unwritable(problem)
    }
    #expect(try AttachedPath(parsing: path.json.span) == path)
    let file = WrittenFile(text(&random), in: random.chance(50) ? text(&random) : nil)
    #expect(try WrittenFile(parsing: file.json.span) == file)
  }

  @Test(
    "ignores an invalid terminal width in a command from a client",
    arguments: ["0", "-1", "-9223372036854775808", "9223372036854775807"])
  func columns(width: String) throws {
    var command = CommandDocument([], store: "unix:/run/shop/api")
    command.errors = .init(isTerminal: true, columns: 80)
    let text = String(decoding: command.json, as: UTF8.self)
      .replacing(#"{"columns":80}"#, with: #"{"columns":\#(width)}"#)
    let decoded = try CommandDocument(parsing: text.utf8.span)
    #expect(decoded.errors == .init(isTerminal: true))
  }

  @Test(
    "restores the outcome of a command from its encoded form",
    arguments: Seeds.count(test: 100, all: 1_000))
  func ends(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let problems = (0..<random.number(1...25)).map { _ in problem(&random) }
    var error = try #require(DataError(problems, omitting: random.number(0...3)))
    if random.chance(50) { error.partialCommit = problem(&random) }
    let counts = CommandEnd.Counts(
      saved: SaveSummary(created: random.number(0...9), rejected: random.number(0...2)),
      deleted: random.number(0...9), nullified: random.number(0...9),
      output: random.chance(50) ? text(&random) : nil)
    var parts = SavedParts()
    try parts.add(counts.saved, through: nil, skipping: error)
    let ends: [CommandEnd] = [
      .done(committed: nil), .done(committed: problem(&random)), .question(text(&random)),
      .repeated(counts), .part(parts), .part(SavedParts()), .failed(error, .ordinary),
      .failed(error, .incompleteCheck),
      .skipped(error, .init(committed: problem(&random), errors: error)),
      .skipped(error, .init(committed: nil, errors: error)),
    ]
    for end in ends { #expect(try CommandEnd(parsing: end.json.span) == end) }
    for text in ["{}", "[]", "{\"problems\":[]}", "{\"problems\":[1]}", "{\"done\":false}", "x"] {
      #expect(throws: DataError.self) { try CommandEnd(parsing: text.utf8.span) }
    }
  }

  @Test("rejects a command in an unsupported format version, and names the version")
  func otherVersion() throws {
    let error = try #require(throws: DataError.self) {
      try CommandDocument(parsing: #"{"version":2}"#.utf8.span)
    }
    #expect(error.code == .usage)
    #expect(error.problems[0].message.contains("format 2"))
  }
}
