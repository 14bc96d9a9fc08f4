internal import CXML
internal import DataModel

/// A libxml2 SAX parser that passes the tags and texts of a document to an `XMLConverter`.
///
/// The document is passed to the parser in pieces. libxml2's pull reader (`xmlTextReader`) would
/// take 2.5 times as long, because it creates a node for each element.
@safe
struct XMLParser: ~Copyable {
  /// The state that the callbacks of libxml2 read and change.
  @safe
  fileprivate struct Context {
    var converter: XMLConverter
    let library: LibXML
    var parser: datactl_xml_parser_ref?
  }

  /// The address of the state that the callbacks read and change. libxml2 passes this address to
  /// each callback.
  private let context: UnsafeMutablePointer<Context>

  /// Creates a parser (`xmlCreatePushParserCtxt`) that opens no files and no connections.
  init(_ library: LibXML, _ converter: consuming XMLConverter) throws(DataError) {
    unsafe context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    unsafe context.initialize(to: Context(converter: converter, library: library))
    var handler = unsafe datactl_xml_handler()
    unsafe handler.initialized = UInt32(truncatingIfNeeded: datactl_xml_sax2)
    unsafe handler.internal_subset = foundDocumentType
    unsafe handler.characters = foundText
    // With the same function for both handlers, libxml2 does not check whether text is white space.
    unsafe handler.ignorable_whitespace = foundText
    unsafe handler.cdata = foundText
    unsafe handler.start_element = foundStart
    unsafe handler.end_element = foundEnd
    unsafe handler.report = foundError
    let parser = unsafe library.create(&handler, context, nil, 0, nil)
    unsafe context.pointee.parser = parser
    guard let parser = unsafe parser else {
      throw DataError(.failed, "not enough memory to read XML")
    }
    _ = unsafe library.useOptions(parser, Int32(datactl_xml_options))
  }

  deinit {
    if let parser = unsafe context.pointee.parser {
      unsafe context.pointee.library.free(parser)
    }
    unsafe context.deinitialize(count: 1)
    unsafe context.deallocate()
  }

  /// The converter. It must not be used while `parse` is running.
  var converter: XMLConverter {
    _read { yield unsafe context.pointee.converter }
    nonmutating _modify { yield unsafe &context.pointee.converter }
  }

  /// Parses the next bytes of the document.
  func parse(_ bytes: Span<UInt8>) {
    parse(bytes, isLast: false)
  }

  /// Parses the bytes that libxml2 has buffered, and ends the document.
  func finish() {
    let bytes: [UInt8] = []
    if converter.foundEnd() { parse(bytes.span, isLast: true) }
  }

  /// Parses bytes (`xmlParseChunk`). An error is passed to the converter.
  private func parse(_ bytes: Span<UInt8>, isLast: Bool) {
    guard let parser = unsafe context.pointee.parser, !converter.hasFailed else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe context.pointee.library.parse(
        parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count),
        isLast ? 1 : 0)
    }
  }
}

extension XMLParser.Context {
  /// Sets the line number of the converter, and calls `body` with the converter. If the converter
  /// fails, stops the parser.
  @inline(__always)
  fileprivate static func call(
    _ address: UnsafeMutableRawPointer?, _ body: (inout XMLConverter) -> Void
  ) {
    guard let context = unsafe address?.assumingMemoryBound(to: Self.self) else { return }
    unsafe context.pointee.converter.line = Int(
      context.pointee.library.line(UnsafeMutableRawPointer(context.pointee.parser)))
    unsafe context.pointee.converter.partCount &+= 1
    unsafe body(&context.pointee.converter)
    if unsafe context.pointee.converter.hasFailed, let parser = unsafe context.pointee.parser {
      unsafe context.pointee.library.stop(parser)
    }
  }
}

private let foundDocumentType: datactl_xml_doctype = { context, _, _, _ in
  unsafe XMLParser.Context.call(context) { $0.foundDocumentType() }
}

private let foundText: datactl_xml_text = { context, text, count in
  guard let text = unsafe text else { return }
  unsafe XMLParser.Context.call(context) { converter in
    unsafe converter.foundText(UnsafeBufferPointer(start: text, count: Int(count)).span)
  }
}

private let foundStart: datactl_xml_start = {
  context, name, prefix, uri, _, namespaces, count, _, attributes in
  guard let name = unsafe name else { return }
  unsafe XMLParser.Context.call(context) { converter in
    unsafe converter.beginElement(
      address(name, uri), bytes(name).span, namespace: bytes(uri).span)
    guard count > 0, let attributes = unsafe attributes else { return }
    for index in 0..<Int(count) {
      let attribute = unsafe attributes + index * 5
      guard let name = unsafe attribute[0], let start = unsafe attribute[3],
        let end = unsafe attribute[4]
      else { continue }
      unsafe converter.foundAttribute(
        address(name, attribute[2]), bytes(name).span, namespace: bytes(attribute[2]).span,
        UnsafeBufferPointer(start: start, count: end - start).span)
    }
  }
}

private let foundEnd: datactl_xml_end = { context, _, _, _ in
  unsafe XMLParser.Context.call(context) { $0.endElement() }
}

private let foundError: datactl_xml_report = { context, error in
  guard let error = unsafe error?.pointee, unsafe error.level >= datactl_xml_level_error else {
    return
  }
  let message = unsafe error.message.map { unsafe String(cString: $0) }
  unsafe XMLParser.Context.call(context) { converter in
    converter.foundError(message ?? "")
  }
}

/// Returns the bytes of a C string before its terminating NUL, or no bytes for a null pointer.
private func bytes(_ text: UnsafePointer<UInt8>?) -> UnsafeBufferPointer<UInt8> {
  guard let text = unsafe text else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
  var count = 0
  while unsafe text[count] != 0 { count &+= 1 }
  return unsafe UnsafeBufferPointer(start: text, count: count)
}

private func address(
  _ name: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?
) -> XMLNameAddress {
  XMLNameAddress(name: UInt(bitPattern: name), namespace: UInt(bitPattern: namespace))
}
