package import DataModel
package import DataStore
package import DataText

/// The relations whose related records are printed in place of the ids, such as
/// `owner,steps.owner`.
package struct Expansion: Sendable {
  fileprivate struct Branch: Sendable {
    let slot: Int
    let isMany: Bool
    let target: Schema
    var expansion = Expansion()
  }

  /// The maximum number of relations in a path.
  private static let maxDepth = 3

  private var branches: [Branch] = []
  /// A column for each expanded inverse of a relation. It contains the ids of the records that
  /// reference the printed record. The cells of these columns follow the cells of the record's
  /// fields.
  package private(set) var inverses: [NamedExpression] = []

  /// Creates an expansion without relations.
  package init() {}

  /// Parses a comma-separated list of paths of relations.
  ///
  /// - Throws: An error that contains the problems of all invalid paths.
  package init(_ list: String, of schema: Schema, in catalog: Catalog) throws(DataError) {
    var problems: [Problem] = []
    for path in list.fieldNames {
      do throws(DataError) {
        let names = FieldPath(dotted: path).names
        guard names.count <= Self.maxDepth else {
          throw DataError(
            .usage,
            "--expand: \(Excerpt.escaped(path)) follows more than \(Self.maxDepth) relations")
        }
        try add(names[...], of: schema, in: catalog)
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
  }

  /// Creates an expansion of paths of relations of any length.
  package init(paths: [[String]], of schema: Schema, in catalog: Catalog) throws(DataError) {
    for path in paths { try add(path[...], of: schema, in: catalog) }
  }

  /// Creates an expansion of the to-many relations that are in the given slots of a schema.
  package init(toManyOf schema: Schema, among slots: [Int], in catalog: Catalog) {
    for (slot, field) in schema.fields.enumerated() where slots.contains(slot) {
      guard let relation = field.type.relation, relation.isMany,
        let target = catalog[relation.target]
      else { continue }
      branches.append(Branch(slot: slot, isMany: true, target: target))
    }
  }

  /// The schemas of the related records on all paths.
  package var schemas: [Schema] { branches.flatMap { [$0.target] + $0.expansion.schemas } }

  /// The indexes of the cells that contain the ids of the records to expand. The index is the slot
  /// of a relation or, for the inverse of a relation, an index after the slots of the schema.
  var slots: [Int] { branches.map(\.slot) }

  /// Returns the printed columns of the expanded inverses. Their cells follow the cells of the
  /// schema's fields.
  func inverseColumns(of schema: Schema) -> [RecordWriter.Column] {
    let targets = branches.filter { $0.slot >= schema.width }
    return inverses.enumerated().map { index, column in
      let target = targets.first { $0.slot == schema.width + index }?.target.name ?? ""
      return RecordWriter.Column(
        column.name, .relation(Relation(to: target, isMany: true)), slot: schema.width + index)
    }
  }

  private mutating func add(
    _ names: ArraySlice<String>, of schema: Schema, in catalog: Catalog
  ) throws(DataError) {
    guard let name = names.first else { return }
    if schema.slot(named: name) == nil,
      let inverse = catalog.inverse(named: [name], of: schema)
    {
      let path = FieldPath(name)
      let index = inverses.firstIndex { $0.name == name } ?? inverses.count
      if index == inverses.count { inverses.append(NamedExpression(name, .referrers(path))) }
      return try add(
        names, from: schema.width + index, isMany: true, to: inverse.target, in: catalog)
    }
    let slot = try schema.printedSlot(named: name)
    guard let (hop, target) = catalog.hop(slot, of: schema) else {
      throw DataError(
        .usage,
        "--expand: \(schema.name).\(schema.name(of: slot)) is "
          + "\(schema.type(of: slot).nameWithArticle), not a relation")
    }
    try add(names, from: slot, isMany: hop.isMany, to: target, in: catalog)
  }

  private mutating func add(
    _ names: ArraySlice<String>, from slot: Int, isMany: Bool, to target: Schema,
    in catalog: Catalog
  ) throws(DataError) {
    let index = branches.firstIndex { $0.slot == slot } ?? branches.count
    if index == branches.count {
      branches.append(Branch(slot: slot, isMany: isMany, target: target))
    }
    try branches[index].expansion.add(names.dropFirst(), of: target, in: catalog)
  }

  /// The maximum number of references in a range of rows, unless it is a single row.
  private static let maxReferences = 2_000

  /// Divides rows into ranges with few references. If the expansion has no relations, there is only
  /// one range.
  package func ranges(of rows: Rows, upTo count: Int) -> RelatedRanges {
    var ranges: [Range<Int>] = []
    var (start, references) = (0, 0)
    for row in 0..<(branches.isEmpty ? 0 : count) {
      let further = branches.reduce(0) { $0 + $1.references(in: rows, row).count }
      if row > start, references + further > Self.maxReferences {
        ranges.append(start..<row)
        (start, references) = (row, 0)
      }
      references += further
    }
    ranges.append(start..<count)
    return RelatedRanges(self, ranges)
  }

  /// Fetches the records that a range of rows refers to, and returns them for each relation,
  /// together with the slot of the relation. Returns nil if the fetched records exceed the limit.
  fileprivate func records(
    for rows: Rows, _ range: Range<Int>, from reader: any StoreReader, _ limit: inout SizeLimit
  ) async throws(DataError) -> [(slot: Int, records: ExpandedRecords)]? {
    var found: [(slot: Int, records: ExpandedRecords)] = []
    for branch in branches {
      let slots = branch.target.printedSlots
      let columns =
        slots.map { branch.target.column($0) }
        + branch.expansion.inverseColumns(of: branch.target)
      var writer = RecordWriter(columns, format: .ndjson)
      guard
        let targets = try await branch.targets(of: rows, range, slots: slots, from: reader, &limit),
        let nested = try await branch.expansion.records(
          for: targets, 0..<targets.count, from: reader, &limit)
      else { return nil }
      for (slot, records) in nested { writer.expand(slot, into: records) }
      found.append(
        (
          branch.slot,
          ExpandedRecords(
            targets, of: branch.target, columns: columns, isMany: branch.isMany, writer: writer)
        ))
    }
    return found
  }
}

/// A limit on the size of related records.
private struct SizeLimit {
  /// The number of bytes that can still be used.
  private var remaining: Int
  /// Whether the size of a record includes its cells, in addition to the bytes that the cells refer
  /// to.
  private let countsCells: Bool
  /// The number of records to fetch with the next query. It depends on the size of the records that
  /// were fetched before.
  private(set) var groupSize: Int

  init(_ limit: Int, countsCells: Bool, groupSize: Int) {
    remaining = limit
    self.countsCells = countsCells
    self.groupSize = groupSize
  }

  /// Whether the fetched records exceed the limit.
  var isExceeded: Bool { remaining < 0 }

  mutating func add(_ rows: Rows) {
    let size = rows.arena.count + rows.input.count
    remaining -= countsCells ? size + rows.cells.count * MemoryLayout<Cell>.stride : size
    if rows.count > 0 { groupSize = min(max((4 << 20) / (size / rows.count + 1), 1), 2_000) }
  }
}

/// Consecutive ranges of rows. Related records are fetched for one range at a time.
package struct RelatedRanges: Sendable {
  /// A range of rows, and the records that these rows refer to.
  package struct Element: Sendable {
    package let range: Range<Int>
    /// For each relation, its slot and the related records.
    package let records: [(slot: Int, records: ExpandedRecords)]
    /// The rows that would be too long if their related records were printed. Related records of
    /// these rows may be missing in `records`.
    package let tooLongRows: Set<Int>

    /// Returns the part of the range that contains only one row.
    func only(_ row: Int) -> Element {
      Element(
        range: row..<row + 1, records: records, tooLongRows: tooLongRows.intersection([row]))
    }
  }

  /// The maximum size in bytes of the related records that are fetched for a range of several rows.
  private static let maxHeldSize = 40 << 20
  /// The maximum size in bytes of a record that is printed with its related records.
  private static let maxPrintedSize = 256 << 20

  private let expansion: Expansion
  /// The remaining ranges, in reverse order.
  private var ranges: [Range<Int>]
  private var groupSize = 2_000

  fileprivate init(_ expansion: Expansion, _ ranges: [Range<Int>]) {
    self.expansion = expansion
    self.ranges = ranges.reversed()
  }

  /// Returns the next range, or nil after the last one. A range whose related records do not fit in
  /// memory is divided.
  package mutating func next(
    of rows: Rows, from reader: any StoreReader
  ) async throws(DataError) -> Element? {
    while let range = ranges.popLast() {
      var limit = SizeLimit(
        range.count > 1 ? Self.maxHeldSize : Self.maxPrintedSize, countsCells: range.count > 1,
        groupSize: groupSize)
      let records = try await expansion.records(for: rows, range, from: reader, &limit)
      groupSize = limit.groupSize
      if let records {
        let tooLongRows = range.filter { row in
          records.reduce(0) { size, related in
            size + related.records.minimumSize(of: rows[row, related.slot], in: rows)
          } > Self.maxPrintedSize
        }
        return Element(range: range, records: records, tooLongRows: Set(tooLongRows))
      }
      guard range.count > 1 else {
        // Each related record is printed at least once.
        return Element(range: range, records: [], tooLongRows: Set(range))
      }
      let middle = range.lowerBound + range.count / 2
      ranges.append(middle..<range.upperBound)
      ranges.append(range.lowerBound..<middle)
    }
    return nil
  }
}

extension Expansion.Branch {
  /// Returns the values of the relation in a row: ids, or null.
  fileprivate func references(in rows: Rows, _ row: Int) -> [Value] {
    let value = rows.value(rows[row, slot], of: isMany ? .array(.text) : .text)
    return if case .list(let list) = value { list } else { [value] }
  }

  /// Fetches the records that the relation refers to in a range of rows, several records per query.
  /// Only the given slots are fetched. Returns nil if the records exceed the limit.
  fileprivate func targets(
    of rows: Rows, _ range: Range<Int>, slots: [Int], from reader: any StoreReader,
    _ limit: inout SizeLimit
  ) async throws(DataError) -> Rows? {
    var ids = ids(in: rows, range)[...]
    var found: Rows?
    repeat {
      let group = ids.prefix(limit.groupSize)
      ids = ids.dropFirst(group.count)
      let records = try await reader.find(
        Array(group), in: target, slots: slots, computed: expansion.inverses.map(\.expression),
        joinedFields: []
      ).rows
      limit.add(records)
      if limit.isExceeded { return nil }
      if found == nil {
        found = records
      } else {
        let cells = slots + Array(target.width..<records.width)
        for row in 0..<records.count { found?.append(row, of: records, slots: cells) }
      }
    } while !ids.isEmpty
    return found
  }

  /// Returns the distinct ids that the relation contains in a range of rows.
  fileprivate func ids(in rows: Rows, _ range: Range<Int>) -> [String] {
    var seen: Set<Value> = []
    var ids: [String] = []
    for row in range {
      for element in references(in: rows, row) {
        if case .text(let id) = element, seen.insert(element).inserted { ids.append(id) }
      }
    }
    return ids
  }
}
