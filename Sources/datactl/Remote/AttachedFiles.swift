import ClientCore
import CommandSyntax
import Conditions
import DataAPI
import DataModel
import Maps
import Platform
import ServerClient

/// Collects the files that a command line names, so that they are sent to a server together with
/// the command line.
struct AttachedFiles {
  private static let pieceSize = 256 << 10
  /// The maximum depth of the subfolders that are searched for schema files.
  private static let folderDepth = 4

  private let context: CommandContext
  let body = RequestBody()
  private(set) var expansions: [CommandDocument.Expansion] = []
  /// The output for rejected records (`--rejects`). It is opened before the request is sent, so
  /// that the server is told if the file cannot be written.
  private(set) var rejects: PublishedOutput?
  /// The content of stdin, if it consists of the ids of records whose contents are written to files.
  private(set) var ids: [UInt8] = []
  private var paths: Set<[UInt8]> = []
  private var identities: [FileIdentity?] = []

  init(with context: CommandContext) {
    self.context = context
  }

  /// Adds to the request the files that a command line names. The server cannot read any other
  /// files of the client.
  ///
  /// - Parameter input: The path of an input that is not added, because it is sent in parts; nil if
  ///   there is none.
  mutating func attach(_ given: GivenInputs, except input: String?) throws(DataError) {
    if let input { paths.insert(Array(input.utf8)) }
    for (name, word) in given.words {
      switch given.kind(of: name) {
      case .file where name == "--map" && (try? DataMap(argument: word)) != nil: break
      case .file where name == "--file" || name == "--files": try attach(pattern: word)
      case .file: try attach(word)
      case .schemaFiles: try attach(schemaFiles: word)
      case .folder where given.command.path.first == "schema" && word != "-":
        try attach(schemaFiles: word)
      case .assignment:
        if let assignment = Assignment(word), assignment.operation == .file {
          try attach(assignment.text)
        }
      case .id where word == "-" && name == "ID" && given.readsIDs:
        try attach(word, keepingIDs: !given["--into"].isEmpty)
      case .folder, .outputFile, .id, .text, .integer, .choice, .schema, .schemaOrField, .field,
        .fields, .fieldFor, .fieldsFor, .order, .relations, .condition, .groupCondition, .timeZone,
        .equality, .declaration, .function, .store, .topic, .command, nil:
        break
      }
    }
    if given.readsStandardInput { try attach("-") }
    if let path = given["--rejects"].first, path != "-" { try openRejects(path) }
  }

  private mutating func attach(pattern: String) throws(DataError) {
    guard FilePattern(pattern).hasWildcards else { return try attach(pattern) }
    do throws(DataError) {
      guard let matches = try context.files.matches(of: pattern) else { return try attach(pattern) }
      expansions.append(.init(of: pattern, matches))
      for path in matches { try attach(path) }
    } catch {
      try attach(pattern, unreadable: error)
    }
  }

  /// Adds the content of a file to the request, or the reason why the file cannot be read.
  ///
  /// - Parameter keepsIDs: Whether the content is also stored in `ids`.
  private mutating func attach(
    _ path: String, keepingIDs keepsIDs: Bool = false
  ) throws(DataError) {
    guard !path.isEmpty, paths.insert(Array(path.utf8)).inserted else { return }
    // The command document says that stdin is a terminal, so the server reports the error.
    if path == "-", context.console.input.isTerminal { return }
    do throws(DataError) {
      let input = try context.input(path, for: "the input")
      identities.append(input.identity)
      try append(AttachedPath(path, .file))
      var bytes: [UInt8] = []
      var isAtEnd = false
      while !isAtEnd {
        isAtEnd = try input.read(into: &bytes, atMost: Self.pieceSize - bytes.count) == 0
        try context.console.checkInterruption()
        guard isAtEnd || bytes.count == Self.pieceSize else { continue }
        try body.append(Frame.header(.content, size: bytes.count).span)
        try body.append(bytes.span)
        if keepsIDs { ids += bytes }
        bytes.removeAll(keepingCapacity: true)
      }
    } catch {
      try attach(path, unreadable: error)
    }
  }

  private mutating func attach(_ path: String, unreadable error: DataError) throws(DataError) {
    if error.code == .interrupted || error.problems[0].file == nil { throw error }
    try append(AttachedPath(path, .unreadable(error.problems[0])))
  }

  /// Adds to the request a file, or the schema files of a folder. For subfolders of the folder,
  /// adds only the names of their schema files, without the contents.
  private mutating func attach(schemaFiles path: String) throws(DataError) {
    guard try attach(namesIn: path, depth: Self.folderDepth) else { return try attach(path) }
    for file in try context.schemaPaths(path) { try attach(file) }
  }

  /// Adds to the request the names of the schema files and subfolders in a folder. If the folder
  /// cannot be read, adds the reason instead. Returns false if the path is not a folder, or if the
  /// folder is nested too deeply.
  private mutating func attach(namesIn path: String, depth: Int) throws(DataError) -> Bool {
    do throws(DataError) {
      guard depth >= 0, try context.isFolder(path) else { return false }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      var names: [String] = []
      for name in try context.files.names(in: path) where !name.hasPrefix(".") {
        if try attach(namesIn: prefix + name, depth: depth - 1) || name.hasSuffix(".json") {
          names.append(name)
        }
      }
      try append(AttachedPath(path, .folder(names)))
      return true
    } catch {
      try attach(path, unreadable: error)
      return true
    }
  }

  /// Opens the file for rejected records. If the file cannot be opened, adds the reason to the
  /// request.
  private mutating func openRejects(_ path: String) throws(DataError) {
    try Rejects.check(path, distinctFrom: identities, [], with: context)
    do throws(DataError) {
      rejects = try context.files.output(path)
    } catch {
      if error.code == .interrupted { throw error }
      try append(AttachedPath(path, .unwritable(error.problems[0])))
    }
  }

  private func append(_ path: AttachedPath) throws(DataError) {
    try body.append(Frame(.path, path.json).encoded.span)
  }
}

extension GivenInputs {
  /// Whether the command reads stdin because no operand or option names another input.
  fileprivate var readsStandardInput: Bool {
    switch command.path {
    case ["save"]: ["FIELD=VALUE", "--file", "--files"].allSatisfy { self[$0].isEmpty }
    case ["batch"]: self["FILE"].isEmpty
    default: false
    }
  }

  /// Whether the operands `ID` are ids of any number of records, so that `-` means stdin.
  fileprivate var readsIDs: Bool {
    command.operands.contains { operand in
      if case .many = operand.count { operand.name == "ID" } else { false }
    }
  }
}
