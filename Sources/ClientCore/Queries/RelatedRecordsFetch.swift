package import DataModel
import DataOutput
package import DataStore
package import RecordText

/// Determines which related records have to be fetched for a range of rows, and collects the
/// fetched records. The caller runs the queries, for example in a transaction.
package struct RelatedRecordsFetch: Sendable {
  /// The ids of records to fetch, all of one schema.
  package struct Lookup: Sendable {
    package var ids: [String]
    package var schema: Schema
    package var slots: [Int]
    package var computed: [Expression]
  }

  /// An expanded relation, with the fetched records to which it refers.
  private struct Node: Sendable {
    let branch: Expansion.Branch
    /// The index in `nodes` of the preceding relation in a path: for the relation `owner` in
    /// `steps.owner`, the index of `steps`. Nil for the first relation in a path.
    let parent: Int?
    var targets: Rows
  }

  private let rows: Rows
  private let range: Range<Int>
  private var nodes: [Node] = []
  /// The index in `nodes` of the expanded relation whose related records are fetched next.
  private var current = 0
  private var ids: ArraySlice<String>?
  private(set) fileprivate var limit: SizeLimit

  /// Creates a fetch of the records that are related to a single row.
  package init(_ expansion: Expansion, of rows: Rows, row: Int) {
    self.init(expansion, of: rows, row..<row + 1, SizeLimit(forOneRowWithGroupSize: 2_000))
  }

  fileprivate init(
    _ expansion: Expansion, of rows: Rows, _ range: Range<Int>, _ limit: SizeLimit
  ) {
    self.rows = rows
    self.range = range
    self.limit = limit
    add(expansion, parent: nil)
  }

  private mutating func add(_ expansion: Expansion, parent: Int?) {
    for branch in expansion.branches {
      let width = branch.target.width + branch.expansion.inverses.count
      nodes.append(Node(branch: branch, parent: parent, targets: Rows(width: width)))
      add(branch.expansion, parent: nodes.count - 1)
    }
  }

  /// Returns the next ids to look up, or nil if all related records have been fetched. After each
  /// lookup, pass the found records to `add`.
  package mutating func next() -> Lookup? {
    while current < nodes.count {
      let branch = nodes[current].branch
      let remaining = ids ?? ids(of: nodes[current])[...]
      let group = remaining.prefix(limit.groupSize)
      ids = remaining.dropFirst(group.count)
      if !group.isEmpty {
        return Lookup(
          ids: Array(group), schema: branch.target, slots: branch.target.printedSlots,
          computed: branch.expansion.inverses.map(\.expression))
      }
      current += 1
      ids = nil
    }
    return nil
  }

  private func ids(of node: Node) -> [String] {
    guard let parent = node.parent else { return node.branch.ids(in: rows, range) }
    let targets = nodes[parent].targets
    return node.branch.ids(in: targets, 0..<targets.count)
  }

  /// Adds the records that were found for the ids that `next` returned most recently. They can be
  /// in any order. Returns false if the size limit is exceeded.
  package mutating func add(_ records: Rows) -> Bool {
    limit.add(records)
    if limit.isExceeded { return false }
    if nodes[current].targets.count == 0 {
      nodes[current].targets = records
    } else {
      let target = nodes[current].branch.target
      let cells = target.printedSlots + Array(target.width..<records.width)
      for row in 0..<records.count {
        nodes[current].targets.append(row, of: records, slots: cells)
      }
    }
    return true
  }

  /// The fetched related records for each expanded relation. `slot` is the position of the relation
  /// in a row.
  package var records: [(slot: Int, records: ExpandedRecords)] { records(ofChildrenOf: nil) }

  /// The fetched related records, as rows, for each expanded relation.
  fileprivate var related: [RelatedRows] { related(ofChildrenOf: nil) }

  private func related(ofChildrenOf parent: Int?) -> [RelatedRows] {
    nodes.indices.filter { nodes[$0].parent == parent }.map { index in
      RelatedRows(
        nodes[index].branch, nodes[index].targets, related: related(ofChildrenOf: index))
    }
  }

  private func records(
    ofChildrenOf parent: Int?
  ) -> [(slot: Int, records: ExpandedRecords)] {
    nodes.indices.filter { nodes[$0].parent == parent }.map { index in
      let (branch, targets) = (nodes[index].branch, nodes[index].targets)
      let columns =
        branch.target.printedSlots.map { branch.target.column($0) }
        + branch.expansion.inverseColumns(of: branch.target)
      var writer = RecordWriter(columns, format: .ndjson)
      for (slot, records) in records(ofChildrenOf: index) { writer.expand(slot, into: records) }
      return (
        branch.slot,
        ExpandedRecords(
          targets, of: branch.target, columns: columns, isMany: branch.isMany, writer: writer)
      )
    }
  }
}

/// The rows that an expanded relation refers to, with their own related rows.
package struct RelatedRows: Sendable {
  private let branch: Expansion.Branch
  package let rows: Rows
  package let related: [RelatedRows]

  fileprivate init(_ branch: Expansion.Branch, _ rows: Rows, related: [RelatedRows]) {
    self.branch = branch
    self.rows = rows
    self.related = related
  }

  /// The name of the relation or of the inverse relation.
  package var name: String { branch.name }

  /// The schema of the related records.
  package var schema: Schema { branch.target }

  /// Returns the ids of the related records that belong to the given row. `rows` must be the rows
  /// for which these related records were fetched.
  package func references(in rows: Rows, _ row: Int) -> [String] {
    branch.ids(in: rows, row..<row + 1)
  }
}

