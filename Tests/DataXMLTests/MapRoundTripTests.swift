import DataModel
import DataXML
import Maps
import RecordText
import TestSupport
import Testing

@Suite("Round trips through maps", .tags(.random))
struct MapRoundTripTests {
  @Test(
    "round-trips random records through a random map without changing them",
    arguments: Seeds.count(check: 20, test: 200, all: 2_000))
  func randomMaps(seed: Int) throws {
    let data = try SampleData(seed: UInt64(seed))
    var random = SeededRandom(seed: UInt64(seed))
    for schema in data.catalog.schemas where !schema.isBuiltIn {
      let text = Self.map(for: schema, &random)
      let layout = try MapLayout(try DataMap(parsing: text), for: schema, in: data.catalog)
      try Self.check(layout, data.records[schema.name]?.values.map(\.self) ?? [], schema, text)
    }
  }

  @Test(
    "round-trips random records through each built-in map without changing them",
    arguments: Seeds.count(check: 5, test: 20, all: 200))
  func builtInMaps(seed: Int) throws {
    let data = try SampleData(seed: UInt64(seed))
    for schema in data.catalog.schemas where !schema.isBuiltIn {
      for map in DataMap.builtIn {
        let places = schema.fields.count { $0.type == .geopoint }
        if map.name == "geojson", places > 1 { continue }
        let layout = try MapLayout(map, for: schema, in: data.catalog)
        let rows = data.records[schema.name]?.values.map(\.self) ?? []
        try Self.check(layout, rows, schema, map.name)
      }
    }
  }

