package import DataModel

/// The columns that a statement selects, and the cells that receive their values.
package struct SelectList: Sendable {
  /// How the reader of a result row decodes a selected value, and the cell in which it stores the
  /// value.
  package struct Target: Sendable {
    package let slot: Int32
    package let storage: Storage
    /// The type of the elements if the value is a list, whose text may depend on the engine.
    package let element: ElementType?
    /// The number of digits after the point if the value is a decimal; nil for other values.
    package let scale: Int?
    /// Whether the value is a JSON scalar, whose text may depend on the engine.
    package let isScalar: Bool
  }

  package private(set) var targets: [Target] = []
  /// The number of cells in each row.
  package private(set) var width: Int
  /// The schema of the selected records; nil if the rows are not records, but groups for example.
  package let schema: Schema?
  private var parts: [SQL] = []

  /// The columns to select, as SQL, in the order of their cells.
  package var columns: SQL { SQL.list(parts) }

  /// Creates a list that selects the given slots of a schema. The primary key is always included,
  /// and a password is not included.
  ///
  /// - Parameter hashSlot: The slot of the password whose hash is selected as a text, or nil.
  package init(
    _ layout: TableLayout, slots: [Int], hashSlot: Int? = nil, _ dialect: any Dialect
  ) {
    let schema = layout.schema
    self.schema = schema
    width = schema.width
    let source = FromClause.Source(
      layout: layout, name: "\(name: schema.name)", alwaysExists: true, isRoot: true,
      dialect: dialect)
    let others = [schema.keySlot] + (hashSlot.map { [$0] } ?? [])
    // Readers expect the cells in ascending order.
    for slot in Set(slots).union(others).sorted() {
      if slot == hashSlot {
        addTarget(.text, at: slot)
        parts.append(source.column(slot))
      } else {
        add(slot, at: slot, of: source)
      }
    }
  }

  /// Creates a list for a statement whose columns have the given types. The statement itself names
  /// its columns, so `columns` is empty. The types must not include geopoints, which have two
  /// columns each.
  package init(_ types: [FieldType]) {
    width = types.count
    schema = nil
    for (cell, type) in types.enumerated() {
      if type == .json {
        targets.append(
          Target(slot: Int32(cell), storage: .bytes, element: nil, scale: nil, isScalar: true))
      } else {
        addTarget(type, at: cell)
      }
    }
  }

  /// Adds a value to the selected columns: a computed value, or the value at the end of a path.
  ///
  /// - Parameter cell: The index of the value in each row. The record's own fields have lower
  ///   indices.
  mutating func add(
    _ expression: Expression, at cell: Int, in fromClause: inout FromClause
  ) throws(DataError) {
    width = max(width, cell + 1)
    if case .path(let path) = expression {
      let resolvedPath = try fromClause.resolvedPath(path)
      if resolvedPath.part == .whole {
        let source = try fromClause.source(following: resolvedPath.hops)
        return add(resolvedPath.slot, at: cell, of: source)
      }
    }
    let (sql, type) = try fromClause.column(expression)
    if addTarget(type, at: cell) { parts.append(sql) }
  }

  private mutating func add(_ slot: Int, at cell: Int, of source: FromClause.Source) {
    let type = source.layout.schema.type(of: slot)
    guard addTarget(type, at: cell) else { return }
    if type.relation?.isMany == true {
      let list = source.dialect.list(
        in: source.aliasedLink(slot), from: source.key, by: "position")
      parts.append(
        source.alwaysExists ? list : "case when \(source.key) is not null then \(list) end")
    } else if type == .geopoint {
      parts += [source.column(slot, .latitude), source.column(slot, .longitude)]
    } else {
      parts.append(source.column(slot))
    }
  }

  @discardableResult
  private mutating func addTarget(_ type: FieldType, at cell: Int) -> Bool {
    let descriptor = type.descriptor
    if descriptor.kind == .password { return false }
    targets.append(
      Target(
        slot: Int32(cell), storage: descriptor.storage,
        element: type.isList ? type.elementType : nil,
        scale: descriptor.scale, isScalar: false))
    return true
  }
}

extension SelectList {
  /// How a reader handles a stored value that is invalid for the type of its field.
  package enum InvalidValues: Sendable {
    /// The reader throws an error that names the record and the field.
    case rejected
    /// The reader returns a special cell instead of the invalid value. The caller can then report
    /// the value, and still return all other records.
    case marked
  }
}

extension Storage {
  /// Returns a cell that differs from the cells of all valid values, to mark an invalid value. If
  /// the cell needs bytes, they are appended to `arena`, the buffer for the text of all cells.
  package func invalidCell(in arena: inout [UInt8]) -> Cell {
    let start = arena.count
    switch self {
    case .integer, .number: return .number(.nan)
    case .boolean: return .integer(2)
    case .datetime: return .integer(.max)
    case .bytes, .date: arena.append(0xFF)
    case .point: arena.append(contentsOf: repeatElement(0xFF, count: 16))
    }
    return .arena(start..<arena.count)
  }
}