extension StoreReader {
  /// Runs the queries of `fetch`, and returns the related records. Returns nil if they exceed the
  /// size limit of `fetch`.
  fileprivate func records(
    _ fetch: inout RelatedRecordsFetch
  ) async throws(DataError) -> [(slot: Int, records: ExpandedRecords)]? {
    while let lookup = fetch.next() {
      let found = try await find(
        lookup.ids, in: lookup.schema, slots: lookup.slots, computed: lookup.computed,
        joinedFields: [])
      guard fetch.add(found.rows) else { return nil }
    }
    return fetch.records
  }
}

/// The limit on the total size of the related records that are fetched for a range of rows.
private struct SizeLimit {
  /// The number of bytes that can still be fetched. It is negative if the limit is exceeded.
  private var remaining: Int
  /// Whether the limit also applies to the memory for the cells of the rows. If not, it applies
  /// only to the texts and other bytes to which the cells refer, because only these are printed.
  private let countsCells: Bool
  /// The number of records to fetch with the next query. It depends on the size of the records that
  /// were fetched before.
  private(set) var groupSize: Int

  init(_ limit: Int, countsCells: Bool, groupSize: Int) {
    remaining = limit
    self.countsCells = countsCells
    self.groupSize = groupSize
  }

  /// Creates the limit for the related records of a single row.
  ///
  /// - Parameter groupSize: The number of records to fetch with the first query.
  init(forOneRowWithGroupSize groupSize: Int) {
    self.init(RelatedRanges.maxPrintedSize, countsCells: false, groupSize: groupSize)
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
  /// A range of rows, with the related records of these rows.
  package struct Element: Sendable {
    package let range: Range<Int>
    /// For each expanded relation, its slot (position in a row) and the related records.
    package let records: [(slot: Int, records: ExpandedRecords)]
    /// The indexes of the rows that would be too long if their related records were printed.
    /// Related records of these rows may be missing in `records`.
    package let tooLongRows: Set<Int>
    private let fetch: RelatedRecordsFetch

    fileprivate init(
      _ range: Range<Int>, _ records: [(slot: Int, records: ExpandedRecords)],
      tooLongRows: Set<Int>, _ fetch: RelatedRecordsFetch
    ) {
      self.range = range
      self.records = records
      self.tooLongRows = tooLongRows
      self.fetch = fetch
    }

    /// The related records of the range as rows, for each expanded relation.
    package var related: [RelatedRows] { fetch.related }

    /// Returns a copy of this element whose range contains only the row with the given index. It
    /// keeps the related records.
    func only(_ row: Int) -> Element {
      Element(row..<row + 1, records, tooLongRows: tooLongRows.intersection([row]), fetch)
    }
  }

  /// The maximum size in bytes of the related records that are in memory for a range of several
  /// rows. A range with larger related records is divided. For a single row, `maxPrintedSize`
  /// applies instead.
  private static let maxHeldSize = 40 << 20
  /// The maximum size in bytes of the output for one record, including its related records.
  fileprivate static let maxPrintedSize = 256 << 20

  private let expansion: Expansion
  /// The index of the first row of the next range.
  private var start = 0
  /// The ends of the remaining ranges, in reverse order.
  ///
  /// An array of ranges would take longer: Swift would search all protocol conformances of the
  /// program at run time to create its type.
  private var ends: [Int]
  private var groupSize = 2_000

  init(_ expansion: Expansion, _ ends: [Int]) {
    self.expansion = expansion
    self.ends = ends.reversed()
  }

  /// Returns whether a row would be too long to print with its related records.
  package static func isTooLong(
    _ row: Int, of rows: Rows, with records: [(slot: Int, records: ExpandedRecords)]
  ) -> Bool {
    records.reduce(0) { size, related in
      size + related.records.minimumSize(of: rows[row, related.slot], in: rows)
    } > maxPrintedSize
  }

  /// Fetches the related records of the next range. If they exceed the size limit, divides the
  /// range in half, and tries the first half. Returns nil after the last range.
  package mutating func next(
    of rows: Rows, from reader: any StoreReader
  ) async throws(DataError) -> Element? {
    while let end = ends.popLast() {
      let range = start..<end
      let limit =
        range.count > 1
        ? SizeLimit(Self.maxHeldSize, countsCells: true, groupSize: groupSize)
        : SizeLimit(forOneRowWithGroupSize: groupSize)
      var fetch = RelatedRecordsFetch(expansion, of: rows, range, limit)
      let records = try await reader.records(&fetch)
      groupSize = fetch.limit.groupSize
      if let records {
        let tooLongRows = range.filter { Self.isTooLong($0, of: rows, with: records) }
        start = end
        return Element(range, records, tooLongRows: Set(tooLongRows), fetch)
      }
      guard range.count > 1 else {
        // A range of one row cannot be divided further. Its related records exceed the limit, so
        // the row is too long to print.
        start = end
        return Element(range, [], tooLongRows: Set(range), fetch)
      }
      ends.append(end)
      ends.append(start + range.count / 2)
    }
    return nil
  }
}

extension RecordPrinter {
  /// Writes the rows of a range to a sink, with their related records. Records that would be too
  /// long are not written, but reported in `damage`.
  mutating func write(
    _ rows: Rows, _ related: RelatedRanges.Element, to sink: any ByteSink
  ) throws(DataError) {
    try write(
      rows, related.range, with: related.records, tooLong: related.tooLongRows, to: sink)
  }

  /// Prepares to write the rows of a range with their related records, and returns the rows that
  /// can be written. Rows that would be too long are reported in `damage` instead.
  mutating func expand(_ related: RelatedRanges.Element, of rows: Rows) -> [Int] {
    expand(related.range, with: related.records, tooLong: related.tooLongRows, of: rows)
  }
}
