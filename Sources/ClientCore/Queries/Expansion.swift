package import DataModel
import DataOutput
import Maps
internal import RecordText

/// The relations whose related records are printed in place of the ids, such as
/// `owner,steps.owner`.
package struct Expansion: Sendable {
  /// An expanded relation, and the relations of its related records that are expanded too.
  package struct Branch: Sendable {
    /// The name of the relation or of the inverse relation.
    package let name: String
    package let slot: Int
    package let isMany: Bool
    package let target: Schema
    package var expansion = Expansion()
  }

  /// The maximum number of relations in a path that the user gives.
  package static let maxDepth = 3

  package private(set) var branches: [Branch] = []
  /// For each expanded inverse relation, a computed column that contains the ids of the referencing
  /// records. The cells of these columns follow the cells of the record's fields.
  package private(set) var inverses: [NamedExpression] = []
  /// With `--flatten`, the paths of the fields that are printed as columns in place of a related
  /// record. The keys are the slots (positions in a row) of the to-one relations.
  private(set) var flattened: [Int: [FieldPath]] = [:]

  /// Creates an expansion without relations.
  package init() {}

  /// Parses a comma-separated list of relation paths, such as `owner,steps.owner`.
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
            "cannot expand \(Excerpt.escaped(path)): "
              + "it follows more than \(Self.maxDepth) relations")
        }
        try add(names[...], of: schema, in: catalog)
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
  }

  /// Creates an expansion from relation paths of any length, such as `["steps", "owner"]`.
  package init(paths: [[String]], of schema: Schema, in catalog: Catalog) throws(DataError) {
    for path in paths { try add(path[...], of: schema, in: catalog) }
  }

  /// Creates an expansion of the to-many relations among the fields in the given slots (positions
  /// in a row). Relations to schemas that the caller may not read are not expanded.
  package init(toManyOf schema: Schema, among slots: [Int], in catalog: Catalog) {
    for (slot, field) in schema.fields.enumerated() where slots.contains(slot) {
      guard let relation = field.type.relation, relation.isMany,
        let target = catalog[relation.target], catalog.isReadable(target.name)
      else { continue }
      branches.append(Branch(name: field.name, slot: slot, isMany: true, target: target))
    }
  }

  /// The schemas of the related records of all expanded relations, including nested ones.
  package var schemas: [Schema] { branches.flatMap { [$0.target] + $0.expansion.schemas } }

  /// The slots (positions in a row) of the cells with the ids of related records. The cells of
  /// inverse relations follow the cells of the schema's fields.
  var slots: [Int] { branches.map(\.slot) + flattened.keys }

  /// Returns an expansion that prints each record in a to-one relation as columns (`--flatten`).
  package func flattened(
    of schema: Schema, omitsSystemFields: Bool
  ) throws(DataError) -> Expansion {
    var expansion = self
    expansion.branches = branches.filter(\.isMany)
    for branch in branches where !branch.isMany {
      expansion.flattened[branch.slot] = try branch.fields(
        at: [schema.name(of: branch.slot)], omitsSystemFields: omitsSystemFields)
    }
    return expansion
  }

  /// Returns the output columns of the expanded inverse relations. In a row, the cells of these
  /// columns follow the cells of the schema's fields.
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
      let inverse = catalog.inverse(named: names, of: schema),
      inverse.nameCount == 1 || catalog.isReadable(inverse.target.name)
    {
      guard inverse.nameCount == 1 else {
        let relation = names.prefix(inverse.nameCount).joined(separator: ".")
        throw DataError(
          .usage, "cannot expand \(relation): this inverse of the relation has no name",
          hint: "to name it, declare \"inverse\" in the schema file of \(name)")
      }
      let path = FieldPath(name)
      let index = inverses.firstIndex { $0.name == name } ?? inverses.count
      if index == inverses.count { inverses.append(NamedExpression(name, .referrers(path))) }
      guard catalog.isReadable(inverse.target.name) else { return }
      return try add(
        names, from: schema.width + index, isMany: true, to: inverse.target, in: catalog)
    }
    let slot = try schema.printedSlot(named: name)
    // If the caller may not read the schema of the related records, their ids are printed.
    if let relation = schema.type(of: slot).relation, !catalog.isReadable(relation.target) {
      return
    }
    guard let (hop, target) = catalog.hop(slot, of: schema) else {
      throw DataError(
        .usage,
        "cannot expand \(schema.name).\(schema.name(of: slot)): it is "
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
      branches.append(
        Branch(name: names.first ?? "", slot: slot, isMany: isMany, target: target))
    }
    try branches[index].expansion.add(names.dropFirst(), of: target, in: catalog)
  }

  /// The maximum number of ids of related records in a range of rows. A single row can contain
  /// more.
  private static let maxReferences = 2_000

  /// Divides rows into ranges. Each range contains a limited number of ids of related records, so
  /// that the related records can be fetched for one range at a time. If the expansion is empty,
  /// there is a single range.
  package func ranges(of rows: Rows, upTo count: Int) -> RelatedRanges {
    var ends: [Int] = []
    var (start, references) = (0, 0)
    for row in 0..<(branches.isEmpty ? 0 : count) {
      let further = branches.reduce(0) { $0 + $1.references(in: rows, row).count }
      if row > start, references + further > Self.maxReferences {
        ends.append(row)
        (start, references) = (row, 0)
      }
      references += further
    }
    ends.append(count)
    return RelatedRanges(self, ends)
  }

  /// Whether no relation is expanded.
  package var isEmpty: Bool { branches.isEmpty }
}

