import DataModel
import JSONText
import Maps
import RecordText

/// Converts XML elements to JSON records.
///
/// The output is a sequence of JSON objects. Line breaks are inserted so that each object and each
/// member has the same line number as its element in the document. `datactl help formats` describes
/// the XML format.
struct XMLConverter: Sendable {
  /// An element whose end tag has not been parsed yet.
  private struct Frame: BitwiseCopyable {
    enum Role: BitwiseCopyable {
      case root
      case record
      case value(XMLType)
      /// An unexpected element, which was reported. Its content is skipped.
      case ignored
    }

    /// The kind of JSON value that is written for an element. It is set when the first attribute or
    /// child element is found.
    enum Form: BitwiseCopyable {
      case none
      case object
      case array
      /// A JSON object that contains a related record, in place of its id.
      case record
    }

    var role: Role
    var form = Form.none
    /// The number of members or elements that the object or array has so far.
    var count = 0
    var isNull = false
    var isEmptyFile = false
    /// For a record, the index in `XMLSchema.members` of the most recent field. It helps to predict
    /// the next field.
    var previous = 0
    /// The index of a schema in `schemas`: the schema of a record, or the target schema of a
    /// relation.
    var schema: Int?
    /// The slot of the field if the element is a field of a top-level record. Nil for other
    /// elements.
    var slot: Int?
  }

  /// The maximum nesting depth of elements.
  static let maxDepth = 256
  private static let maxProblems = 20

  /// The line of the document that is being parsed.
  var line = 1
  /// The number of tags and texts that libxml2 has reported. If the number stays the same while
  /// bytes are parsed, libxml2 has reported nothing.
  var partCount = 0
  /// The problem that ended the conversion.
  private(set) var failure: Problem?
  /// Whether `failure` is set. Comparing `failure` with nil would copy it.
  private(set) var hasFailed = false
  /// The problems of records, by record number.
  private var problems: [Int: [Problem]] = [:]
  private var output: [UInt8] = []
  /// The bytes of `output` from `start` to `end` are complete records, which `take` returns.
  private var start = 0
  private var end = 0
  private var outputLine = 1
  private var recordCount = 0
  private var frames: [Frame] = []
  /// Whether the root element is closed, so that the document may end.
  private var isComplete = false
  /// The text of the current element.
  private var text: [UInt8] = []
  /// The schema of the records, followed by the schemas of related records. Empty if the schema of
  /// the records is not known.
  private var schemas: [XMLSchema]
  private let catalog: Catalog
  private let checksNames: Bool
  private let longestText: Int
  private let maxDepth: Int
  /// The converter for documents that a map describes; nil for documents in the format that datactl
  /// prints.
  private var mapped: MappedXMLConverter?
  /// Whether `mapped` is set. Comparing `mapped` with nil would copy it.
  private let isMapped: Bool

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records, or nil if it is to be inferred.
  ///   - catalog: The schemas of related records.
  ///   - checksNames: Whether the elements of records must have the name of the schema.
  ///   - longestText: The maximum length of a record in bytes.
  init(for schema: Schema?, in catalog: Catalog, checksNames: Bool, longestText: Int) {
    schemas = schema.map { [XMLSchema($0)] } ?? []
    self.catalog = catalog
    self.checksNames = checksNames
    self.longestText = longestText
    maxDepth = Self.maxDepth
    isMapped = false
  }

  /// Creates a converter of documents that a map describes. Each record becomes one line of the
  /// output.
  init(by records: MappedRecords, longestText: Int, maxDepth: Int) {
    schemas = []
    catalog = Catalog()
    checksNames = false
    self.longestText = longestText
    self.maxDepth = maxDepth
    mapped = MappedXMLConverter(records)
    isMapped = true
  }
}

/// Returning the JSON of complete records.
extension XMLConverter {
  /// Moves at most `count` bytes of complete records to the buffer. Returns the number of bytes
  /// moved.
  mutating func take(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let size = min(count, end - start)
    buffer.append(copying: output.span.extracting(start..<start + size))
    start += size
    if start == end, start > 0 {
      output.removeSubrange(..<start)
      (start, end) = (0, 0)
    }
    return size
  }