  /// Writes records and reads them again. A record that the map cannot represent is not compared.
  private static func check(
    _ layout: MapLayout, _ records: [Rows], _ schema: Schema, _ map: String
  ) throws {
    let slots = schema.fields.indices.filter { schema.type(of: $0) != .password }
    var json = RecordWriter(schema, slots: slots, format: .ndjson)
    let writer = MappedRecordWriter(layout)
    var document = [UInt8]()
    var expected: [String] = []
    var text = MappedTextWriter(writer, .document)
    var xml = MappedXMLWriter(writer)
    let isXML = layout.map.format == .xml
    if isXML { xml.begin(to: &document) } else { text.begin(to: &document) }
    for rows in records {
      var line: [UInt8] = []
      _ = json.write(rows, 0, to: &line)
      let output: MappedRecordWriter.Output
      do throws(Problem) {
        output = try writer.output(line.span, id: "")
      } catch {
        continue
      }
      if isXML {
        guard xml.write(output, to: &document) == nil else { continue }
      } else {
        text.write(output, to: &document)
      }
      expected.append(String(decoding: line.dropLast(), as: UTF8.self))
    }
    if isXML { xml.end(to: &document) } else { text.end(to: &document) }
    let locations = MapLocations(layout, file: "in")
    let bytes = BytesInMemory(document, pieceSize: 1_000)
    let found =
      if isXML {
        try Self.read(try XMLRecordSource(bytes, by: layout, locations), schema, slots)
      } else {
        try Self.read(MappedTextSource(bytes, by: layout, locations), schema, slots)
      }
    #expect(found.problems == [], "\(map)")
    // XML has no empty lists. They are not written, unless a missing list is read as null.
    let omitsLists = isXML && !map.contains(#""missing": "null""#)
    var normalized = omitsLists ? expected.map { $0.replacing("[]", with: "null") } : expected
    // The times of Backendless are whole milliseconds.
    if map == "backendless" {
      normalized = normalized.map { line in
        line.replacing(/(":"[0-9T:-]+\.[0-9]{3})[0-9]{3}Z"/) { "\($0.1)Z\"" }
      }
    }
    let foundRecords =
      omitsLists ? found.records.map { $0.replacing("[]", with: "null") } : found.records
    #expect(foundRecords.count == normalized.count, "\(map)")
    for (found, expected) in zip(foundRecords, normalized) where found != expected {
      Issue.record("found \(found), expected \(expected), by \(map)")
    }
  }

  private static func read(
    _ source: some ByteSource, _ schema: Schema, _ slots: [Int]
  ) throws -> (records: [String], problems: [String]) {
    var reader = RecordReader(source, for: schema, TextForm(.xml), file: "in")
    var writer = RecordWriter(schema, slots: slots, format: .ndjson)
    var changes = RowChanges(for: schema)
    var (records, problems) = ([String](), [String]())
    while let chunk = try reader.next(reusing: changes) {
      for row in 0..<chunk.count {
        var line: [UInt8] = []
        _ = writer.write(chunk.rows, row, to: &line)
        records.append(String(decoding: line.dropLast(), as: UTF8.self))
      }
      problems += reader.rejected.flatMap(\.problems).map(\.description)
      changes = chunk
    }
    return (records, problems)
  }

  /// Returns the text of a random map for a schema.
  private static func map(for schema: Schema, _ random: inout SeededRandom) -> String {
    let format = random.pick(["json", "json", "xml", "csv"])
    var keys = [#""map": "random", "format": "\#(format)", "system": {}"#]
    let rule = random.pick(["same", "camel", "pascal", "first_upper", "first_lower", "upper"])
    var container = ""
    switch format {
    case "xml":
      keys.append(#""records": "/{urn:a}list/items/item""#)
      keys.append(#""namespaces": {"p": "urn:p", "n1": "urn:a", "unused": "urn:u"}"#)
      if random.chance(50) { container = random.pick(["data", "{urn:b}data/inner"]) }
    case "json":
      if random.chance(50) { keys.append(#""records": "\#(random.pick(["Result", "a.b[]"]))""#) }
      if random.chance(50) { container = random.pick(["data", "a.b"]) }
    default: if random.chance(50) { keys.append(#""separator": ";""#) }
    }
    keys.append(
      container.isEmpty
        ? #""names": "\#(rule)""# : #""names": {"rule": "\#(rule)", "in": "\#(container)"}"#)
    if random.chance(30) { keys.append(#""missing": "null""#) }
    if random.chance(30), format == "json" {
      // A null that is left out can be read as null.
      keys.append(#""nulls": "omit", "missing": "null""#)
      keys.removeAll { $0 == #""missing": "null""# }
    }
    var fields: [String] = []
    for (index, field) in schema.fields.enumerated()
    where random.chance(60) || field.type == .json && format == "xml" {
      let forms: [String]
      switch field.type {
      case .datetime, .array(.datetime):
        forms = [
          "iso8601", "milliseconds", "seconds", "rfc2822", "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
        ]
      case .geopoint:
        forms = ["lat,lon", "lon,lat"] + (format == "json" ? ["[lon,lat]", "geojson"] : [])
        if random.chance(30) {
          let second = format == "xml" && random.chance(50) ? "@h\(index)" : "h\(index)"
          fields.append(
            #""\#(field.name)": {"at": ["f\#(index)", "\#(second)"], "as": "\#(forms[0])"}"#)
          continue
        }
        if format != "csv", random.chance(30) {
          fields.append(#""\#(field.name)": {"at": "f\#(index)", "as": ["a", "b"]}"#)
          continue
        }
      case .json: forms = ["json_text"]
      case .integer, .number, .boolean, .text: forms = ["lenient"]
      default: forms = []
      }
      var path = "f\(index)"
      if format == "xml", field.type.isList, !forms.contains("json_text") {
        path = random.pick(["f\(index)[]", "f\(index)/g[]"])
      } else if format != "csv", random.chance(30) {
        path = format == "xml" ? "f\(index)/g" : "f\(index).g"
      } else if format == "xml", random.chance(30), field.type != .json || !forms.isEmpty {
        path = "@f\(index)"
      }
      if format == "xml", random.chance(30) {
        path = random.pick(["p:c[@k='\(index)']/\(path)", "g[@p:k='\(index)']/\(path)"])
      } else if format == "xml", path == "f\(index)", random.chance(30) {
        path = "l[@k='\(index)']"
      }
      if field.type == .json, format == "xml" {
        fields.append(#""\#(field.name)": {"at": "\#(path)", "as": "json_text"}"#)
      } else if forms.isEmpty || random.chance(30) {
        fields.append(#""\#(field.name)": "\#(path)""#)
      } else {
        fields.append(
          #""\#(field.name)": {"at": "\#(path)", "as": "\#(random.pick(forms))"}"#)
      }
    }
    keys.append("\"fields\": {\(fields.joined(separator: ", "))}")
    return "{\(keys.joined(separator: ",\n"))}"
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