extension Expansion.Branch {
  /// Returns the paths to the fields of a related record, which are printed as columns with
  /// `--flatten`. Throws an error if a path refers to several records.
  fileprivate func fields(
    at path: [String], omitsSystemFields: Bool
  ) throws(DataError) -> [FieldPath] {
    var fields: [FieldPath] = []
    for slot in target.printedSlots(omitsSystemFields: omitsSystemFields) {
      let field = path + [target.name(of: slot)]
      guard let branch = expansion.branches.first(where: { $0.slot == slot }) else {
        fields.append(FieldPath(names: field))
        continue
      }
      guard !branch.isMany else { throw .several(at: field.joined(separator: ".")) }
      fields += try branch.fields(at: field, omitsSystemFields: omitsSystemFields)
    }
    if let inverse = expansion.inverses.first {
      throw .several(at: (path + [inverse.name]).joined(separator: "."))
    }
    return fields
  }

  /// Returns the values of the relation in a row: a list of ids or, for a to-one relation, an id or
  /// null.
  fileprivate func references(in rows: Rows, _ row: Int) -> [Value] {
    let value = rows.value(rows[row, slot], of: isMany ? .array(.text) : .text)
    return if case .list(let list) = value { list } else { [value] }
  }

  /// Returns the distinct ids that the relation contains in a range of rows.
  func ids(in rows: Rows, _ range: Range<Int>) -> [String] {
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

extension DataError {
  /// Creates the error for a path that `--flatten` cannot print as columns, because it refers to
  /// several records.
  fileprivate static func several(at path: String) -> DataError {
    DataError(
      .usage, "--flatten: \(path) refers to several records, which cannot be columns",
      hint: "remove it from --expand")
  }
}

extension Catalog {
  /// Whether the caller may read at least some records of the schema with the given name.
  fileprivate func isReadable(_ name: String) -> Bool {
    self[name].map { $0.visibility?.isReadable ?? true } ?? false
  }
}

extension MapOutput {
  /// Returns the expansion of the relations that the map prints as nested records.
  ///
  /// - Parameter slots: The slots (field indexes) of the fields that are printed, or nil to print
  ///   all fields.
  func expansion(
    of schema: Schema, in catalog: Catalog, among slots: [Int]? = nil
  ) throws(DataError) -> Expansion {
    let paths = layout.relations.filter { path in
      slots.map { $0.contains { schema.name(of: $0) == path[0] } } ?? true
    }
    return try Expansion(paths: paths, of: schema, in: catalog)
  }
}
