import DataModel
import DataText
import DataXML
import TestSupport
import Testing

@Suite("Round trips of record trees through maps", .tags(.random))
struct NestedMapRoundTripTests {
  @Test(
    "returns random trees unchanged after writing and reading them with a random map",
    arguments: Seeds.count(check: 20, test: 200, all: 2_000))
  func randomTrees(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let catalog = try Catalog(checking: [
      schema(
        "person", Field("name", .text), Field("born", .datetime), Field("tags", .array(.text))),
      schema(
        "step", Field("text", .text), Field("weight", .number), Field("done", .boolean),
        Field("place", .geopoint), Field("who", .relation(Relation(to: "person")))),
      schema(
        "plan", Field("title", .text), Field("owner", .relation(Relation(to: "person"))),
        Field("steps", .relation(Relation(to: "step", isMany: true))),
        Field("team", .relation(Relation(to: "person", isMany: true)))),
    ])
    let plan = try catalog.schema("plan")
    let format = random.pick([DataMap.Format.json, .xml])
    var map = TreeMap(format: format, catalog: catalog)
    let fields = map.fields(of: plan, isKeyed: true, isEntry: false, &random)
    let records = format == .xml ? "/plans/plan" : random.pick(["plans", "a.plans{}", "[]"])
    let isNamed = records.hasSuffix("{}")
    let key = isNamed ? "{}key" : format == .xml ? "@id" : "id"
    let path = records == "[]" ? "" : "\"records\": \"\(records)\", "
    let text = """
      {"map": "random", "format": "\(format.rawValue)", "schema": "plan", \(path)"system": {},
        "fields": {"plan_id": "\(key)", \(fields)}}
      """
    let layout = try MapLayout(try DataMap(parsing: text), for: plan, in: catalog)
    var trees: [String] = []
    for number in 0..<random.number(0...3) {
      trees.append(map.tree(of: plan, id: "t\(number)", at: [], &random))
    }
    let document = try Self.write(trees, by: layout)
    let found = try Self.read(document, by: layout)
    #expect(found.problems == [], "\(text)")
    let expected = try trees.map { try JSONValue(parsing: Array($0.utf8).span).normalized(format) }
    #expect(found.records.count == expected.count, "\(text)")
    for (found, expected) in zip(found.records, expected) {
      let found = try JSONValue(parsing: found.span).normalized(format)
      #expect(found == expected, "\(text)\n\(String(decoding: document, as: UTF8.self))")
    }
  }

  private static func write(_ trees: [String], by layout: MapLayout) throws -> [UInt8] {
    let writer = MappedRecordWriter(layout)
    var document: [UInt8] = []
    var text = MappedTextWriter(writer, .document)
    var xml = MappedXMLWriter(writer)
    let isXML = layout.map.format == .xml
    if isXML { xml.begin(to: &document) } else { text.begin(to: &document) }
    for tree in trees {
      let output = try writer.output(Array(tree.utf8).span, id: "")
      if isXML {
        let problem = xml.write(output, to: &document)
        #expect(problem == nil)
      } else {
        text.write(output, to: &document)
      }
    }
    if isXML { xml.end(to: &document) } else { text.end(to: &document) }
    return document
  }

  /// Returns the records as JSON, each of which is on a line, and the problems.
  private static func read(
    _ document: [UInt8], by layout: MapLayout
  ) throws -> (records: [[UInt8]], problems: [String]) {
    let locations = MapLocations(layout, file: "in")
    let bytes = BytesInMemory(document, pieceSize: 1_000)
    if layout.map.format == .xml {
      return try read(try XMLRecordSource(bytes, by: layout, locations))
    }
    return try read(MappedTextSource(bytes, by: layout, locations))
  }

  private static func read(
    _ source: some ByteSource
  ) throws -> (records: [[UInt8]], problems: [String]) {
    var source = source
    var text: [UInt8] = []
    var problems: [String] = []
    var count = 1
    while count > 0 {
      count = try source.read(into: &text, atMost: 1_000)
      let findings = source.takeFindings()
      problems += findings.problems.values.joined().map(\.message)
      problems += [findings.failure].compactMap(\.self).map(\.message)
    }
    let lines = text.split(separator: 0x0A).map { line in Array(line.drop { $0 == 0x20 }) }
    return (lines.filter { !$0.isEmpty }, problems)
  }
}

/// A random map of records inside records, and random trees for it.
private struct TreeMap {
  let format: DataMap.Format
  let catalog: Catalog
  /// The relations whose records have a place for their ids, and those whose records are entries of
  /// an object, by path.
  private var keyed: Set<[String]> = []
  private var entries: Set<[String]> = []

  init(format: DataMap.Format, catalog: Catalog) {
    self.format = format
    self.catalog = catalog
  }

