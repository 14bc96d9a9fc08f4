internal import ClientCore
internal import DataStore
internal import RecordText

/// A record and the records that its relations refer to, if they have been fetched.
struct RecordTree: Sendable {
  /// The maximum depth of a tree. A record without nested records has depth 1.
  static let maxDepth = 32

  /// A step on the path to a nested record: the name of a relation and, if it is a to-many
  /// relation, the index of the record in its list.
  struct Step: Sendable {
    let field: String
    /// The index of the record in the list of a to-many relation; nil for a to-one relation.
    var index: Int?
  }

  let record: Record
  /// The related records; nil if relations are decoded as ids.
  private let related: RelatedRecords?
  /// The index in `CheckedModel.types` of the record's model type.
  private let type: Int
  /// The path from the root of the tree to the record; empty for the root itself.
  private let steps: [Step]
  /// The type of a record that was saved; nil for others.
  private var savedType: CheckedModel.NestedType?
  /// The values of the properties that contain records, by slot, if the record was saved with them.
  private var inside: [Int: DraftValue.Form] = [:]

  /// Creates the root of a tree.
  init(_ record: Record, with related: RelatedRecords? = nil) {
    self.init(record, with: related, type: 0, at: [])
  }

  /// Creates a tree from a record that was saved, and the draft that contained the records inside
  /// of it.
  init(_ record: Record, inside draft: Draft, of model: CheckedModel) {
    self.init(record)
    savedType = model.types[0]
    for entry in draft.entries {
      guard let slot = model.types[0].slot(ofProperty: entry.name),
        model.types[0].type(inSlot: slot) != nil
      else { continue }
      inside[slot] = entry.value.form
    }
  }

  private init(_ record: Record, with related: RelatedRecords?, type: Int, at steps: [Step]) {
    self.record = record
    self.related = related
    self.type = type
    self.steps = steps
  }

  /// The path of the record in the tree, such as `$.steps[1]`; nil for the root.
  var path: String? {
    if steps.isEmpty { return nil }
    return steps.reduce("$") { path, step in
      "\(path).\(step.field)" + (step.index.map { "[\($0)]" } ?? "")
    }
  }

  private var nestedType: CheckedModel.NestedType? { savedType ?? related?.model.types[type] }

  /// Returns the slot of the field for a property, or the number of the inverse.
  func slot(ofProperty name: String) -> Int? {
    nestedType.map { $0.slot(ofProperty: name) } ?? record.schema.slot(ofProperty: name)
  }

  /// Returns the name of a field or an inverse.
  func name(of slot: Int) -> String {
    nestedType?.name(of: slot) ?? record.schema.name(of: slot)
  }

  var isTooDeep: Bool { steps.count >= Self.maxDepth }

  /// Returns whether the field in a slot is a relation whose records have not been fetched.
  func isUnfetched(_ slot: Int) -> Bool {
    if slot >= record.schema.width { return record.related(name(of: slot)) == nil }
    return record.schema.type(of: slot).relation != nil
      && related?.model.types[type].type(inSlot: slot) == nil
  }

  /// Returns the value in a slot. If the property for this slot contains records instead of ids,
  /// each id is replaced by its record.
  func form(inSlot slot: Int) -> DraftValue.Form {
    if let form = inside[slot] { return form }
    if slot >= record.schema.width { return inverseForm(slot) }
    let value = record.values[slot]
    guard let related, let target = related.model.types[type].type(inSlot: slot) else {
      return expandedForm(value, inSlot: slot) ?? DraftValue(value).form
    }
    let field = record.schema.name(of: slot)
    func form(_ element: Value, index: Int?) -> DraftValue.Form {
      guard case .text(let id) = element, let record = related.records[target][RecordID(id)] else {
        return .value(.null)
      }
      return .record(
        RecordTree(
          record, with: related, type: target, at: steps + [Step(field: field, index: index)]))
    }
    guard case .list(let elements) = value else { return form(value, index: nil) }
    return .list(
      elements.enumerated().map { DraftValue(form: form($0.element, index: $0.offset)) })
  }
}

extension RecordTree {
  /// Returns the records of an inverse.
  private func inverseForm(_ slot: Int) -> DraftValue.Form {
    let name = name(of: slot)
    guard let related, let target = related.model.types[type].type(inSlot: slot) else {
      return .value(.null)
    }
    // Null cannot be decoded as a record, so that a list is never incomplete.
    guard let records = record.related(name) else { return .list([DraftValue(.null)]) }
    return .list(
      records.enumerated().map { index, record in
        let steps = steps + [Step(field: name, index: index)]
        return DraftValue(
          form: .record(RecordTree(record, with: related, type: target, at: steps)))
      })
  }

  /// Returns the value of an expanded relation, in which records replace their ids. Returns nil for
  /// other fields.
  private func expandedForm(_ value: Value, inSlot slot: Int) -> DraftValue.Form? {
    guard record.isExpanded, let records = record.related(record.schema.name(of: slot)) else {
      return nil
    }
    func form(_ element: Value) -> DraftValue.Form {
      guard case .text(let id) = element,
        let found = records.first(where: { $0.id.utf8.elementsEqual(id.utf8) })
      else { return DraftValue(element).form }
      return .record(RecordTree(found))
    }
    guard case .list(let elements) = value else { return form(value) }
    return .list(elements.map { DraftValue(form: form($0)) })
  }
}

extension RecordTree: Hashable {
  /// Returns whether the records of two trees are equal and have the same `path`. The nested
  /// records of the trees are not compared.
  static func == (left: RecordTree, right: RecordTree) -> Bool {
    left.record == right.record && left.path == right.path
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(record)
  }
}