  mutating func takeFindings() -> SourceFindings {
    var findings = SourceFindings()
    swap(&findings.problems, &problems)
    if let problems = mapped?.takeProblems() { findings.problems = problems }
    findings.failure = failure
    return findings
  }

  /// Whether the next call of `take` returns bytes.
  var hasOutput: Bool { start < end }

  /// Ends the conversion with a problem, unless it has ended already.
  mutating func fail(_ message: String, hint: String? = nil) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = Problem(
      .syntax, message, hint: hint, schema: schemas.first?.schema.name ?? mapped?.schemaName,
      line: line)
    failure?.pathIsComplete = isMapped
    output.removeSubrange(end...)
  }

  /// Reports a problem of the current record.
  private mutating func report(_ message: String, hint: String? = nil) {
    guard problems[recordCount, default: []].count < Self.maxProblems else { return }
    let slot = frames.count > 2 ? frames[2].slot : nil
    problems[recordCount, default: []].append(
      Problem(
        .invalid, message, hint: hint, field: slot.flatMap { schemas.first?.schema.name(of: $0) },
        line: line))
  }

  private func excerpt(_ name: Span<UInt8>) -> String {
    "<\(Excerpt.truncated(String(decoding: name.extracting(first: 300))))>"
  }
}

/// Handling of everything that libxml2 reports: tags, attributes, texts and errors.
extension XMLConverter {
  mutating func foundDocumentType() {
    fail(
      "a document type declaration (DOCTYPE) is not allowed",
      hint: "remove the declaration, and replace references to its entities with their text")
  }

  /// Ends the conversion because libxml2 reported an error.
  mutating func foundError(_ message: String) {
    var message = message
    while message.last?.isWhitespace == true { message.removeLast() }
    fail("not well-formed XML: \(Excerpt.truncated(message))")
  }

  /// Ends the document. Returns false if an element has no end tag.
  mutating func foundEnd() -> Bool {
    if let message = mapped?.missing, isComplete {
      fail(message)
      return false
    }
    if isComplete {
      mapped?.finish()
      return true
    }
    fail("unexpected end of the document")
    return false
  }

  mutating func beginElement(
    _ address: XMLNameAddress, _ name: Span<UInt8>, namespace: Span<UInt8>
  ) {
    guard !hasFailed else { return }
    if isMapped { return beginMappedElement(address, name, namespace) }
    if !namespace.isEmpty {
      return fail("\(excerpt(name)) is in a namespace; elements of records must not be")
    }
    if frames.count >= maxDepth {
      return fail("elements are nested deeper than \(maxDepth) levels")
    }
    guard let parent = frames.last else { return beginRoot(name) }
    switch parent.role {
    case .root: beginRecord(name)
    case .record: beginField(address.name, name, in: parent)
    case .value(let type): beginPart(name, of: type, in: parent)
    case .ignored: frames.append(Frame(role: .ignored))
    }
  }

  private mutating func beginRoot(_ name: Span<UInt8>) {
    guard name.isEqual(to: "records".utf8.span) else {
      return fail(
        "expected the element <records>, found \(excerpt(name))",
        hint: "to read XML of other programs, pass --map with a map; see datactl help maps")
    }
    frames.append(Frame(role: .root))
    isComplete = false
  }

  private mutating func beginRecord(_ name: Span<UInt8>) {
    recordCount += 1
    beginLine()
    output.append(UInt8(ascii: "{"))
    frames.append(Frame(role: .record, schema: schemas.isEmpty ? nil : 0))
    if let expected = schemas.first?.schema.name { check(name, expected) }
  }

  /// Reports a problem if the name of a record's element is not the name of the schema.
  private mutating func check(_ name: Span<UInt8>, _ expected: String) {
    if checksNames, !name.isEqual(to: expected.utf8.span) {
      report("expected the element <\(expected)>, found \(excerpt(name))")
    }
  }

