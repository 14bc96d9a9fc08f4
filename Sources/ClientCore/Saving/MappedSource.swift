package import DataModel
package import DataText
package import DataXML

/// A source of the records that a map finds in a document.
package enum MappedSource<Source: ByteSource>: ByteSource {
  /// The records in JSON or CSV.
  case text(MappedTextSource<Source>)
  /// The records in XML.
  case xml(XMLRecordSource<Source>)

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - source: The source of the document.
  ///   - layout: The map, checked against the schemas.
  ///   - locations: Receives the locations of the records.
  ///   - form: The known properties of the document's text, such as its encoding.
  ///   - formerEncoding: The original encoding of the document if it was converted to UTF-8, or
  ///     nil.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, by layout: MapLayout, _ locations: MapLocations,
    _ form: TextForm = TextForm(),
    _ formerEncoding: TextEncoding? = nil, longestText: Int = 96 << 20
  ) throws(DataError) {
    switch layout.map.format {
    case .json, .csv:
      self = .text(
        MappedTextSource(source, by: layout, locations, form, longestText: longestText))
    case .xml:
      self = .xml(
        try XMLRecordSource(
          source, by: layout, locations, formerEncoding: formerEncoding, longestText: longestText))
    }
  }

  package mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int
  {
    switch self {
    case .text(var source):
      defer { self = .text(source) }
      return try source.read(into: &buffer, atMost: count)
    case .xml(var source):
      defer { self = .xml(source) }
      return try source.read(into: &buffer, atMost: count)
    }
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    switch self {
    case .text(let source): try source.hasBytes(within: seconds)
    case .xml(let source): try source.hasBytes(within: seconds)
    }
  }

  package mutating func takeFindings() -> SourceFindings {
    switch self {
    case .text(var source):
      defer { self = .text(source) }
      return source.takeFindings()
    case .xml(var source):
      defer { self = .xml(source) }
      return source.takeFindings()
    }
  }

  package var convertedCount: Int? {
    switch self {
    case .text(let source): source.convertedCount
    case .xml(let source): source.convertedCount
    }
  }
}

extension DataMap {
  /// The format whose rules apply when the converted records are read. For XML and CSV, it is
  /// `xml`, because in both formats all values are text.
  package var convertedFormat: RecordFormat {
    switch format {
    case .json: .ndjson
    case .xml, .csv: .xml
    }
  }
}
