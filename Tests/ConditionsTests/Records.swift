import Conditions
import DataModel
import RecordText
import TestSupport
import Testing

/// Records of some schemas in memory, parsed from JSON.
struct Records {
  let catalog: Catalog
  private var rows: [String: [[UInt8]: Rows]] = [:]

  init(_ catalog: Catalog) {
    self.catalog = catalog
  }

  /// Adds the records of a schema, one per line.
  mutating func add(_ name: String, _ text: String, user: String? = nil) throws {
    let schema = try catalog.schema(name)
    var reader = RecordReader(BytesInMemory(Array(text.utf8)), for: schema, file: "records")
    var changes = try #require(try reader.next(reusing: RowChanges(for: schema)))
    #expect(reader.rejected.flatMap(\.problems) == [])
    for row in 0..<changes.count {
      let outcome = changes.resolve(
        row, over: nil, by: SavePolicy(), stamp: Stamp(time: Shop.now, user: user))
      #expect(outcome == .created)
      var record = Rows(width: schema.width)
      record.addRow()
      for slot in 0..<schema.width {
        let value = changes.rows.value(changes.rows[row, slot], of: schema.type(of: slot))
        record[0, slot] = record.cell(for: value)
      }
      let id = changes.rows.text(changes.rows[row, schema.keySlot])
      rows[name, default: [:]][Array(id.utf8)] = record
    }
  }

  /// Returns the sorted ids of the records that match a condition.
  func ids(_ name: String, where condition: Condition) throws -> [String] {
    let schema = try catalog.schema(name)
    let matcher = try ConditionMatcher(condition, of: schema, in: catalog)
    let related = RelatedRecords(catalog, rows)
    return try (rows[name] ?? [:])
      .filter { try matcher.matches($0.value, 0, related) }
      .map { String(decoding: $0.key, as: UTF8.self) }.sorted()
  }

  /// Returns the ids of the records that match a condition given as text, separated by spaces.
  func ids(_ name: String, where text: String) throws -> String {
    var reader = ConditionReader(catalog, now: Shop.now)
    let condition = try reader.read(text, of: try catalog.schema(name))
    return try ids(name, where: condition).joined(separator: " ")
  }
}

extension Records {
  /// The todos a to h, which together use every field. In h all fields are empty.
  static func todos() throws -> Records {
    var records = Records(try Shop().catalog)
    try records.add(
      "user",
      """
      {"username":"ann","full_name":"Ann","home":{"lat":47.37,"lon":8.54},"password":"secret word"}
      {"username":"bob"}
      """)
    try records.add(
      "step",
      """
      {"step_id":"s1","title":"boil","count":1}
      {"step_id":"s2","title":"pour","count":2}
      {"step_id":"s3"}
      """)
    try records.add(
      "todo",
      #"""
      {"todo_id":"a","title":"Tea","note":"100%","done":true,"due":"2026-11-20","day":"2026-11-20","priority":1,"price":0.1,"owner":"ann","steps":["s1","s2"],"tags":["urgent","home"],"sizes":[1,9]}
      {"todo_id":"b","title":"tea","note":"it's","done":false,"due":"2026-11-10","day":"2026-11-13","days":["2024-02-29","2026-11-13"],"priority":5,"price":2.5,"owner":"bob","steps":["s3"],"tags":[],"sizes":[5],"parent":"a"}
      {"todo_id":"c","title":"Äpfel","note":"","done":false,"due":"2027-01-01","day":"2026-12-24","days":[],"priority":-3,"price":5,"steps":[],"tags":["Urgent"],"parent":"b","in":"x"}
      {"todo_id":"d","place":{"lat":47.38,"lon":8.55},"photo":{"name":"d.png","type":"image/png","data":"AAAA"},"details":{"color":"red","size":5,"tags":["a","b"],"deep":{"a b":null}}}
      {"todo_id":"e","place":{"lat":0,"lon":180},"details":[1,"two",[3],{"x":1}]}
      {"todo_id":"f","place":{"lat":0,"lon":-179.9},"details":"red","title":"e\u0301"}
      {"todo_id":"g","place":{"lat":90,"lon":0},"details":{"color":"\u0072ed","size":9007199254740993,"tags":[]},"title":"🙂🙂"}
      {"todo_id":"h"}
      """#, user: "ann")
    return records
  }
}
