package import DataModel

/// Records in memory, for the evaluation of conditions that follow relations.
package struct RelatedRecords: RecordLookup {
  private let catalog: Catalog
  private let records: [String: [[UInt8]: Rows]]

  package init(_ catalog: Catalog, _ records: [String: [[UInt8]: Rows]]) {
    self.catalog = catalog
    self.records = records
  }

  package func record(_ id: [UInt8], in schema: String) -> Rows? { records[schema]?[id] }

  package func isReadable(_ id: [UInt8], in schema: String) -> Bool {
    records[schema]?[id] != nil
  }

  package func referrers(to id: [UInt8], from schema: String, slot: Int) -> [[UInt8]] {
    guard let type = catalog[schema]?.type(of: slot) else { return [] }
    let target = Value.text(String(decoding: id, as: UTF8.self))
    return (records[schema] ?? [:]).filter { _, record in
      let value = record.value(record[0, slot], of: type)
      return value == target || value.listElements.contains(target)
    }.map(\.key)
  }
}

extension Value {
  fileprivate var listElements: [Value] {
    if case .list(let elements) = self { elements } else { [] }
  }
}
