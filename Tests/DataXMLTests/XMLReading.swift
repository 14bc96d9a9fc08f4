import DataModel
import DataXML
import RecordText
import TestSupport

/// The result of reading an XML document: the records as NDJSON, and the problems.
struct XMLReading: Equatable {
  var records: [String] = []
  var problems: [String] = []
  var isBroken = false

  /// Reads a document. Only the keys in the document are written, so that missing fields can be
  /// distinguished from nulls.
  init(
    _ text: [UInt8], for schema: Schema, in catalog: Catalog = Catalog(), pieceSize: Int = .max,
    slots: [Int]? = nil
  ) throws {
    let source = try XMLRecordSource(
      BytesInMemory(text, pieceSize: pieceSize), for: schema, in: catalog)
    var reader = RecordReader(source, for: schema, TextForm(.xml), file: "in")
    var writer = RecordWriter(schema, slots: slots, format: .ndjson)
    var changes = RowChanges(for: schema)
    while let chunk = try reader.next(reusing: changes) {
      for row in 0..<chunk.count {
        var line: [UInt8] = []
        _ = writer.write(chunk.rows, row, to: &line)
        records.append(String(decoding: line.dropLast(), as: UTF8.self))
      }
      for problem in reader.rejected.flatMap(\.problems) {
        let field = problem.field.map { "\($0): " } ?? ""
        problems.append(
          "\(problem.line ?? 0)\(problem.column.map { ":\($0)" } ?? "") \(field)\(problem.message)")
      }
      changes = chunk
    }
    isBroken = reader.isBroken
  }

  init(_ text: String, for schema: Schema, in catalog: Catalog = Catalog()) throws {
    try self.init(Array(text.utf8), for: schema, in: catalog, slots: Array(schema.fields.indices))
  }
}

/// Creates a schema with a primary key in front of the fields.
func schema(
  _ name: String, _ fields: Field..., properties: [(name: String, field: String)] = []
) throws -> Schema {
  var draft = SchemaDraft(name: name)
  draft.fields = ([Field(name + "_id", .id)] + fields).map { SchemaDraft.FieldDraft($0) }
  draft.properties = properties.map { SchemaDraft.PropertyDraft($0.name, field: $0.field) }
  return try Schema(checking: draft)
}

/// A schema with fields of several types.
func todo() throws -> Schema {
  try schema(
    "todo", Field("title", .text), Field("done", .boolean), Field("stock", .integer),
    Field("price", .number), Field("due", .datetime), Field("place", .geopoint),
    Field("photo", .file), Field("extra", .json), Field("owner", .relation(Relation(to: "user"))),
    Field("steps", .relation(Relation(to: "step", isMany: true))), Field("tags", .array(.text)),
    Field("sizes", .array(.integer)), Field("flags", .array(.boolean)))
}
