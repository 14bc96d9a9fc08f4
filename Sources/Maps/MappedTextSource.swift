package import DataModel
import JSONText
package import RecordText

/// A byte source that reads a JSON or CSV document from another source, finds the records that a
/// map describes, and returns them as NDJSON for a `RecordReader`.
///
/// The document is converted as it is read. At most one record, or one value outside the records,
/// is in memory.
package struct MappedTextSource<Source: ByteSource>: ByteSource {
  private static var pieceSize: Int { 256 << 10 }

  private var source: Source
  private var records: MappedRecords
  private var scanner: ForeignScanner
  private let longestText: Int
  private var buffer: [UInt8] = []
  /// The beginning of a record, or of another value, at the end of the buffer.
  private var incomplete = IncompleteText()
  /// The number of bytes that have been scanned. Bytes that were scanned repeatedly are counted
  /// repeatedly.
  package private(set) var scannedCount = 0
  private var isAtEnd = false
  private var isFinished = false
  private var bytesRead = 0
  private var output: [UInt8] = []
  private var start = 0
  private var failure: Problem?

  /// Creates a source that converts the document of another source to NDJSON.
  ///
  /// - Parameters:
  ///   - source: The source of the document.
  ///   - layout: The map, checked against the schemas.
  ///   - locations: Receives the locations of the records.
  ///   - form: The format and the separator of the document, if they are known. If the format is
  ///     NDJSON, each line is a record, even if the map specifies a path to the records.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, by layout: MapLayout, _ locations: MapLocations,
    _ form: TextForm = TextForm(), longestText: Int = InputLimitError.longestRecord
  ) {
    self.source = source
    records = MappedRecords(layout, locations)
    scanner = ForeignScanner(layout.map, form, keyColumn: layout.record.keyColumn)
    self.longestText = longestText
  }

  package var convertedCount: Int? { bytesRead }

  package mutating func takeFindings() -> SourceFindings {
    var findings = SourceFindings()
    findings.problems = records.takeProblems()
    findings.failure = failure
    return findings
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if start < output.count { return true }
    return try source.hasBytes(within: seconds)
  }

  package mutating func read(
    into bytes: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    if start == output.count, !isFinished {
      (output, start) = ([], 0)
      try convert()
      if output.isEmpty, !isFinished {
        // No record is complete yet. Return a space, which JSON ignores, because 0 bytes would mean
        // the end of the input.
        bytes.append(0x20)
        return 1
      }
    }
    let size = min(count, output.count - start)
    bytes += output[start..<start + size]
    start += size
    return size
  }

  /// Reads further bytes, and converts the complete records in the buffer. Does not wait for bytes
  /// that may never arrive.
  private mutating func convert() throws(DataError) {
    let size = try source.read(
      into: &buffer, atMost: min(Self.pieceSize, max(longestText - buffer.count, 1)))
    bytesRead += size
    isAtEnd = size == 0
    let text = buffer
    let mayBeComplete = incomplete.mayBeComplete(text.span.extracting(scanner.position...))
    guard mayBeComplete || isAtEnd || buffer.count >= longestText else { return }
    scannedCount += buffer.count - scanner.position
    incomplete = IncompleteText()
    let limitError = scanner.begin(text.span, isLast: isAtEnd)
    if let limitError { return fail(limitError.message, hint: limitError.hint) }
    do throws(ScanError) {
      while let found = try scanner.next(text.span, isLast: isAtEnd) {
        switch found {
        case .record(let record):
          if record.lacksPath, !records.layout.record.hasValues(in: record.value) {
            return fail(
              Problem(.invalid, records.layout.map.missingRecords, line: record.value.line))
          }
          records.append(
            record.value, at: record.place,
            text: records.keepsOriginals ? document(text[record.range], record.place) : nil,
            to: &output)
        case .malformed(let malformed):
          records.appendMalformed(
            malformed.problem, line: malformed.line,
            text: records.keepsOriginals ? Array(text[malformed.range]) : nil, to: &output)
        }
      }
      isFinished = isAtEnd
    } catch {
      if let problem = scanner.problem(error) { fail(problem) }
      incomplete = IncompleteText(
        text.span.extracting(scanner.position...), until: scanner.missingEnd)
    }
    let count = scanner.removableCount
    buffer.removeFirst(count)
    scanner.discard(count)
    if count == 0, buffer.count >= longestText {
      fail(InputLimitError.record(longerThan: longestText).message, hint: nil)
    }
  }

  /// Returns a document that contains only the given record, inside the objects that enclose the
  /// records in the original document.
  private func document(_ text: ArraySlice<UInt8>, _ place: RecordPlace) -> [UInt8] {
    let map = records.layout.map
    guard map.format == .json, map.hasObjectPath else { return Array(text) }
    var document: [UInt8] = []
    func open(_ name: String) {
      document.append(UInt8(ascii: "{"))
      JSONQuote.append(name.utf8.span, to: &document)
      document.append(UInt8(ascii: ":"))
    }
    for name in map.records.names { open(name) }
    let braces = Array(repeating: UInt8(ascii: "}"), count: map.records.names.count)
    if case .entry(let name) = place {
      open(name)
      return document + text + [UInt8(ascii: "}")] + braces
    }
    return document + [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")] + braces
  }

  private mutating func fail(_ message: String, hint: String?) {
    fail(Problem(.syntax, message, hint: hint, line: scanner.line))
  }

  private mutating func fail(_ problem: Problem) {
    failure = problem
    failure?.schema = records.layout.record.schemaName
    failure?.pathIsComplete = true
    isFinished = true
  }
}