  private mutating func beginField(_ address: UInt, _ name: Span<UInt8>, in record: Frame) {
    var field = Frame(role: .value(.scalar(.any)))
    if let schema = record.schema, let member = member(address, name, of: schema) {
      field.role = .value(member.type)
      field.slot = frames.count == 2 ? member.slot : nil
      switch member.type {
      case .reference, .references:
        field.schema = target(of: schemas[schema].schema.type(of: member.slot))
      case .scalar, .list, .geopoint, .file: break
      }
    } else {
      beginMember(name)
      if let parts = record.schema.flatMap({ inverse(name, of: $0) }) {
        field.role = .value(.references)
        field.schema = parts
      }
    }
    frames.append(field)
  }

  /// Returns the index in `schemas` of the schema of the records that an inverse lists, or nil if
  /// the schema has no inverse with this name.
  private mutating func inverse(_ name: Span<UInt8>, of schema: Int) -> Int? {
    let inverses = catalog.declaredInverses(of: schemas[schema].schema)
    return inverses.first { name.isEqual(to: $0.name.utf8.span) }.map { index(of: $0.source) }
  }

  /// Returns the index in `schemas` of the target schema of a relation, or nil if the target is not
  /// in the catalog.
  private mutating func target(of type: FieldType) -> Int? {
    type.relation.flatMap { catalog[$0.target] }.map { index(of: $0) }
  }

  /// Returns the index in `schemas` of a schema.
  private mutating func index(of schema: Schema) -> Int {
    if let index = schemas.firstIndex(where: { $0.schema.name == schema.name }) { return index }
    schemas.append(XMLSchema(schema))
    return schemas.count - 1
  }

  /// Handles the start tag of an element inside a field's element, such as `<item>` in a list.
  private mutating func beginPart(_ name: Span<UInt8>, of type: XMLType, in parent: Frame) {
    var part = Frame(role: .ignored)
    let isItem = name.isEqual(to: "item".utf8.span)
    let text = text
    check(isBlank: text.span)
    self.text.removeAll(keepingCapacity: true)
    if parent.isNull {
      report("an element with null=\"true\" must be empty")
    } else {
      switch type {
      case .list(let scalar):
        if beginItem(name, isItem) { part.role = .value(.scalar(scalar)) }
      case .references:
        if beginItem(name, isItem) {
          part.role = .value(.reference)
          part.schema = parent.schema
        }
      case .reference:
        guard parent.form == .none else {
          report("expected one element, but also found \(excerpt(name))")
          break
        }
        frames[frames.count - 1].form = .record
        output.append(UInt8(ascii: "{"))
        part.role = .record
        part.schema = parent.schema
        if let schema = parent.schema { check(name, schemas[schema].schema.name) }
      case .scalar(.json), .scalar(.any):
        if parent.form == .array || parent.form == .none && isItem {
          if beginItem(name, isItem) { part.role = .value(.scalar(.any)) }
        } else {
          beginObject()
          beginMember(name)
          part.role = .value(.scalar(.any))
        }
      case .scalar, .geopoint, .file: report("unexpected element \(excerpt(name))")
      }
    }
    frames.append(part)
  }

  /// Handles a start tag inside the element of an array. If it is `<item>`, begins an element of
  /// the JSON array. If it has another name, reports a problem and returns false.
  private mutating func beginItem(_ name: Span<UInt8>, _ isItem: Bool) -> Bool {
    let last = frames.count - 1
    guard isItem else {
      report("expected the element <item>, found \(excerpt(name))")
      return false
    }
    output.append(UInt8(ascii: frames[last].count == 0 ? "[" : ","))
    frames[last].form = .array
    frames[last].count += 1
    return true
  }

