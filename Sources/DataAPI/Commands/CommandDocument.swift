package import DataModel
internal import JSONText

/// A command line that a client sends to a server, with everything that the command needs to know
/// about the client, such as whether its stdout is a terminal.
package struct CommandDocument: Hashable, Sendable {
  /// What a command must know about a standard stream of the client, such as stdout.
  package struct Stream: Hashable, Sendable {
    package var isTerminal: Bool
    /// The width of the terminal in characters, or nil if it is not known.
    package var columns: Int?

    package init(isTerminal: Bool = false, columns: Int? = nil) {
      self.isTerminal = isTerminal
      self.columns = columns
    }
  }

  /// The answer of the user to a question that the command asked when it was first sent. The client
  /// sends the command again with this answer.
  package struct Answer: Hashable, Sendable {
    package var question: String
    package var text: String

    package init(to question: String, _ text: String) {
      self.question = question
      self.text = text
    }
  }

  /// A pattern on the command line, such as `*.json`, and the paths that it matches on the client's
  /// machine.
  package struct Expansion: Hashable, Sendable {
    package var pattern: String
    package var paths: [String]

    package init(of pattern: String, _ paths: [String]) {
      self.pattern = pattern
      self.paths = paths
    }
  }

  /// The part of an input that a request contains, if the client sends each part as a request.
  package struct Part: Hashable, Sendable {
    /// The number of lines to add to a line number in the part, so that it is that of the input.
    package var lineOffset: Int
    /// What the earlier parts have saved.
    package var earlier: SavedParts
    package var isLast: Bool

    package init(after lineOffset: Int, _ earlier: SavedParts, isLast: Bool) {
      self.lineOffset = lineOffset
      self.earlier = earlier
      self.isLast = isLast
    }
  }

  /// The version of the JSON format of this document. A server rejects documents of other versions.
  package static let version = 1

  /// The maximum number of answers that a server accepts. No command asks so many questions.
  private static let maxAnswerCount = 100

  /// The environment variables whose values a client sends, because they affect how the command
  /// shows its results.
  package static let variableNames = ["CI", "COLUMNS", "NO_COLOR", "TERM"]

  /// The options and operands, with the names that the help of the command shows, such as `--limit`
  /// and `ID`.
  package var inputs: [Parameters.Parameter]
  /// The address of the store that the client uses. Messages of the command show this address.
  package var store: String
  /// How much the command prints on stderr: `quiet`, `normal` or `verbose`.
  package var verbosity = "normal"
  /// The format in which errors are printed: `text` or `json`.
  package var errorFormat = "text"
  package var input = Stream()
  package var output = Stream()
  package var errors = Stream()
  /// The values of the environment variables in `variableNames`.
  package var variables: [Parameters.Parameter] = []
  package var answers: [Answer] = []
  package var expansions: [Expansion] = []
  /// The part of the input that the request contains, or nil if it contains the whole input.
  package var part: Part?

  package init(_ inputs: [Parameters.Parameter], store: String) {
    self.inputs = inputs
    self.store = store
  }

  package var json: [UInt8] {
    func pairs(_ list: [Parameters.Parameter]) -> JSONValue {
      .array(list.map { [.text($0.name), .text($0.value)] })
    }
    let value: JSONValue = [
      "version": JSONValue(Self.version), "inputs": pairs(inputs),
      "store": .text(store), "verbosity": .text(verbosity), "errors": .text(errorFormat),
      "streams": .array([input, output, errors].map(\.jsonValue)), "variables": pairs(variables),
      "answers": .array(answers.map { [.text($0.question), .text($0.text)] }),
      "expansions": .array(
        expansions.map { [.text($0.pattern), .array($0.paths.map { .text($0) })] }),
      "part": part.map(\.jsonValue) ?? .null,
    ]
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let value = try JSONValue(parsing: text)
    guard let version = value.integer("version") else { throw Self.invalid("version") }
    guard version == Self.version else {
      throw DataError(
        .usage,
        "the command has the format \(version), but the server reads the format \(Self.version)",
        hint: "use the same version of datactl as the server")
    }
    inputs = try Self.pairs(value["inputs"], "inputs").map { .init($0.0, $0.1) }
    store = try Self.text(value["store"], "store")
    verbosity = try Self.text(value["verbosity"], "verbosity")
    errorFormat = try Self.text(value["errors"], "errors")
    guard case .array(let streams)? = value["streams"], streams.count == 3 else {
      throw Self.invalid("streams")
    }
    (input, output, errors) = (
      try Stream(streams[0]), try Stream(streams[1]), try Stream(streams[2])
    )
    variables = try Self.pairs(value["variables"], "variables").map { .init($0.0, $0.1) }
    guard variables.count <= Self.variableNames.count else { throw Self.invalid("variables") }
    answers = try Self.pairs(value["answers"], "answers").map { Answer(to: $0.0, $0.1) }
    guard answers.count <= Self.maxAnswerCount else { throw Self.invalid("answers") }
    guard case .array(let list)? = value["expansions"] else { throw Self.invalid("expansions") }
    for element in list {
      guard case .array(let paths)? = element[1] else { throw Self.invalid("expansions") }
      var texts: [String] = []
      for path in paths { texts.append(try Self.text(path, "expansions")) }
      expansions.append(Expansion(of: try Self.text(element[0], "expansions"), texts))
    }
    if let value = value["part"], value != .null { part = try Part(parsing: value) }
  }

  private static func pairs(
    _ value: JSONValue?, _ key: String
  ) throws(DataError) -> [(String, String)] {
    guard case .array(let elements)? = value else { throw invalid(key) }
    var pairs: [(String, String)] = []
    for element in elements { pairs.append((try text(element[0], key), try text(element[1], key))) }
    return pairs
  }

  private static func text(_ value: JSONValue?, _ key: String) throws(DataError) -> String {
    guard case .text(let text)? = value else { throw invalid(key) }
    return text
  }

  fileprivate static func invalid(_ key: String) -> DataError {
    DataError(.invalid, "not a valid description of a command: \"\(key)\" is missing or invalid")
  }
}

