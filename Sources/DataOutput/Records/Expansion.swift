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

  /// Creates an expansion without relations.
  package init() {}

  /// Parses a comma-separated list of paths of relations. If there are problems, throws an error
  /// that contains those of all paths.
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

  /// Creates an expansion of all to-many relations of a schema whose slots are in `slots`.
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

  /// The slots (field indexes) of the first relation of each path.
  var slots: [Int] { branches.map(\.slot) }

  private mutating func add(
    _ names: ArraySlice<String>, of schema: Schema, in catalog: Catalog
  ) throws(DataError) {
    guard let name = names.first else { return }
    let slot = try schema.printedSlot(named: name)
    guard let (hop, target) = catalog.hop(slot, of: schema) else {
      throw DataError(
        .usage,
        "--expand: \(schema.name).\(schema.name(of: slot)) is "
          + "\(schema.type(of: slot).nameWithArticle), not a relation")
    }
    let index = branches.firstIndex { $0.slot == slot } ?? branches.count
    if index == branches.count {
      branches.append(Branch(slot: slot, isMany: hop.isMany, target: target))
    }
    try branches[index].expansion.add(names.dropFirst(), of: target, in: catalog)
  }

  /// The maximum number of references in a range of rows, unless it is a single row.
  private static let maxReferences = 2_000

  /// Divides rows into ranges with so few references that the related records of a range fit in
  /// memory. Without relations, there is one range.
  package func ranges(of rows: Rows, upTo count: Int) -> [Range<Int>] {
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
    return ranges + [start..<count]
  }

  /// Fetches the records that a range of rows refers to, with one query for each relation. The slot
  /// of the relation is returned with its records.
  package func records(
    for rows: Rows, _ range: Range<Int>, from reader: any StoreReader
  ) async throws(DataError) -> [(slot: Int, records: ExpandedRecords)] {
    var found: [(slot: Int, records: ExpandedRecords)] = []
    for branch in branches {
      let slots = branch.target.printedSlots
      let targets = try await reader.find(
        branch.ids(in: rows, range), in: branch.target, slots: slots
      ).rows
      let columns = slots.map { branch.target.column($0) }
      var writer = RecordWriter(columns, format: .ndjson)
      for (slot, records) in try await branch.expansion.records(
        for: targets, 0..<targets.count, from: reader)
      {
        writer.expand(slot, into: records)
      }
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

extension Expansion.Branch {
  /// Returns the values of the relation in a row: ids, or null.
  fileprivate func references(in rows: Rows, _ row: Int) -> [Value] {
    let value = rows.value(rows[row, slot], of: isMany ? .array(.text) : .text)
    return if case .list(let list) = value { list } else { [value] }
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