  mutating func foundAttribute(
    _ address: XMLNameAddress, _ name: Span<UInt8>, namespace: Span<UInt8>,
    _ value: Span<UInt8>
  ) {
    if isMapped {
      if !hasFailed { mapped?.add(address, name, namespace, value, line: line) }
      return
    }
    guard !hasFailed, let frame = frames.last else { return }
    let hasNamespace = !namespace.isEmpty
    switch frame.role {
    case .root:
      guard name.isEqual(to: "schema".utf8.span), !hasNamespace else {
        return fail("unknown attribute \(Excerpt.quoted(name)) of <records>")
      }
      if checksNames, let expected = schemas.first?.schema.name,
        !value.isEqual(to: expected.utf8.span)
      {
        fail("expected records of the schema \(expected), found \(Excerpt.quoted(value))")
      }
    case .record:
      if hasNamespace { return report("unknown attribute \(Excerpt.quoted(name))") }
      if let schema = frame.schema, let member = member(address.name, name, of: schema) {
        if case .scalar(let scalar) = member.type {
          append(value, as: scalar)
        } else {
          append(value, as: .text)
        }
      } else {
        beginMember(name)
        append(value, as: .any)
      }
    case .value(let type): foundAttribute(name, hasNamespace: hasNamespace, value, of: type)
    case .ignored: break
    }
  }

  /// Handles an attribute of a field's element. The attribute `null` marks the value as null. In
  /// types such as `file`, other attributes become members of a JSON object.
  private mutating func foundAttribute(
    _ name: Span<UInt8>, hasNamespace: Bool, _ value: Span<UInt8>, of type: XMLType
  ) {
    let last = frames.count - 1
    if name.isEqual(to: "null".utf8.span), !hasNamespace {
      frames[last].isNull = value.isEqual(to: "true".utf8.span)
      if !frames[last].isNull { report("expected null=\"true\", found \(Excerpt.quoted(value))") }
      return
    }
    var scalar = XMLType.Scalar.any
    switch type {
    case .geopoint: scalar = .number
    case .file:
      let isSize = name.isEqual(to: "size".utf8.span)
      scalar = isSize ? .number : .text
      if isSize, value.isEqual(to: "0".utf8.span) { frames[last].isEmptyFile = true }
    case .scalar(.json), .scalar(.any): break
    case .scalar, .list, .reference, .references:
      return report("unknown attribute \(Excerpt.quoted(name))")
    }
    if hasNamespace { return report("unknown attribute \(Excerpt.quoted(name))") }
    beginObject()
    beginMember(name)
    append(value, as: scalar)
  }

  mutating func foundText(_ bytes: Span<UInt8>) {
    if isMapped { return foundMappedText(bytes) }
    guard !hasFailed, let frame = frames.last else { return }
    switch frame.role {
    case .root:
      if !Self.isBlank(bytes) { fail("expected an element, found text \(excerpt(ofText: bytes))") }
    case .record:
      if !Self.isBlank(bytes) {
        report("expected an element, found text \(excerpt(ofText: bytes))")
      }
    case .value:
      text.append(copying: bytes)
      checkLength()
    case .ignored: break
    }
  }

  mutating func endElement() {
    if isMapped { return endMappedElement() }
    guard !hasFailed, let frame = frames.last else { return }
    switch frame.role {
    case .root: isComplete = true
    case .ignored: break
    case .record:
      output.append(UInt8(ascii: "}"))
      if frames.count == 2 { end = output.count }
    case .value(let type): endValue(type, frame)
    }
    frames.removeLast()
    text.removeAll(keepingCapacity: true)
    checkLength()
  }
}

/// Converting documents that a map describes.
extension XMLConverter {
  private mutating func beginMappedElement(
    _ address: XMLNameAddress, _ name: Span<UInt8>, _ namespace: Span<UInt8>
  ) {
    isComplete = false
    if mapped?.depth ?? 0 >= maxDepth {
      return fail("elements are nested deeper than \(maxDepth) levels")
    }
    mapped?.begin(address, name, namespace, line: line)
  }

  private mutating func foundMappedText(_ bytes: Span<UInt8>) {
    guard !hasFailed else { return }
    mapped?.add(bytes)
    checkMappedLength()
  }

  private mutating func endMappedElement() {
    guard !hasFailed else { return }
    mapped?.end(to: &output)
    end = output.count
    isComplete = mapped?.depth == 0
    checkMappedLength()
  }

  private mutating func checkMappedLength() {
    if mapped?.length ?? 0 > longestText {
      fail("a record exceeds \(longestText >> 20) MiB of text")
    }
  }
}

/// Writing the JSON of records.
extension XMLConverter {
  private mutating func beginLine() {
    while outputLine < line {
      output.append(0x0A)
      outputLine += 1
    }
  }

