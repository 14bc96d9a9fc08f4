package import DataModel
import DataXML
package import Maps
package import RecordText

/// A source of the records that a map finds in a document. The document is in JSON, CSV or XML.
package struct MappedSource<Source: ByteSource>: ByteSource {
  // These are two optional properties instead of an enumeration: to change an associated value of a
  // case, generic code would have to copy the buffers of the source.
  /// The records in JSON or CSV, or nil if the document is XML.
  private var text: MappedTextSource<Source>?
  /// The records in XML, or nil if the document is JSON or CSV.
  private var xml: XMLRecordSource<Source>?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - source: The source of the document.
  ///   - layout: The map, checked against the schemas.
  ///   - locations: Receives the locations of the records.
  ///   - form: What is known about the document's text, such as its encoding.
  ///   - formerEncoding: The encoding from which the document was converted to UTF-8, or nil if it
  ///     was not converted.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, by layout: MapLayout, _ locations: MapLocations,
    _ form: TextForm = TextForm(),
    _ formerEncoding: TextEncoding? = nil, longestText: Int = InputLimitError.longestRecord
  ) throws(DataError) {
    switch layout.map.format {
    case .json, .csv:
      text = MappedTextSource(source, by: layout, locations, form, longestText: longestText)
    case .xml:
      xml = try XMLRecordSource(
        source, by: layout, locations, formerEncoding: formerEncoding, longestText: longestText)
    }
  }

  package mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int
  {
    if let count = try text?.read(into: &buffer, atMost: count) { return count }
    return try xml?.read(into: &buffer, atMost: count) ?? 0
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if let text { return try text.hasBytes(within: seconds) }
    return try xml?.hasBytes(within: seconds) ?? true
  }

  package mutating func takeFindings() -> SourceFindings {
    text?.takeFindings() ?? xml?.takeFindings() ?? SourceFindings()
  }

  package var convertedCount: Int? { text?.convertedCount ?? xml?.convertedCount }
}

extension DataMap {
  /// The format whose rules apply to the values of the converted records.
  ///
  /// All records are converted to NDJSON. Records from an XML or CSV document contain only text, so
  /// their values are parsed by the rules for XML.
  package var convertedFormat: RecordFormat {
    switch format {
    case .json: .ndjson
    case .xml, .csv: .xml
    }
  }
}
