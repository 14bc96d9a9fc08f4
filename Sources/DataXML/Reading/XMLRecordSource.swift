package import DataModel
import JSONText
package import Maps
package import RecordText
import Synchronization

/// A byte source that reads XML from another source and returns its records as JSON, for a
/// `RecordReader` with the format `xml`.
///
/// The document is parsed as it is read. At most one record and one tag are in memory.
package struct XMLRecordSource<Source: ByteSource>: ByteSource {
  /// The number of bytes that are parsed at once.
  private static var pieceSize: Int { 64 << 10 }
  /// The maximum number of bytes that libxml2 may parse without reporting a tag or text. After more
  /// bytes, reading fails, because a tag is too long: the time to parse a tag grows with the square
  /// of its length. `pieceSize` is added because a tag may begin or end inside a piece.
  private static var maxUnparsedCount: Int { XMLText.longestTag + pieceSize }

  private var source: Source
  private let formerEncoding: TextEncoding?
  private let parser: SharedParser
  /// Bytes that have been read but not parsed: the first bytes until the encoding is known, or an
  /// incomplete character at the end of a piece. They are parsed together with the next piece.
  private var kept: [UInt8] = []
  private var hasBegun = false
  private var piece: [UInt8] = []
  private var isAtEnd = false
  private var bytesRead = 0
  /// The number of bytes that libxml2 parsed since it last reported a tag or text.
  private var unparsedCount = 0

  /// Creates a source that returns the records of an XML document as JSON, without a map.
  ///
  /// - Parameters:
  ///   - source: The source of the XML.
  ///   - schema: The schema of the records, or nil if it is to be inferred.
  ///   - catalog: The schemas of related records.
  ///   - checksNames: Whether the elements of records must have the name of the schema.
  ///   - formerEncoding: The encoding of the document before it was converted to UTF-8, or nil if
  ///     it was not converted. The XML declaration may still name this encoding.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, for schema: Schema?, in catalog: Catalog = Catalog(),
    checksNames: Bool = true, formerEncoding: TextEncoding? = nil,
    longestText: Int = InputLimitError.longestRecord
  ) throws(DataError) {
    self.source = source
    self.formerEncoding = formerEncoding
    parser = try SharedParser(
      try LibXML(),
      XMLConverter(
        for: schema, in: catalog, checksNames: checksNames, longestText: longestText))
  }

  /// Creates a source that returns the records of a document as NDJSON, according to a map.
  ///
  /// - Parameters:
  ///   - source: The source of the XML.
  ///   - layout: The map, checked against the schemas.
  ///   - locations: Receives the locations of the records.
  ///   - formerEncoding: The encoding of the document before it was converted to UTF-8, or nil if
  ///     it was not converted.
  ///   - longestText: The maximum length of a record in bytes.
  ///   - maxDepth: The maximum nesting depth of elements, or nil for that of documents.
  package init(
    _ source: Source, by layout: MapLayout, _ locations: MapLocations,
    formerEncoding: TextEncoding? = nil, longestText: Int = InputLimitError.longestRecord,
    maxDepth: Int? = nil
  ) throws(DataError) {
    self.source = source
    self.formerEncoding = formerEncoding
    parser = try SharedParser(
      try LibXML(),
      XMLConverter(
        by: MappedRecords(layout, locations), longestText: longestText,
        maxDepth: maxDepth ?? XMLConverter.maxDepth))
  }

  package var convertedCount: Int? { bytesRead }

  package mutating func takeFindings() -> SourceFindings {
    parser.withConverter { $0.takeFindings() }
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if parser.withConverter({ $0.hasOutput }) { return true }
    return try source.hasBytes(within: seconds)
  }

  package mutating func read(
    into buffer: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    var size = parser.take(into: &buffer, atMost: count)
    if size > 0 || isAtEnd { return size }
    piece.removeAll(keepingCapacity: true)
    let pieceCount = try source.read(into: &piece, atMost: Self.pieceSize)
    bytesRead += pieceCount
    isAtEnd = pieceCount == 0
    parse()
    if parser.withConverter({ $0.hasFailed }) { isAtEnd = true }
    size = parser.take(into: &buffer, atMost: count)
    if size > 0 || isAtEnd { return size }
    // No record is complete yet. Return a space, which JSON ignores, because 0 bytes would mean the
    // end of the input.
    buffer.append(0x20)
    return 1
  }

  /// Parses `piece`, except for an incomplete character at its end.
  private mutating func parse() {
    if !kept.isEmpty {
      piece = kept + piece
      kept = []
    }
    if formerEncoding != nil { hasBegun = true }
    if !hasBegun {
      switch XMLEncoding(of: piece.span, isLast: isAtEnd) {
      case .unknown:
        kept = piece
        return
      case .other(let name, let hint):
        parser.withConverter { $0.fail("the input is \(name); records must be UTF-8", hint: hint) }
        return
      case .misplacedMark:
        parser.withConverter { $0.fail("a byte order mark inside the XML declaration") }
        return
      case .utf8: hasBegun = true
      }
    }
    let end = UTF8Check.firstInvalidOffset(in: piece.span) ?? piece.count
    let isInvalid = end < piece.count && (isAtEnd || piece.count - end > 3)
    kept = isInvalid ? [] : Array(piece[end...])
    let hasProgressed = parser.parse(piece.span.extracting(0..<end))
    unparsedCount = hasProgressed ? 0 : unparsedCount + end
    if isInvalid {
      parser.withConverter { $0.fail("invalid UTF-8") }
    } else if unparsedCount > Self.maxUnparsedCount {
      parser.withConverter { converter in
        converter.fail("a tag or a comment exceeds \(XMLText.longestTag >> 10) KiB")
      }
    } else if isAtEnd {
      parser.finish()
    }
  }
}

