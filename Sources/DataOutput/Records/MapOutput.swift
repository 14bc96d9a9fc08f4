package import DataModel
import DataXML
package import Maps
import RecordText

/// The output settings for printing records with a map.
package struct MapOutput: Sendable {
  package let layout: MapLayout
  private let arrangement: MappedTextWriter.Arrangement

  /// Creates the settings for a map, and checks that it can be used with the schema and the format.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - schema: The schema of the records.
  ///   - catalog: The schemas of related records.
  ///   - format: The format that the user selected, or nil.
  ///   - cardinality: Whether a JSON document contains a list of records or a single record.
  /// - Throws: An error if the map cannot be used with the schema or the format.
  package init(
    _ map: DataMap, of schema: Schema, in catalog: Catalog, format: OutputFormat?,
    cardinality: RecordPrinter.Cardinality
  ) throws(DataError) {
    layout = try MapLayout(map, for: schema, in: catalog)
    if map.format == .xml, layout.recordNames.count == 1, cardinality == .several {
      throw DataError(
        Problem(
          .invalidConfiguration,
          """
          the map writes each record as the root element /\(layout.recordNames[0]), but an XML \
          document has only one root element
          """,
          hint: """
            in the map, change "records" to a path with an enclosing element, or print one record \
            with get
            """,
          schema: schema.name, file: map.file))
    }
    let document: MappedTextWriter.Arrangement =
      switch cardinality {
      case .one: map.alwaysHasList ? .document : .single
      case .several: .document
      }
    switch (map.format, format) {
    case (.json, nil): arrangement = map.hasPath ? document : .lines
    case (.json, .json): arrangement = document
    case (.json, .ndjson): arrangement = .lines
    case (.xml, nil), (.xml, .xml), (.csv, nil), (.csv, .csv), (_, OutputFormat.none?):
      arrangement = .document
    case (.json, _), (.xml, _), (.csv, _):
      throw DataError(
        .usage,
        "--map \(map.name) writes \(map.format.rawValue): -o \(format?.rawValue ?? "") is not supported"
      )
    }
  }

  fileprivate func document() -> MappedDocument {
    let writer = MappedRecordWriter(layout)
    return switch layout.map.format {
    case .xml: .xml(MappedXMLWriter(writer))
    case .json, .csv: .text(MappedTextWriter(writer, arrangement))
    }
  }
}

/// The writer for the document format that the map specifies.
private enum MappedDocument: Sendable {
  case text(MappedTextWriter)
  case xml(MappedXMLWriter)
}

/// Writes records in the document format that a map specifies.
struct MappedPrinter: Sendable {
  private let schema: Schema
  private let writer: MappedRecordWriter
  /// The writer that converts each record to JSON. The map is then applied to this JSON.
  private var records: RecordWriter
  private var document: MappedDocument

  init(_ output: MapOutput, _ columns: [RecordWriter.Column], of schema: Schema) {
    self.schema = schema
    writer = MappedRecordWriter(output.layout)
    records = RecordWriter(columns, format: .ndjson)
    document = output.document()
  }

  mutating func expand(_ slot: Int, into related: ExpandedRecords) {
    records.expand(slot, into: related)
  }

  func begin(to output: inout [UInt8]) {
    switch document {
    case .text(let text): text.begin(to: &output)
    case .xml(var xml): xml.begin(to: &output)
    }
  }

  /// Appends a record. If a value is invalid, or if the map cannot represent it, appends nothing
  /// and returns the problem.
  mutating func write(_ rows: Rows, _ row: Int, to output: inout [UInt8]) -> Problem? {
    let id = rows.text(rows[row, schema.keySlot])
    var json: [UInt8] = []
    if let slot = records.writeObject(rows, row, to: &json) {
      return .invalidStoredValue(of: schema.name(of: slot), id: id, schema: schema.name)
    }
    let record: MappedRecordWriter.Output
    do throws(Problem) {
      record = try writer.output(json.span, id: id)
    } catch {
      return error
    }
    switch document {
    case .text(var text):
      text.write(record, to: &output)
      document = .text(text)
    case .xml(var xml):
      let reason = xml.write(record, to: &output)
      document = .xml(xml)
      if let reason { return Problem(.invalid, reason, schema: schema.name, id: id) }
    }
    return nil
  }

  func end(to output: inout [UInt8]) {
    switch document {
    case .text(let text): text.end(to: &output)
    case .xml(let xml): xml.end(to: &output)
    }
  }

  mutating func takeInsertions() -> [RecordWriter.Insertion] {
    switch document {
    case .text(var text):
      defer { document = .text(text) }
      return text.takeInsertions()
    case .xml(var xml):
      defer { document = .xml(xml) }
      return xml.takeInsertions()
    }
  }
}
