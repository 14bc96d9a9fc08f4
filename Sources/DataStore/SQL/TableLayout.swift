package import DataModel

/// The table that stores the records of a schema: its columns, and their order.
package struct TableLayout: Sendable {
  /// A column of the table. A geopoint field has three columns.
  package struct Column: Sendable {
    package enum Part: BitwiseCopyable, Sendable {
      case whole
      case latitude
      case longitude
      /// The number of the grid cell that contains a geopoint. It is indexed for searches by
      /// distance.
      case cell
    }

    package let name: String
    package let slot: Int
    package let part: Part
    /// The type of the column's values, for example `number` for the latitude of a geopoint.
    package let type: FieldType
  }

  package let schema: Schema
  /// The columns of the declared fields, followed by those of the system fields.
  package let columns: [Column]

  package init(_ schema: Schema) {
    self.schema = schema
    columns = (0..<schema.width).flatMap { Self.columns(of: $0, in: schema) }
  }

  /// Returns the columns that store the field in a slot. There are none for a to-many relation,
  /// which is stored in a link table.
  package static func columns(of slot: Int, in schema: Schema) -> [Column] {
    let name = schema.name(of: slot)
    let type = schema.type(of: slot)
    if type.descriptor.kind == .references { return [] }
    guard type.descriptor.storage == .point else {
      return [Column(name: PhysicalNames.column(name), slot: slot, part: .whole, type: type)]
    }
    return [
      Column(name: PhysicalNames.latitude(name), slot: slot, part: .latitude, type: .number),
      Column(name: PhysicalNames.longitude(name), slot: slot, part: .longitude, type: .number),
      Column(name: PhysicalNames.cell(name), slot: slot, part: .cell, type: .integer),
    ]
  }

  package var table: SQL { "\(table: schema.name)" }
  package var key: SQL { column(schema.keySlot) }

  /// Returns the column of a field that is stored in a single column.
  package func column(_ slot: Int) -> SQL {
    "\(name: PhysicalNames.column(schema.name(of: slot)))"
  }

  /// The names of the table and of its link tables, in the order of the slots.
  package var tableNames: [String] {
    [schema.name] + linkSlots.map { PhysicalNames.link(schema.name, schema.name(of: $0)) }
  }

  /// Returns the link table of a to-many relation.
  package func link(_ slot: Int) -> SQL {
    "\(table: PhysicalNames.link(schema.name, schema.name(of: slot)))"
  }

  package var relationSlots: [Int] {
    schema.fields.indices.filter { schema.fields[$0].type.relation != nil }
  }

  package var linkSlots: [Int] {
    schema.fields.indices.filter { schema.slots[$0].kind == .references }
  }

  package var uniqueSlots: [Int] { schema.fields.indices.filter { schema.fields[$0].isUnique } }

  package var fileSlots: [Int] {
    schema.fields.indices.filter { schema.slots[$0].kind == .file }
  }

  /// Returns a query that counts the records that have a value in the given slot.
  package func valueCountQuery(of slot: Int) -> SQL {
    guard let column = Self.columns(of: slot, in: schema).first else {
      return "select count(distinct source) from \(link(slot))"
    }
    return "select count(\(name: column.name)) from \(table)"
  }
}

/// Side tables, which enforce unique fields on engines where an index cannot do so. The primary key
/// of a side table is the value of the field. Each row also contains the id of the record that has
/// the value.
extension TableLayout {
  /// Returns the slots of the unique fields that are enforced with a side table instead of an
  /// index.
  package func sideTableSlots(in dialect: any Dialect) -> [Int] {
    switch dialect.uniqueness {
    case .index: []
    case .sideTable: uniqueSlots
    }
  }

  /// Whether the side table of a unique field can be distributed across servers in the same way as
  /// the records. This is the case if the values of the field are texts, like record ids.
  package func isSideTableColocated(_ slot: Int) -> Bool { schema.type(of: slot).isText }

  package func sideTable(_ slot: Int) -> SQL { "\(table: sideTableName(slot))" }

  private func sideTableName(_ slot: Int) -> String {
    PhysicalNames.unique(schema.name, schema.name(of: slot))
  }

  /// Returns the statements that create the side table of a unique field and insert the existing
  /// values.
  package func sideTableCreationSQL(_ slot: Int, in dialect: any Dialect) -> [SQL] {
    let name = sideTableName(slot)
    let placement: Placement =
      isSideTableColocated(slot) ? .colocated(by: "value") : .distributed(by: "value")
    return [
      """
      create table \(sideTable(slot)) (value \(dialect.columnType(schema.type(of: slot))) not null, \
      id \(dialect.columnType(.id)) not null, constraint \(name: PhysicalNames.key(name)) \
      primary key (value))
      """
    ] + dialect.distributionSQL(name, placement) + [
      """
      insert into \(sideTable(slot)) (value, id) select \(column(slot)), \(key) from \(table) \
      where \(column(slot)) is not null
      """
    ]
  }

  /// Returns the names of all tables of the schema: the table of its records, the link tables of
  /// to-many relations, and the side tables that enforce unique fields.
  package func allTableNames(in dialect: any Dialect) -> [String] {
    tableNames + sideTableSlots(in: dialect).map(sideTableName)
  }
}

/// Queries for the contents of files, which are stored in pieces in the table `_file`.
extension TableLayout {
  /// Returns a query for the file reference of a record and the first piece of the file. The query
  /// returns no row if the record has no file.
  package func firstPiece(ofFile slot: Int, of id: SQL) -> SQL {
    """
    select record.\(column(slot)), file.bytes from \(table) as record \
    left join \(table: "_file") as file on file.schema = \(.text(schema.name)) \
    and file.record = record.\(key) and file.field = \(.text(schema.name(of: slot))) \
    and file.piece = 0 where record.\(key) = \(id) and record.\(column(slot)) is not null
    """
  }

  /// Returns a query for one piece of a file.
  ///
  /// - Parameter number: The index of the piece, as an SQL expression.
  package func piece(_ number: SQL, ofFile slot: Int, of id: SQL) -> SQL {
    """
    select bytes from \(table: "_file") where schema = \(.text(schema.name)) \
    and record = \(id) and field = \(.text(schema.name(of: slot))) and piece = \(number)
    """
  }
}

extension Catalog {
  /// Returns a description of the first table or column that the schemas require but the store does
  /// not have. Returns nil if none is missing. A missing table or column must have been dropped or
  /// renamed by another program.
  ///
  /// - Parameter columns: The names of the columns of each table in the store.
  package func missingPart(in columns: [String: Set<String>]) -> String? {
    for schema in all {
      let layout = TableLayout(schema)
      for table in layout.tableNames where columns[table] == nil {
        return "the table \(table) is missing"
      }
      for column in layout.columns where columns[schema.name]?.contains(column.name) != true {
        return "the table \(schema.name) has no column \(column.name)"
      }
    }
    return nil
  }
}