extension XMLRecordSource {
  /// Returns whether the source contains XML: after white space and a byte order mark, it begins
  /// with `<`. The bytes that are read are appended to `head`.
  package static func isXML(
    _ source: inout Source, head: inout [UInt8]
  ) throws(DataError) -> Bool {
    // This is the number of bytes that `RecordReader` reads at once.
    let headSize = 256 << 10
    while head.count < headSize, try source.read(into: &head, atMost: headSize) > 0 {
      let first = head.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
      if let first { return first == UInt8(ascii: "<") }
    }
    return false
  }
}

/// A parser in a class that is `Sendable`, so that a source can be passed to another thread.
private final class SharedParser: Sendable {
  private let parser: Mutex<XMLParser>

  init(_ library: LibXML, _ converter: XMLConverter) throws(DataError) {
    parser = Mutex(try XMLParser(library, converter))
  }

  func withConverter<Result: Sendable>(_ body: (inout XMLConverter) -> Result) -> Result {
    parser.withLock { body(&$0.converter) }
  }

  func finish() {
    parser.withLock { $0.finish() }
  }

  func take(into buffer: inout [UInt8], atMost count: Int) -> Int {
    withConverter { $0.take(into: &buffer, atMost: count) }
  }

  /// Parses bytes. Returns whether libxml2 reported any tag or text.
  func parse(_ bytes: Span<UInt8>) -> Bool {
    parser.withLock { parser in
      let count = parser.converter.partCount
      parser.parse(bytes)
      return parser.converter.partCount != count
    }
  }
}

/// The encoding of a document, detected from its first bytes.
private enum XMLEncoding {
  /// More bytes are needed to detect the encoding.
  case unknown
  case utf8
  case other(name: String, hint: String?)
  /// The text begins with `<?xml` only without the byte order marks inside it. libxml2 reads such
  /// text as a processing instruction, and would ignore the encoding in it.
  case misplacedMark

  /// The maximum length of an XML declaration in bytes. The encoding in a longer declaration is
  /// ignored, and the document is read as UTF-8.
  private static let longestDeclaration = 1_024

  init(of text: Span<UInt8>, isLast: Bool) {
    if text.count < 4, !isLast {
      self = .unknown
      return
    }
    let first = text.count > 0 ? text[0] : 0
    let second = text.count > 1 ? text[1] : 0
    if min(first, second) == 0xFE && max(first, second) == 0xFF
      || text.count > 1 && (first == 0) != (second == 0)
    {
      self = .other(name: "UTF-16", hint: nil)
      return
    }
    let declaration = String(decoding: text.extracting(first: Self.longestDeclaration))
    guard declaration.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("<?xml") else {
      let isMarked = declaration.filter { $0 != "\u{FEFF}" }.hasPrefix("<?xml ")
      self = isMarked ? .misplacedMark : .utf8
      return
    }
    guard let end = declaration.firstIndex(of: ">") else {
      self = isLast || text.count >= Self.longestDeclaration ? .utf8 : .unknown
      return
    }
    if declaration[..<end].drop(while: { $0 == "\u{FEFF}" }).contains("\u{FEFF}") {
      self = .misplacedMark
      return
    }
    let words = declaration[..<end].split { "='\"? \t\r\n".contains($0) }
    guard let index = words.firstIndex(of: "encoding"), index + 1 < words.count,
      !["utf-8", "utf8", "us-ascii"].contains(words[index + 1].lowercased())
    else {
      self = .utf8
      return
    }
    let name = String(words[index + 1])
    self = .other(
      name: "declared as \(Excerpt.quoted(name))",
      hint:
        "convert the input first: iconv -f \(Excerpt.truncated(name)) -t UTF-8 FILE, and remove the declaration"
    )
  }
}
