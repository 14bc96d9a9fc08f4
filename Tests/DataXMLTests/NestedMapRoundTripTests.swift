import DataModel
import DataXML
import JSONText
import Maps
import RecordText
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
    #expect(found.records.count == trees.count, "\(text)")
    for (found, tree) in zip(found.records, trees) {
      let expected = try JSONValue(parsing: Array(tree.utf8).span)
      let found = try JSONValue(parsing: found.span)
      #expect(
        expected.isKept(by: found, format),
        "\(found)\n\(expected)\n\(text)\n\(String(decoding: document, as: UTF8.self))")
    }
  }

  @Test("rejects a record with an empty list that would be read back as null")
  func emptyLists() throws {
    let catalog = try Catalog(checking: [
      schema("step", Field("tags", .array(.text)), Field("sizes", .array(.integer))),
      schema(
        "plan", Field("tags", .array(.text)), Field("extra", .json),
        Field("steps", .relation(Relation(to: "step", isMany: true)))),
    ])
    let steps = "\"steps\": {\"at\": \"s[]\", \"fields\": {\"tags\": \"tag[]\"}}"
    for (keys, fields, tree, field) in [
      ("", steps, #"{"plan_id":"a","steps":[{"step_id":"a.steps.0","tags":[]}]}"#, "steps"),
      (#""missing": "null", "#, #""tags": "tag[]""#, #"{"plan_id":"a","tags":[]}"#, "tags"),
      (#""missing": "null", "#, #""extra": "x[]""#, #"{"plan_id":"a","extra":[]}"#, "extra"),
      (#""missing": "null", "#, #""steps": "s[]""#, #"{"plan_id":"a","steps":[]}"#, nil),
      ("", #""tags": "tag[]""#, #"{"plan_id":"a","tags":[]}"#, nil),
    ] as [(String, String, String, String?)] {
      let text = """
        {"map": "m", "format": "xml", "records": "/r/i", "system": {}, \(keys)
          "fields": {"plan_id": "@id", \(fields)}}
        """
      let layout = try MapLayout(
        try DataMap(parsing: text), for: try catalog.schema("plan"), in: catalog)
      var problem: Problem?
      do throws(Problem) {
        _ = try MappedRecordWriter(layout).output(Array(tree.utf8).span, id: "a")
      } catch {
        problem = error
      }
      #expect(
        problem?.message
          == field.map { _ in
            """
            XML cannot contain an empty list, and the map reads a missing list as null, in the \
            record "a"
            """
          }, "\(fields)")
      #expect(problem?.field == field.map { $0 == "steps" ? "tags" : $0 }, "\(fields)")
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
      case .geopoint where random.chance(30):
        parts.append(
          "\"\(field.name)\": {\"at\": [\"\(place)a\", \"\(place)b\"], \"as\": \"lon,lat\"}")
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
        // XML cannot contain an empty list if the id of the record is derived from its position.
        let isPositional = format == .xml && !path.isEmpty && !keyed.contains(path)
        value = random.pick([
          isPositional ? "null" : "[]", "[\"\"]", "[\"x\"]", "[\"x\",\" y \",\"1\"]",
        ])
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
  /// Returns whether a record with this value keeps it when the value that was read from a document
  /// is saved. XML has no nulls and no empty lists, so members with these values may be missing.
  fileprivate func isKept(by found: JSONValue, _ format: DataMap.Format) -> Bool {
    switch (self, found) {
    case (.object(let members), .object(let foundMembers)):
      foundMembers.allSatisfy { self[$0.name] != nil }
        && members.allSatisfy { member in
          found[member.name].map { member.value.isKept(by: $0, format) }
            ?? (format == .xml && (member.value == .null || member.value == .array([])))
        }
    case (.array(let elements), .array(let foundElements)):
      elements.count == foundElements.count
        && zip(elements, foundElements).allSatisfy { $0.isKept(by: $1, format) }
    case (.object, _), (.array, _): false
    case (.null, _), (.boolean, _), (.number, _), (.text, _): self == found
    }
  }
}