  /// Begins a member of a record whose schema is known: finds the field with the given name, writes
  /// the name as a JSON key, and returns the field. Returns nil if the schema has no such field.
  private mutating func member(
    _ address: UInt, _ name: Span<UInt8>, of schema: Int
  ) -> XMLSchema.Member? {
    let last = frames.count - 1
    guard let member = schemas[schema].member(address, name, after: &frames[last].previous) else {
      return nil
    }
    beginMember()
    // The names of fields and properties need no escapes.
    output.append(addingCapacity: name.count + 3) { output in
      output.append(UInt8(ascii: "\""))
      output.append(copying: name)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
    return member
  }

  private mutating func beginMember(_ name: Span<UInt8>) {
    beginMember()
    JSONQuote.append(name, to: &output)
    output.append(UInt8(ascii: ":"))
  }

  private mutating func beginMember() {
    beginLine()
    let last = frames.count - 1
    if frames[last].count > 0 { output.append(UInt8(ascii: ",")) }
    frames[last].count += 1
  }

  /// Begins an object for the current element, unless one has already begun.
  private mutating func beginObject() {
    guard frames[frames.count - 1].form == .none else { return }
    output.append(UInt8(ascii: "{"))
    frames[frames.count - 1].form = .object
  }

  private mutating func endValue(_ type: XMLType, _ frame: Frame) {
    if frame.isNull {
      if frame.form != .none || !text.isEmpty {
        report("an element with null=\"true\" must be empty")
      }
      if frame.form == .none { return output.append(contentsOf: "null".utf8) }
    }
    // Move the text to a local variable. A second reference would have to be retained.
    var text: [UInt8] = []
    swap(&text, &self.text)
    defer { swap(&text, &self.text) }
    switch (frame.form, type) {
    case (.none, .scalar(let scalar)):
      if let message = scalar.append(text.span, to: &output) { report(message) }
    case (.none, .reference): JSONQuote.append(text.span, to: &output)
    case (.none, .list), (.none, .references):
      check(isBlank: text.span)
      output.append(contentsOf: "[]".utf8)
    case (_, .file):
      beginObject()
      if frame.isEmptyFile || !Self.isBlank(text.span) {
        beginMember("data".utf8.span)
        JSONQuote.append(text.span, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    case (.none, .geopoint) where !Self.isBlank(text.span): appendPoint(text.span)
    case (_, .geopoint), (.object, _):
      check(isBlank: text.span)
      beginObject()
      output.append(UInt8(ascii: "}"))
    case (.array, _):
      check(isBlank: text.span)
      output.append(UInt8(ascii: "]"))
    case (.record, _): check(isBlank: text.span)
    }
  }

  /// Appends a geographic point that is written as text: as a JSON object, or as `LAT,LON`.
  private mutating func appendPoint(_ text: Span<UInt8>) {
    var range = 0..<text.count
    while text[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
    while text[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<range.upperBound - 1 }
    let point = text.extracting(range)
    if point[0] == UInt8(ascii: "{"), let json = try? JSONValue(parsing: point) {
      output.append(contentsOf: json.description.utf8)
    } else {
      JSONQuote.append(point, to: &output)
    }
  }

  private mutating func append(_ value: Span<UInt8>, as scalar: XMLType.Scalar) {
    if let message = scalar.append(value, to: &output) { report(message) }
  }

  static func isBlank(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] > 0x20 { return false }
    return true
  }

  /// Reports text in an element that may contain only elements.
  private mutating func check(isBlank text: Span<UInt8>) {
    if !Self.isBlank(text) { report("unexpected text \(excerpt(ofText: text))") }
  }

  /// Returns an excerpt of text, without the white space before it.
  private func excerpt(ofText text: Span<UInt8>) -> String {
    let start = text.indices.first { text[$0] > 0x20 } ?? 0
    return Excerpt.quoted(text.extracting(start..<text.count))
  }

  private mutating func checkLength() {
    if output.count - end + text.count > longestText {
      fail("a record exceeds \(longestText >> 20) MiB of text")
    }
  }
}
