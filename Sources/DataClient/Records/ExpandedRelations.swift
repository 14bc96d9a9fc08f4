internal import DataOutput
internal import DataStore
internal import RecordText

/// The related records of some rows, for all relations that the caller asked to expand.
struct ExpandedRelations {
  private struct Relation {
    let fetched: RelatedRows
    let records: [RecordID: Record]
  }

  private let relations: [Relation]

  init(_ related: [RelatedRows]) throws(DataError) {
    var relations: [Relation] = []
    for fetched in related {
      let nested = try ExpandedRelations(fetched.related)
      var check = StoredValueCheck(of: fetched.schema)
      var records: [RecordID: Record] = [:]
      for row in 0..<fetched.rows.count {
        let record = try Record(
          fetched.schema, fetched.rows, row, related: nested.records(of: fetched.rows, row),
          checkedBy: &check)
        records[RecordID(record.id)] = record
      }
      relations.append(Relation(fetched: fetched, records: records))
    }
    self.relations = relations
  }

  /// Returns the related records of a row, keyed by the name of the relation, in the order of the
  /// references. Records that do not exist, or that the caller may not read, are omitted.
  func records(of rows: Rows, _ row: Int) -> [String: [Record]] {
    var records: [String: [Record]] = [:]
    for relation in relations {
      records[relation.fetched.name] = relation.fetched.references(in: rows, row).compactMap {
        relation.records[RecordID($0)]
      }
    }
    return records
  }
}

extension StoreReader {
  /// Returns the first `count` rows as records, together with the related records of the expanded
  /// relations.
  func records(
    _ rows: Rows, upTo count: Int, of schema: Schema, expanding expansion: Expansion
  ) async throws(DataError) -> [Record] {
    var check = StoredValueCheck(of: schema)
    var records: [Record] = []
    var ranges = expansion.ranges(of: rows, upTo: count)
    while let element = try await ranges.next(of: rows, from: self) {
      records += try element.records(of: rows, schema, checkedBy: &check)
    }
    return records
  }
}

extension RelatedRanges.Element {
  /// Returns the rows in this range as records, together with their related records.
  func records(
    of rows: Rows, _ schema: Schema, checkedBy check: inout StoredValueCheck
  ) throws(DataError) -> [Record] {
    if let row = tooLongRows.min() {
      throw DataError(
        .tooLongWithRelatedRecords(rows.text(rows[row, schema.keySlot]), of: schema))
    }
    let relations = try ExpandedRelations(related)
    var records: [Record] = []
    for row in range {
      records.append(
        try Record(schema, rows, row, related: relations.records(of: rows, row), checkedBy: &check))
    }
    return records
  }
}

extension Expansion {
  /// Parses a comma-separated list of relation paths; an empty list expands nothing.
  init(expanding relations: String, of schema: Schema, in catalog: Catalog) throws(DataError) {
    self = try relations.isEmpty ? Expansion() : Expansion(relations, of: schema, in: catalog)
  }
}
