package import DataModel
package import RecordText

/// The result of reading a text: the records as they would be written if they were new, and the
/// problems.
package struct ReadResult: Equatable {
  package var records: [String] = []
  package var problems: [String] = []
  package var rejectedTexts: [String] = []
  package var isBroken = false

  package init(
    _ text: [UInt8], for schema: Schema, _ form: TextForm? = nil, format: RecordFormat? = nil,
    pieceSize: Int = .max,
    ids: IDGenerator? = nil, id: String? = nil, pace: RecordReader<BytesInMemory>.Pace = .full,
    slots: [Int]? = nil, policy: SavePolicy = SavePolicy(), conversions: ValueConversions? = nil
  ) throws {
    var reader = RecordReader(
      BytesInMemory(text, pieceSize: pieceSize), for: schema, form ?? TextForm(format), file: "in",
      ids: ids,
      id: id, keepsRejected: true, pace: pace)
    var changes = RowChanges(for: schema, conversions: conversions ?? ValueConversions())
    var writer = RecordWriter(schema, slots: slots, format: .ndjson)
    let stamp = Stamp(time: .earliest)
    while var chunk = try reader.next(reusing: changes) {
      for row in 0..<chunk.count {
        if case .refused(let refused) = chunk.resolve(row, over: nil, by: policy, stamp: stamp) {
          problems += refused.map(Self.short)
          continue
        }
        var line: [UInt8] = []
        _ = writer.write(chunk.rows, row, to: &line)
        records.append(String(decoding: line.dropLast(), as: UTF8.self))
      }
      for record in reader.rejected {
        problems += record.problems.map(Self.short)
        rejectedTexts.append(String(decoding: record.text ?? [], as: UTF8.self))
      }
      changes = chunk
    }
    isBroken = reader.isBroken
  }

  package init(
    _ text: String, for schema: Schema, format: RecordFormat? = nil, id: String? = nil,
    slots: [Int]? = nil
  ) throws {
    try self.init(Array(text.utf8), for: schema, format: format, id: id, slots: slots)
  }

  /// Returns the problem as `line:column field: message`.
  package static func short(_ problem: Problem) -> String {
    let position = "\(problem.line ?? 0):\(problem.column.map(String.init) ?? "-")"
    return "\(position) \(problem.field.map { $0 + ": " } ?? "")\(problem.message)"
  }
}

/// Creates a schema with a primary key in front of the fields.
package func schema(_ name: String, _ fields: Field...) throws -> Schema {
  var draft = SchemaDraft(name: name)
  draft.fields = ([Field(name + "_id", .id)] + fields).map { SchemaDraft.FieldDraft($0) }
  return try Schema(checking: draft)
}

/// Creates a schema with a field of each type, named after the type.
package func everyType() throws -> Schema {
  try schema(
    "sample", Field("text", .text), Field("integer", .integer), Field("number", .number),
    Field("boolean", .boolean), Field("date", .date), Field("datetime", .datetime),
    Field("geopoint", .geopoint),
    Field("file", .file), Field("json", .json), Field("one", .relation(Relation(to: "sample"))),
    Field("many", .relation(Relation(to: "sample", isMany: true))),
    Field("texts", .array(.text)), Field("integers", .array(.integer)),
    Field("numbers", .array(.number)), Field("booleans", .array(.boolean)),
    Field("dates", .array(.date)), Field("datetimes", .array(.datetime)))
}

/// Returns the slots of a schema's fields, without the system fields.
package func fieldSlots(_ schema: Schema) -> [Int] { Array(schema.fields.indices) }

/// Reads a JSON value into a field of the type, and returns the value as written or the problems.
package func value(_ type: FieldType, _ json: String) throws -> String {
  let kind = try schema("box", Field("value", type))
  let result = try ReadResult(
    "{\"box_id\":\"1\",\"value\":\(json)}", for: kind, format: .json, slots: fieldSlots(kind))
  if let record = result.records.first {
    return String(record.dropFirst("{\"box_id\":\"1\",\"value\":".count).dropLast())
  }
  return result.problems.joined(separator: "; ")
}
