import DataModel
import DataStore

/// How the records of a schema stand in its table: which columns, in which order, of which kind.
struct TableLayout: Sendable {
  /// One column; a point has three.
  struct Column: Sendable {
    enum Part: Sendable {
      case whole
      case latitude
      case longitude
      /// The number of the cell around a point, by which an index finds it.
      case cell
    }

    let name: String
    let slot: Int
    let part: Part
    let type: SQL
  }

  let schema: Schema
  /// The columns of the fields as declared, then of the system fields.
  let columns: [Column]

  init(_ schema: Schema) {
    self.schema = schema
    columns = (0..<schema.width).flatMap { Self.columns(of: $0, in: schema) }
  }

  /// The columns of one slot; a to-many relation has a table of its own instead.
  static func columns(of slot: Int, in schema: Schema) -> [Column] {
    let name = schema.name(of: slot)
    let type: SQL
    switch schema.type(of: slot) {
    case .id, .text, .file, .json, .password, .array: type = "text"
    case .integer, .boolean, .datetime: type = "integer"
    case .number: type = "real"
    case .relation(let relation):
      guard !relation.isMany else { return [] }
      type = "text"
    case .geopoint:
      return [
        Column(
          name: PhysicalNames.latitude(name), slot: slot, part: .latitude, type: "real"),
        Column(
          name: PhysicalNames.longitude(name), slot: slot, part: .longitude, type: "real"),
        Column(name: PhysicalNames.cell(name), slot: slot, part: .cell, type: "integer"),
      ]
    }
    return [Column(name: name, slot: slot, part: .whole, type: type)]
  }

  var table: SQL { "\(name: schema.name)" }
  var key: SQL { "\(name: schema.key.name)" }

  /// The names of the table and of those of its to-many relations, in the order of the slots.
  var tableNames: [String] {
    [schema.name] + linkSlots.map { PhysicalNames.link(schema.name, schema.name(of: $0)) }
  }

  /// The table of a to-many relation.
  func link(_ slot: Int) -> SQL {
    "\(name: PhysicalNames.link(schema.name, schema.name(of: slot)))"
  }

  /// The slots of relations, to-one and to-many.
  var relationSlots: [Int] {
    schema.fields.indices.filter { schema.fields[$0].type.relation != nil }
  }

  /// The slots of to-many relations.
  var linkSlots: [Int] { schema.fields.indices.filter { schema.slots[$0].kind == .references } }

  /// The slots of unique fields.
  var uniqueSlots: [Int] { schema.fields.indices.filter { schema.fields[$0].isUnique } }

  /// The slots of files.
  var fileSlots: [Int] { schema.fields.indices.filter { schema.slots[$0].kind == .file } }
}
