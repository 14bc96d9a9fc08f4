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

  /// Fetches the records that the given rows refer to, with one query for each relation. Returns
  /// these records, together with the slot of their relation.
  package func records(
    for rows: Rows, from reader: any StoreReader
  ) async throws(DataError) -> [(slot: Int, records: ExpandedRecords)] {
    var found: [(slot: Int, records: ExpandedRecords)] = []
    for branch in branches {
      let slots = branch.target.printedSlots
      let targets = try await reader.find(
        branch.ids(in: rows), in: branch.target, slots: slots
      ).rows
      var writer = RecordWriter(branch.target, slots: slots, format: .ndjson)
      for (slot, records) in try await branch.expansion.records(for: targets, from: reader) {
        writer.expand(slot, into: records)
      }
      found.append(
        (
          branch.slot,
          ExpandedRecords(
            targets, keySlot: branch.target.keySlot, isMany: branch.isMany, writer: writer,
            check: StoredValueCheck(
              slots.map { branch.target.column($0) }, of: branch.target))
        ))
    }
    return found
  }
}

extension Expansion.Branch {
  /// Returns the distinct ids that the relation contains in the given rows.
  fileprivate func ids(in rows: Rows) -> [String] {
    var seen: Set<Value> = []
    var ids: [String] = []
    for row in 0..<rows.count {
      let cell = rows[row, slot]
      let value = rows.value(cell, of: isMany ? .array(.text) : .text)
      let elements: [Value]
      if case .list(let list) = value { elements = list } else { elements = [value] }
      for element in elements {
        if case .text(let id) = element, seen.insert(element).inserted { ids.append(id) }
      }
    }
    return ids
  }
}