  /// Returns the text of the fields of a schema, without its key.
  mutating func fields(
    of schema: Schema, at path: [String] = [], isKeyed: Bool, isEntry: Bool,
    _ random: inout SeededRandom
  ) -> String {
    var parts: [String] = []
    if !path.isEmpty, isKeyed {
      parts.append("\"$key\": \"\(isEntry ? "{}key" : format == .xml ? "@id" : "id")\"")
    }
    for (index, field) in schema.fields.enumerated() where field.type != .id {
      let name = "f\(index)"
      let place =
        format == .xml
        ? random.pick([name, "g/\(name)", "g/{urn:a}\(name)"]) : random.pick([name, "g.\(name)"])
      if let relation = field.type.relation, let target = catalog[relation.target] {
        let inner = path + [field.name]
        let areEntries = format == .json && relation.isMany && random.chance(40)
        let hasKey = areEntries || random.chance(50)
        if hasKey { keyed.insert(inner) }
        if areEntries { entries.insert(inner) }
        let list = relation.isMany ? (areEntries ? "{}" : random.pick(["[]", listed])) : ""
        let nested = fields(
          of: target, at: inner, isKeyed: hasKey, isEntry: areEntries, &random)
        parts.append("\"\(field.name)\": {\"at\": \"\(place)\(list)\", \"fields\": {\(nested)}}")
        continue
      }
      switch field.type {
      case .array: parts.append("\"\(field.name)\": \"\(place)\(random.pick(["[]", listed]))\"")
      case .datetime:
        let form = random.pick(["iso8601", "milliseconds"])
        parts.append("\"\(field.name)\": {\"at\": \"\(place)\", \"as\": \"\(form)\"}")
      case .geopoint:
        let form = random.pick(["\"lat,lon\"", "[\"lat\", \"lon\"]"])
        parts.append("\"\(field.name)\": {\"at\": \"\(place)\", \"as\": \(form)}")
      default:
        let isText = format == .xml && field.type == .text && !path.isEmpty && random.chance(30)
        let attribute = random.chance(30) && format == .xml ? "@\(name)" : place
        parts.append("\"\(field.name)\": \"\(isText ? "text()" : attribute)\"")
      }
    }
    return parts.joined(separator: ", ")
  }

  private var listed: String { format == .xml ? "[]/e" : "[].e" }

  /// Returns a random record as JSON. Its first text is never blank, because XML cannot contain
  /// blank text in an element with attributes.
  mutating func tree(
    of schema: Schema, id: String, at path: [String], _ random: inout SeededRandom
  ) -> String {
    var members = ["\"\(schema.key.name)\":\"\(id)\""]
    for field in schema.fields where field.type != .id {
      let value: String
      switch field.type {
      case .relation(let relation):
        let inner = path + [field.name]
        guard let target = catalog[relation.target] else { continue }
        let count = relation.isMany ? random.number(0...3) : random.chance(70) ? 1 : 0
        var records: [String] = []
        for number in 0..<count {
          let own =
            keyed.contains(inner)
            ? "k\(random.number(0...999_999))" : "\(id).\(field.name).\(number)"
          records.append(tree(of: target, id: own, at: inner, &random))
        }
        value = relation.isMany ? "[\(records.joined(separator: ","))]" : records.first ?? "null"
      case .text:
        value = random.pick(["\"x\"", "\" é<&>\\\"\\n]]> \"", "\"007\"", "\"true\"", "\"a\\tb\""])
      case .array:
        value = random.pick(["[]", "[\"\"]", "[\"x\"]", "[\"x\",\" y \",\"1\"]"])
      case .datetime: value = random.pick(["null", "\"2026-11-22T01:02:03.000Z\""])
      case .geopoint: value = random.pick(["null", "{\"lat\":47.37,\"lon\":-8.5}"])
      case .number: value = random.pick(["null", "1.5", "-3"])
      case .boolean: value = random.pick(["null", "true", "false"])
      default: value = "null"
      }
      members.append("\"\(field.name)\":\(value)")
    }
    return "{\(members.joined(separator: ","))}"
  }
}

extension JSONValue {
  /// The value with sorted members. XML has no nulls and no empty lists, so they are removed.
  fileprivate func normalized(_ format: DataMap.Format) -> JSONValue {
    switch self {
    case .object(let members):
      let kept = members.map { ($0.name, $0.value.normalized(format)) }.filter { _, value in
        format != .xml || value != .null && value != .array([])
      }
      return .object(
        kept.sorted { $0.0 < $1.0 }.map { JSONValue.Member($0.0, $0.1) })
    case .array(let elements): return .array(elements.map { $0.normalized(format) })
    case .null, .boolean, .number, .text: return self
    }
  }
}
