import ClientCore
import DataModel
import DataOutput
import DataStore
import JSONText
import Platform

extension CommandContext {
  /// Returns stdin. Throws an error if stdin is a terminal: the program would seem to hang, because
  /// it would wait for input without a prompt.
  func standardInput(for purpose: String) throws(DataError) -> InputStream {
    if console.input.isTerminal {
      throw DataError(
        .usage, "cannot read \(purpose) from standard input: it is a terminal",
        hint: "use a pipe, or redirect a file: < FILE")
    }
    return console.input
  }

  /// Opens a file for reading. The path `-` means stdin.
  func input(_ path: String, for purpose: String) throws(DataError) -> InputStream {
    path == "-" ? try standardInput(for: purpose) : try files.input(path)
  }

  /// How the operands of a command identify records.
  enum OperandKind {
    /// The operands are ids of records.
    case ids
    /// The operands are values of the fields that are given with `--by`.
    case values
  }

  /// Returns a function that returns the operands in chunks: the next chunk each time it is called,
  /// and nil after the last one. The operand `-` is replaced with the lines of stdin.
  ///
  /// - Parameter input: Stdin, if it must be possible to read it again; nil to read it only once.
  func chunks(
    of operands: [String], _ kind: OperandKind, from input: RewindableInput? = nil
  ) -> IDList.Reader {
    var operands = operands[...]
    var lines: InputStream.Lines?
    var hasReadInput = false
    return { () throws(DataError) in
      var chunk: [String] = []
      while chunk.count < IDList.chunkSize {
        if let line = try lines?.next() {
          if let error = kind.error(in: line) {
            throw DataError(
              Problem(
                .syntax, error.message, hint: error.hint, file: console.input.file,
                line: lines?.number))
          }
          if !line.isEmpty { chunk.append(line) }
          continue
        }
        lines = nil
        guard let operand = operands.popFirst() else { break }
        if operand == "-" {
          let stream = try standardInput(for: "ids")
          if hasReadInput { continue }
          hasReadInput = true
          lines = input?.lines(longest: IDs.limit) ?? stream.lines(longest: IDs.limit)
        } else {
          chunk.append(operand)
        }
      }
      return chunk.isEmpty ? nil : chunk
    }
  }

  /// Returns the ids that the operands of `get` specify, or the values of other fields (`--by`).
  /// The operand `-` is replaced with the lines of stdin.
  func keys(_ operands: [String], _ kind: OperandKind) -> IdentifiedRecords.Keys {
    if namesSingleRecord(operands) { return .one(operands[0]) }
    guard readsIDs(operands) else { return .several(IDList(operands)) }
    let input = RewindableInput(console.input)
    return .streamed(
      IDList { () throws(DataError) in chunks(of: operands, kind, from: input) },
      canRestart: { input.canRewind })
  }

  /// Whether one of the operands is `-`, which means the lines of stdin. In a request to a route of
  /// the API, it is an id like others.
  func readsIDs(_ operands: [String]) -> Bool {
    served?.purpose != .route && operands.contains("-")
  }

  /// Whether the operands name exactly one record. This is false for `-`, because stdin can contain
  /// any number of ids.
  func namesSingleRecord(_ operands: [String]) -> Bool {
    operands.count == 1 && !readsIDs(operands)
  }

  /// Returns the ids that the operands specify, where `-` means the lines of stdin. If stdin
  /// contains many ids, they are kept in a temporary file.
  func list(of operands: [String]) throws(DataError) -> IDList {
    guard readsIDs(operands) else { return IDList(operands) }
    var ids = operands.filter { $0 != "-" }
    var file: AnonymousTempFile?
    let nextLines = chunks(of: ["-"], .ids)
    while let chunk = try nextLines() {
      try console.checkInterruption()
      if ids.isEmpty {
        ids = chunk
        continue
      }
      if file == nil { file = try AnonymousTempFile() }
      try file?.write(Array(chunk.joined(separator: "\n").utf8 + [UInt8(ascii: "\n")]).span)
    }
    guard let file else { return IDList(ids) }
    return IDList { [ids] () throws(DataError) in
      let first = try IDList(ids).reader()
      var lines = try file.input().lines(longest: IDs.limit)
      return { () throws(DataError) in
        if let chunk = try first() { return chunk }
        var chunk: [String] = []
        while chunk.count < IDList.chunkSize, let id = try lines.next() { chunk.append(id) }
        return chunk.isEmpty ? nil : chunk
      }
    }
  }

  /// Returns the paths of the schema files in a folder, or the given path if it is not a folder.
  func schemaPaths(_ path: String) throws(DataError) -> [String] {
    guard try isFolder(path) else { return [path] }
    return try files.names(in: path)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  /// Returns the paths of the subfolders of a folder, down to a depth of `depth` levels. Hidden
  /// folders are skipped.
  func subfolders(of path: String, depth: Int = 4) throws(DataError) -> [String] {
    guard depth > 0, try isFolder(path) else { return [] }
    var folders: [String] = []
    for name in try files.names(in: path) where !name.hasPrefix(".") {
      let folder = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      if try isFolder(folder) { folders.append(folder) }
    }
    for folder in folders { folders += try subfolders(of: folder, depth: depth - 1) }
    return folders
  }

  /// Returns whether a folder exists at a path. The path `-` means stdin.
  func isFolder(_ path: String) throws(DataError) -> Bool {
    path == "-" ? false : try files.isFolder(path)
  }
}

extension CommandContext.OperandKind {
  /// Returns an error message and a hint if a line contains a character that is not allowed in an
  /// id or a value. Returns nil for a valid line.
  fileprivate func error(in line: String) -> (message: String, hint: String)? {
    // Quoting takes much longer than checking, so the text is quoted only if the line is invalid.
    var found: String { "found \(Excerpt.quoted(line))" }
    switch self {
    case .ids where UTF8Check.hasControl(in: line.utf8.span):
      return ("expected an id without control characters, \(found)", "write one id per line")
    case .values where line.utf8.contains(0):
      return ("expected a value without NUL, \(found)", "write one value per line")
    case .ids, .values: return nil
    }
  }
}