extension CommandDocument.Part {
  /// The maximum number of lines before a part. Larger line numbers are not supported.
  private static let maxLineOffset = 1 << 39

  fileprivate var jsonValue: JSONValue {
    ["offset": JSONValue(lineOffset), "earlier": earlier.jsonValue, "last": .boolean(isLast)]
  }

  fileprivate init(parsing value: JSONValue) throws(DataError) {
    guard let offset = value.count("offset"), offset <= Self.maxLineOffset,
      let earlier = value["earlier"], case .boolean(let isLast)? = value["last"]
    else { throw CommandDocument.invalid("part") }
    self.init(after: offset, try SavedParts(parsing: earlier), isLast: isLast)
  }
}

extension CommandDocument.Stream {
  /// The terminal widths that a server accepts. Any other width is treated as unknown, because
  /// calculations with it could overflow.
  private static let validColumns: ClosedRange<Int> = 1...10_000

  fileprivate var jsonValue: JSONValue {
    guard isTerminal else { return .null }
    return ["columns": JSONValue(columns)]
  }

  fileprivate init(_ value: JSONValue) throws(DataError) {
    switch value {
    case .null: self.init()
    case .object:
      let columns = value.integer("columns")
      self.init(
        isTerminal: true, columns: columns.flatMap { Self.validColumns.contains($0) ? $0 : nil })
    case .boolean, .number, .text, .array: throw CommandDocument.invalid("streams")
    }
  }
}

/// A path that a command line names, with what the client has found at this path.
package struct AttachedPath: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// A file, whose bytes are in the following frames.
    case file
    /// A folder, with the names of its entries.
    case folder([String])
    /// The path cannot be read.
    case unreadable(Problem)
    /// The command writes to the path, but the client cannot open it for writing.
    case unwritable(Problem)
  }

  package var path: String
  package var content: Content

  package init(_ path: String, _ content: Content) {
    self.path = path
    self.content = content
  }

  package var json: [UInt8] {
    let value: JSONValue =
      switch content {
      case .file: ["path": .text(path)]
      case .folder(let names): ["path": .text(path), "names": .array(names.map { .text($0) })]
      case .unreadable(let problem): ["path": .text(path), "unreadable": problem.jsonValue]
      case .unwritable(let problem): ["path": .text(path), "unwritable": problem.jsonValue]
      }
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let value = try JSONValue(parsing: text)
    guard let path = value.text("path") else { throw CommandDocument.invalid("path") }
    self.path = path
    if case .array(let elements)? = value["names"] {
      var names: [String] = []
      for element in elements {
        guard case .text(let name) = element else { throw CommandDocument.invalid("names") }
        names.append(name)
      }
      content = .folder(names)
    } else if let problem = value["unreadable"].flatMap(Problem.init) {
      content = .unreadable(problem)
    } else if let problem = value["unwritable"].flatMap(Problem.init) {
      content = .unwritable(problem)
    } else {
      content = .file
    }
  }
}
