import CommandSyntax
import DataAPI
import DataModel
import RecordText
import ServerClient

/// The input of `save --commit-every` for a store on a server. It is sent in parts, so that the
/// server commits the records as they arrive: each part contains the records of one commit.
///
/// An input whose records do not follow one another as text, such as a JSON array, is sent as a
/// whole.
struct InputParts {
  /// A part of the input as the body of a request, without the command.
  struct Part {
    let body: RequestBody
    /// The number of lines to add to the line numbers of the part, or nil if the part is the whole
    /// input because it cannot be divided.
    let lineOffset: Int?
    /// The line of the last record of the part, or nil if it is not known.
    var lastLine: Int?
    let isLast: Bool
  }

  private static let pieceSize = 256 << 10
  /// The maximum time in seconds between the first record of a part and the end of the part.
  private static let maxDelay = 1.0

  /// The path of the input; `-` for stdin.
  let path: String
  private let input: InputStream
  private let maxRecords: Int
  private let console: Console
  private let form: TextForm
  /// Divides the input. Nil if the input cannot be divided.
  private var divider: RecordDivider?
  /// The header of CSV, which precedes the records of each part.
  private var header: [UInt8] = []
  /// The bytes that were read, but are not in a part yet.
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// Opens the input of a command. Returns nil if the command does not save a single input in
  /// parts, or if the input cannot be read; the server then reports the error.
  init?(of given: GivenInputs, with context: CommandContext) throws(DataError) {
    let others = ["ID", "FIELD=VALUE", "--files", "--deep", "--map", "--rejects", "--comment"]
    guard given.command.path == ["save"], given["--file"].count <= 1,
      let maxRecords = given["--commit-every"].first.flatMap({ Int($0) }), maxRecords > 0,
      others.allSatisfy({ given[$0].isEmpty })
    else { return nil }
    path = given["--file"].first ?? "-"
    if path == "-" ? context.console.input.isTerminal : FilePattern(path).hasWildcards {
      return nil
    }
    guard let form = TextForm(given) else { return nil }
    self.form = form
    self.maxRecords = maxRecords
    console = context.console
    do throws(DataError) {
      input = try context.input(path, for: "the input")
      try detect()
    } catch {
      if error.code == .interrupted { throw error }
      return nil
    }
  }

  /// The options that tell the server what was detected at the beginning of the input, because the
  /// beginning of another part can look different.
  var options: [(name: String, word: String)] {
    guard let divider, divider.format.isTable else { return [("--input", "json")] }
    let separator = String(decoding: [divider.separator], as: UTF8.self)
    return [("--input", divider.format.rawValue), ("--delimiter", separator)]
  }

  private mutating func detect() throws(DataError) {
    while true {
      switch RecordDivider.detect(bytes.span, isLast: isAtEnd, form) {
      case .tooShort: try read()
      case .whole: return
      case .divided(let divider):
        self.divider = divider
        return
      }
    }
  }

  private mutating func read() throws(DataError) {
    isAtEnd = try input.read(into: &bytes, atMost: Self.pieceSize) == 0
    try console.checkInterruption()
  }

  /// Reads the next part. Waits until it has as many records as one commit, or one second if it has
  /// at least one record.
  mutating func next() throws(DataError) -> Part {
    let body = RequestBody()
    try body.append(Frame(.path, AttachedPath(path, .file).json).encoded.span)
    guard var divider else { return try whole(body) }
    defer { self.divider = divider }
    let lineOffset = divider.lines - header.count { $0 == UInt8(ascii: "\n") }
    try append(header.count, of: header, to: body)
    var count = 0
    var due: Double?
    while true {
      divider.scan(bytes.span, until: maxRecords - count)
      if divider.headerEnd > 0, header.isEmpty { header = Array(bytes[..<divider.headerEnd]) }
      count += divider.count
      try append(divider.end, of: bytes, to: body)
      bytes.removeFirst(divider.end)
      divider.discard()
      let now = console.stopwatch()
      if count > 0, due == nil { due = now + Self.maxDelay }
      if count >= maxRecords || due.map({ now >= $0 }) == true { break }
      if isAtEnd {
        try append(bytes.count, of: bytes, to: body)
        return Part(body: body, lineOffset: lineOffset, isLast: true)
      }
      if let due, try !input.hasBytes(within: due - now) { break }
      try read()
    }
    return Part(
      body: body, lineOffset: lineOffset, lastLine: divider.lastLine, isLast: false)
  }

  private mutating func whole(_ body: RequestBody) throws(DataError) -> Part {
    while !isAtEnd {
      try append(bytes.count, of: bytes, to: body)
      bytes.removeAll(keepingCapacity: true)
      try read()
    }
    try append(bytes.count, of: bytes, to: body)
    return Part(body: body, lineOffset: nil, isLast: true)
  }

  /// Appends the first bytes of a text to the body, as the content of the input.
  private func append(
    _ count: Int, of text: [UInt8], to body: RequestBody
  ) throws(DataError) {
    for start in stride(from: 0, to: count, by: Self.pieceSize) {
      let piece = text.span.extracting(start..<min(start + Self.pieceSize, count))
      try body.append(Frame.header(.content, size: piece.count).span)
      try body.append(piece)
    }
  }
}

extension TextForm {
  /// Creates the form that options describe. Returns nil if an option is invalid, which the server
  /// reports.
  fileprivate init?(_ given: GivenInputs) {
    self.init()
    if let word = given["--input"].first {
      guard let format = RecordFormat(rawValue: word) else { return nil }
      self.format = format
    }
    if let word = given["--encoding"].first {
      guard let encoding = TextEncoding(rawValue: word) else { return nil }
      self.encoding = encoding
    }
    if let word = given["--delimiter"].first {
      guard let separator = Self.separator(word == "\\t" ? "\t" : word) else { return nil }
      self.separator = separator
    }
    if !given["--no-header"].isEmpty || !given["--header"].isEmpty { header = .fields }
  }
}
