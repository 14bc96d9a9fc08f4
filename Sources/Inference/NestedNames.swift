import DataModel
import RecordText

/// The role of the records from which a schema is inferred.
enum NestedRole: Hashable {
  case root
  /// An object in a relation to one record.
  case object
  /// An object in a list, which becomes a part of the outer record.
  case part(of: String, inverse: String)
}

/// Chooses the names of the schemas of nested objects.
///
/// Objects with a key of their own belong to a schema of this name: the objects under `customer` that
/// have the key `customer_id` or `id` become records of the schema `customer`, and those in the list
/// `lines` that have the key `line_id` become records of `line`. In other cases, the name of the
/// schema consists of that of the outer schema and the key: `order_lines`.
struct NestedNames {
  /// The existing schemas.
  private let catalog: Catalog
  /// Whether all records were read, so that ids are known to be unique.
  private let isComplete: Bool
  /// The names of new schemas that no other objects can have.
  private var taken: Set<String>
  /// The names of the schemas of objects with keys of their own.
  private var keyed: Set<String> = []
  /// The names that consist of an outer schema and a key, each with these two.
  private var combined: [String: [String]] = [:]

  init(_ root: String, over catalog: Catalog = Catalog(), isComplete: Bool) {
    self.catalog = catalog
    self.isComplete = isComplete
    taken = [root]
  }

  consuming func choose(in statistics: inout RecordStatistics) {
    var names = self
    names.name(&statistics)
  }

  private mutating func name(_ statistics: inout RecordStatistics) {
    guard !statistics.isMapped else { return }
    let existing = catalog[statistics.name]
    for index in statistics.fields.indices {
      let field = statistics.fields[index]
      guard let nested = field.nested.first, let key = Names.suggested(for: field.key) else {
        continue
      }
      let slot = existing?.slot(ofForeignKey: field.key)
      let inverse = existing.flatMap { schema in
        catalog.declaredInverses(of: schema).first { $0.name == key }
      }
      let isList = field.relation?.isMany == true
      let target = slot.flatMap { existing?.type(of: $0).relation?.target }
      if slot != nil && target == nil || isList && SystemField(named: key) != nil {
        statistics.fields[index].nested = []
        continue
      }
      statistics.fields[index].nested[0].name =
        target ?? inverse?.source.name ?? ownName(of: nested, in: key, isList)
        ?? combinedName(of: statistics.name, key, isList)
      name(&statistics.fields[index].nested[0])
    }
  }

  /// Returns the name of the schema that a key of the objects determines, or nil if there is none.
  private mutating func ownName(
    of nested: RecordStatistics, in key: String, _ isList: Bool
  ) -> String? {
    let role = isList ? NestedRole.part(of: "", inverse: key) : .object
    func hasIDs(_ name: String) -> Bool {
      nested.fields.contains { field in
        Names.suggested(for: field.key) == name && field.count == nested.count
          && field.ids?.isComplete == true && field.objection(as: role) == nil
          && (isComplete || !isList)
      }
    }
    let name =
      isList
      ? PartKeys.schemaNames(ofList: key).first { hasIDs("\($0)_id") }
      : hasIDs("\(key)_id") || hasIDs("id") ? key : nil
    guard let name, Names.isValid(name, as: .schema), !taken.contains(name),
      !FieldType.names.contains(name), !Schema.reservedNames.contains(name)
    else { return nil }
    if isList {
      if keyed.contains(name) || catalog[name] != nil { return nil }
      taken.insert(name)
    } else {
      keyed.insert(name)
    }
    return name
  }

  /// Returns the name of the schema for a key of an outer schema, with a number if another schema has
  /// the name.
  private mutating func combinedName(of outer: String, _ key: String, _ isList: Bool) -> String {
    let name = "\(outer)_\(key)"
    var candidate = Names.suggested(for: name, as: .schema) ?? outer
    var number = 2
    while taken.contains(candidate) && combined[candidate] != [outer, key]
      || keyed.contains(candidate) || isList && catalog[candidate] != nil
    {
      candidate = Names.suggested(for: "\(name.prefix(30))_\(number)", as: .schema) ?? outer
      number += 1
    }
    taken.insert(candidate)
    combined[candidate] = [outer, key]
    return candidate
  }
}