/// The records that a list of root records refers to, directly or through other records.
struct RelatedRecords: Sendable {
  /// The number of references to collect before the related records are fetched together.
  static let maxReferences = 2_000

  let model: CheckedModel
  /// The related records, keyed by id, in one dictionary for each type in `model`.
  fileprivate(set) var records: [[RecordID: Record]]

  /// Fetches the records that are nested in the given records of a model type, at all levels.
  /// Executes one query for each level and type.
  init(
    of roots: [Record], _ model: CheckedModel, from reader: any StoreReader
  ) async throws(DataError) {
    try await self.init(of: roots, model) { ids, schema throws(DataError) in
      try await reader.records(withIDs: ids, of: schema).records
    }
  }

  /// - Parameter fetch: Returns the records of a schema that have the given ids, in any order.
  init(
    of roots: [Record], _ model: CheckedModel,
    fetchedBy fetch: (_ ids: [String], Schema) async throws(DataError) -> [Record]
  ) async throws(DataError) {
    self.model = model
    records = Array(repeating: [:], count: model.types.count)
    var level = Array(repeating: [Record](), count: model.types.count)
    level[0] = roots
    // One more level is fetched, so that decoding reports a tree that is too deep.
    for _ in 1...RecordTree.maxDepth {
      var next = takeExpanded(of: level)
      let ids = missingIDs(in: level)
      if ids.allSatisfy(\.isEmpty), next.allSatisfy(\.isEmpty) { return }
      for (index, type) in model.types.enumerated() where !ids[index].isEmpty {
        for record in try await fetch(ids[index], type.schema) {
          records[index][RecordID(record.id)] = record
          next[index].append(record)
        }
      }
      level = next
    }
  }

  /// Adds the records that the expanded relations of other records contain, and returns the new
  /// ones: for each type of the model, an array.
  private mutating func takeExpanded(of level: [[Record]]) -> [[Record]] {
    var new = Array(repeating: [Record](), count: level.count)
    for (index, type) in model.types.enumerated() {
      for relation in type.relations {
        let name = type.name(of: relation.slot)
        for record in level[index].flatMap({ $0.related(name) ?? [] })
        where records[relation.type][RecordID(record.id)] == nil {
          records[relation.type][RecordID(record.id)] = record
          new[relation.type].append(record)
        }
      }
    }
    return new
  }

  /// Returns the ids of the related records that have not been fetched yet: for each type of the
  /// model, an array of distinct ids.
  private func missingIDs(in level: [[Record]]) -> [[String]] {
    var ids = Array(repeating: [String](), count: level.count)
    var seen = Array(repeating: Set<RecordID>(), count: level.count)
    for (index, type) in model.types.enumerated() {
      for relation in type.relations where relation.slot < type.schema.width {
        let name = type.schema.name(of: relation.slot)
        // An expanded relation lacks only records that do not exist or must not be read.
        for record in level[index] where record.related(name) == nil {
          for id in record.ids(inSlot: relation.slot) {
            let key = RecordID(id)
            if records[relation.type][key] == nil, seen[relation.type].insert(key).inserted {
              ids[relation.type].append(id)
            }
          }
        }
      }
    }
    return ids
  }
}

extension CheckedModel {
  /// Returns the relations that are expanded when records are read from a store: those with the
  /// given names, and if the values contain the records of inverses, all relations in them.
  func expansion(_ relations: String) -> String { hasInverses ? paths(with: relations) : relations }

  /// Returns the relations that a request expands: those with the given names, and those whose
  /// records the values of the model type contain, up to the depth that a request can expand.
  func paths(with relations: String) -> String {
    let paths = paths(ofType: 0, upTo: Expansion.maxDepth).map { $0.joined(separator: ".") }
    return (paths + (relations.isEmpty ? [] : [relations])).joined(separator: ",")
  }

  private func paths(ofType index: Int, upTo depth: Int) -> [[String]] {
    guard depth > 0 else { return [] }
    return types[index].relations.flatMap { relation in
      let name = types[index].name(of: relation.slot)
      let further = paths(ofType: relation.type, upTo: depth - 1)
      return further.isEmpty ? [[name]] : further.map { [name] + $0 }
    }
  }

  /// Returns how many references in a record are decoded as records. Relations whose properties
  /// contain only ids are not counted.
  func referenceCount(of record: Record) -> Int {
    types[0].relations.reduce(0) { $0 + record.ids(inSlot: $1.slot).count }
  }
}

extension Record {
  /// Returns the ids of the related records for the relation in the given slot.
  fileprivate func ids(inSlot slot: Int) -> [String] {
    guard slot < schema.width else { return [] }
    let value = values[slot]
    let elements = if case .list(let elements) = value { elements } else { [value] }
    return elements.compactMap { if case .text(let id) = $0 { id } else { nil } }
  }
}

extension StoreReader {
  /// Returns the records with the given ids, in the order of the ids, and the indices of the ids
  /// that were not found.
  func records(
    withIDs ids: [String], of schema: Schema
  ) async throws(DataError) -> (records: [Record], missing: [Int]) {
    let found = try await find(ids, in: schema, slots: Array(0..<schema.width))
    return (try found.records(of: schema), found.missing)
  }
}

extension FoundRecords {
  /// Returns the found rows as records. Throws an error if a stored value is invalid.
  func records(of schema: Schema) throws(DataError) -> [Record] {
    var check = StoredValueCheck(of: schema)
    var records: [Record] = []
    for row in 0..<rows.count {
      records.append(try Record(schema, rows, row, checkedBy: &check))
    }
    return records
  }
}
