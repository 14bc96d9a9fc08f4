import DataModel
import JSONText

/// Builds the records of trees. A tree is a JSON object whose relations can contain nested records
/// in place of ids. Each record is validated while it is scanned, and is added to a group of records
/// of its schema, with the ids of its nested records in its relations.
struct TreeBuilder: Sendable {
  /// The maximum depth of a tree. A record without nested records has depth 1.
  static let maxDepth = 32
  /// The number of problems that are kept until `takeGroups` is called. Further problems are only
  /// counted, because they could need much more memory than the text of the trees.
  static let maxProblems = 1_000
  /// The number of records in a group after which new groups are begun, so that the cells of a huge
  /// tree are not in one chunk.
  private static let maxRows = 16_384

  /// Records of one schema: either the roots of trees or nested records.
  struct Group: Sendable {
    /// The index of the schema in `kinds`.
    fileprivate let kind: Int
    let isInside: Bool
    /// The records. Their `lines` are numbers of locations.
    var changes: RowChanges
    /// The problems of each invalid record. Their `line` is the number of the record's location.
    var rejected: [[Problem]] = []
  }

  /// An error in a tree. `location` is the index in `locations` of the record with the error.
  struct TreeError: Error {
    var problem: Problem
    var location: Int
    /// If the record occurs twice with different values, the index in `locations` of its earlier
    /// occurrence.
    var otherLocation: Int?
  }

  /// A record whose id is given in the input. Each number is stored in four bytes to save memory,
  /// because there can be many such records.
  private struct Known {
    var location: Int32
    /// The index of the record's group in `groups`.
    let group: Int32
    /// The index of the record in the group, or -1 if the record is invalid.
    let row: Int32
  }

  /// A schema to which records in the trees belong.
  private struct Kind {
    let schema: Schema
    /// Builders of records that are not in use. A record and a nested record of the same schema are
    /// built at the same time. Each builder is in an array of its own, which is moved without copying
    /// the builder.
    var unused: [[Open]] = []
    /// For each slot, the index in `kinds` of the schema to which the relation refers. Nil if this
    /// has not been looked up yet; -1 if the field is no relation, or refers to no schema.
    var targets: [Int?]

    init(_ schema: Schema) {
      self.schema = schema
      targets = Array(repeating: nil, count: schema.width)
    }
  }

  /// A record that is being built.
  private struct Open {
    var scanner: JSONRecordScanner
    /// The record, as the only row of a chunk.
    var changes: RowChanges

    init(_ schema: Schema, _ conversions: ValueConversions) {
      scanner = JSONRecordScanner(schema, TextForm(.ndjson))
      changes = RowChanges(for: schema, conversions: conversions)
    }
  }

  /// A record that is being built: its schema and its place in the tree.
  private struct Owner {
    let kind: Int
    let location: Int
    let depth: Int
    var isInside: Bool { depth > 1 }
    /// The layout of the record, as specified by the map that converted the tree. Nil if no map was
    /// used.
    let layout: TreeLayout?
    /// The id that was assigned to the record before its members were read. Nil if none was
    /// assigned. Without a map, an id is assigned only after the members were read.
    var assignedID: [UInt8]?
  }

  let catalog: Catalog
  var json = JSONScanner()
  private var ids: IDGenerator
  /// The layout of the root records, as specified by the map that converted the trees. Nil if no
  /// map was used: a nested object that contains only an id is then a reference.
  private let layout: TreeLayout?
  private let conversions: ValueConversions
  /// The schemas of the records. The first one is the schema of the roots.
  private var kinds: [Kind]
  private var kindIndexes: [String: Int] = [:]
  private var owner: Owner?
  private(set) var groups: [Group] = []
  /// The index of the first group to which records can be added. When a tree is discarded or a group
  /// is full, this becomes the end of `groups`, so that further records are added to new groups.
  private var firstOpenGroup = 0
  /// The locations of the records of the trees that were added since `begin` was called.
  private(set) var locations: [TreeLocation] = []
  /// The number that the first element of `locations` has among all records of the input.
  private var firstNumber = 0
  /// The records in `groups` whose ids are given in the input.
  private var known: [TreeRecordID: Known] = [:]
  /// The schema and the id of each record in the most recent tree, if the input contains the id. If
  /// the tree is discarded, these keys are removed from `known`.
  private var keysOfTree: [TreeRecordID] = []
  /// The index in `locations` at which the most recent tree begins.
  private var firstLocation = 0
  /// The problems of the most recent tree that were found when it was converted to JSON.
  private var foundProblems: [Problem] = []
  /// The error that ended the most recent tree.
  private var treeError: TreeError?
  /// The number of problems in `groups`.
  private var problemCount = 0
  /// The number of problems that were only counted, and the place of the first one.
  private var omitted: (count: Int, group: Int, location: Int) = (0, 0, 0)
  /// Whether the most recent tree contains a record whose schema has a password field.
  private(set) var hasPasswords = false

  init(
    _ root: Schema, in catalog: Catalog, ids: IDGenerator, layout: TreeLayout?,
    conversions: ValueConversions
  ) {
    self.layout = layout
    self.catalog = catalog
    self.ids = ids
    self.conversions = conversions
    kinds = [Kind(root)]
    kindIndexes[root.name] = 0
  }

  var root: Schema { kinds[0].schema }

  /// Whether so many problems have been found that the groups must be taken before further trees
  /// are added.
  var isFull: Bool { problemCount >= Self.maxProblems }

  /// Prepares for a new text, and removes all elements of `locations`.
  ///
  /// - Parameter firstNumber: The number of records that were added earlier.
  mutating func begin(firstNumber: Int) {
    self.firstNumber = firstNumber
    locations.removeAll(keepingCapacity: true)
    forgetPositions()
  }

  /// Returns the collected groups that are not empty, and removes them. If a record occurs several
  /// times, its occurrences are in the order of the input.
  ///
  /// - Parameter input: The text of the trees.
  mutating func takeGroups(_ input: [UInt8]) -> [Group] {
    if omitted.count > 0 {
      var problem = Problem(
        .invalid, "\(omitted.count) further problems were found", schema: root.name)
      problem.line = firstNumber + omitted.location
      groups[omitted.group].rejected.append([problem])
    }
    defer {
      groups = []
      // Removing the records from a large, nearly empty table would take longer than a new table.
      known.removeAll(keepingCapacity: known.count > known.capacity / 8)
      keysOfTree = []
      firstOpenGroup = 0
      problemCount = 0
      omitted = (0, 0, 0)
    }
    return groups.filter { $0.changes.count > 0 || !$0.rejected.isEmpty }.map { group in
      var group = group
      var text = input
      group.changes.swapInput(with: &text)
      return group
    }
  }

  /// Removes the records of an incomplete tree from `groups` and `locations`.
  ///
  /// - Parameter locationCount: The number of elements in `locations` before the tree was added.
  mutating func discardTree(after locationCount: Int) {
    locations.removeLast(locations.count - locationCount)
    let number = firstNumber + locationCount
    for index in groups.indices {
      let lines = groups[index].changes.lines
      groups[index].changes.removeRecords(
        from: lines.count - lines.reversed().prefix { $0 >= number }.count)
      while let line = groups[index].rejected.last?.first?.line, line >= number {
        problemCount -= groups[index].rejected.removeLast().count
      }
    }
    if omitted.location >= locationCount { omitted = (0, 0, 0) }
    // The tree may have replaced the groups of known records. Further records are added to new
    // groups, so that they cannot come before earlier occurrences.
    firstOpenGroup = groups.count
    for key in keysOfTree { known[key] = nil }
    forgetPositions()
  }

  /// Resets the offsets that the scanners have stored, because they refer to another text, or to
  /// text that is scanned again.
  private mutating func forgetPositions() {
    for kind in kinds.indices {
      for index in kinds[kind].unused.indices { kinds[kind].unused[index][0].scanner.beginText() }
    }
  }

  /// Adds the records of a tree to `groups`. The opening brace of the tree must be at the current
  /// position.
  ///
  /// - Parameter problems: The problems that were found when the tree was converted to JSON. Each
  ///   is reported with the record at its `path`.
  /// - Returns: The problems whose record is not in the tree, or was omitted because it had occurred
  ///   earlier.
  mutating func add(_ text: Span<UInt8>, reporting problems: [Problem]) throws -> [Problem] {
    firstLocation = locations.count
    keysOfTree.removeAll(keepingCapacity: true)
    hasPasswords = false
    foundProblems = problems
    treeError = nil
    let location = addLocation(parent: -1, slot: -1, index: -1)
    do throws(ScanError) {
      _ = try record(text, of: 0, at: location, depth: 1, layout)
    } catch {
      if let treeError { throw treeError }
      throw error
    }
    return foundProblems
  }

  private mutating func addLocation(parent: Int, slot: Int, index: Int) -> Int {
    locations.append(
      TreeLocation(
        parent: Int32(parent), slot: Int32(slot), index: Int32(index), line: Int32(json.line)))
    return locations.count - 1
  }

  /// Ends the current tree with an error.
  private mutating func end(with error: TreeError) -> ScanError {
    treeError = error
    return ScanError(.expectedRecord, json.position)
  }

  /// Adds a record and its nested records to `groups`, and returns its id.
  ///
  /// - Parameter derivedID: The id that is assigned to a record without an id. If nil, an id is
  ///   generated.
  private mutating func record(
    _ text: Span<UInt8>, of kind: Int, at location: Int, depth: Int, _ layout: TreeLayout?,
    derivedID: [UInt8]? = nil
  ) throws(ScanError) -> NestedID? {
    guard depth <= Self.maxDepth else {
      throw end(
        with: TreeError(
          problem: Problem(
            .invalid, "the tree is deeper than \(Self.maxDepth) records",
            schema: kinds[kind].schema.name),
          location: location))
    }
    if kinds[kind].schema.passwordSlot != nil { hasPasswords = true }
    var open = kinds[kind].unused.popLast() ?? [Open(kinds[kind].schema, conversions)]
    let outer = owner
    owner = Owner(kind: kind, location: location, depth: depth, layout: layout)
    defer { owner = outer }
    let id = try build(&open[0], text, derivedID)
    kinds[kind].unused.append(open)
    return id
  }

  /// Scans the record of the owner, and adds it to a group.
  private mutating func build(
    _ open: inout Open, _ text: Span<UInt8>, _ derivedID: [UInt8]?
  ) throws(ScanError) -> NestedID? {
    guard let owner else { return nil }
    swap(&open.scanner.json, &json)
    defer { swap(&open.scanner.json, &json) }
    open.changes.beginRecord(line: firstNumber + owner.location)
    // A map writes the id first. A missing id is assigned before the nested records are read, which
    // derive their ids from it.
    if owner.layout != nil, !open.changes.schema.requiresExplicitIDs,
      !hasKey(text, open.scanner.json, of: open.changes.schema)
    {
      let id = derivedID ?? newID()
      open.changes.assignID(id.span)
      self.owner?.assignedID = id
    }
    try open.scanner.scan(text, into: &open.changes, nesting: &self)
    return try end(&open, text, owner)
  }

  /// Ends a record, and adds it to a group.
  private mutating func end(
    _ open: inout Open, _ text: Span<UInt8>, _ record: Owner
  ) throws(ScanError) -> NestedID? {
    let keySlot = open.changes.schema.keySlot
    let keyPosition = open.scanner.valuePosition(of: keySlot).flatMap { position in
      text[position] == UInt8(ascii: "{") || text[position] == UInt8(ascii: "[")
        || text[position] == UInt8(ascii: "n") ? nil : position
    }
    if record.isInside, layout == nil, let keyPosition, open.scanner.hasOnly(keySlot) {
      open.changes.removeAll()
      return .scalar(at: keyPosition)
    }
    if !open.changes.hasProblem(of: keySlot) { open.changes.assignID(from: &ids) }
    let key = open.changes.rows[0, keySlot]
    let isAssigned = open.changes.hasAssignedID[0]
    let id: NestedID? =
      isAssigned
      ? .assigned(open.changes.bytes(of: key, reading: text))
      : keyPosition.map { .scalar(at: $0) }
    let given =
      isAssigned || !key.hasValue
      ? nil : TreeRecordID(kind: record.kind, id: open.changes.bytes(of: key, reading: text))
    try add(&open, text, record, given)
    return id
  }

  /// Adds a record to a group. Omits a nested record if an earlier tree contains it with the same
  /// values.
  ///
  /// - Parameter id: The id of the record, if the input contains it.
  private mutating func add(
    _ open: inout Open, _ text: Span<UInt8>, _ record: Owner, _ id: TreeRecordID?
  ) throws(ScanError) {
    let location = record.location
    let problems = endRecord(&open, text, at: location)
    var group = openGroup(for: record) ?? groups.count
    if let id {
      keysOfTree.append(id)
      if let earlier = known[id] {
        if try isRepeated(open.changes, text, earlier, id, at: location), record.isInside {
          known[id]?.location = Int32(location)
          open.changes.removeAll()
          return
        }
        if group < earlier.group { group = groups.count }
      }
    }
    if group == groups.count {
      groups.append(
        Group(
          kind: record.kind, isInside: record.isInside,
          changes: RowChanges(for: open.changes.schema, conversions: conversions)))
    }
    if let id {
      known[id] = Known(
        location: Int32(location), group: Int32(group),
        row: problems.isEmpty ? Int32(groups[group].changes.count) : -1)
    }
    guard !problems.isEmpty else {
      groups[group].changes.append(&open.changes)
      // The next records of all schemas go to new groups, so that nested records still come before
      // those that contain them.
      if groups[group].changes.count >= Self.maxRows { firstOpenGroup = groups.count }
      return
    }
    open.changes.removeAll()
    if isFull {
      if omitted.count == 0 { omitted = (0, group, location) }
      omitted.count += problems.count
    } else {
      problemCount += problems.count
      groups[group].rejected.append(problems)
    }
  }

  /// Ends the record in `open`, and returns its problems.
  private mutating func endRecord(
    _ open: inout Open, _ text: Span<UInt8>, at location: Int
  ) -> [Problem] {
    let isConverted = !foundProblems.isEmpty && reportFound(&open.changes, at: path(of: location))
    // The owner refers to a generated id too. If the record is rejected, this reference is no
    // further error.
    let key = open.changes.schema.keySlot
    let generatedID =
      open.changes.hasAssignedID[0] ? open.changes.rows.text(open.changes.rows[0, key]) : nil
    let range = open.scanner.start..<open.scanner.json.position
    let scanner = isConverted ? (open.scanner, open.changes.schema) : nil
    let problems = open.changes.endRecord(reading: text, at: range) { problems in
      var sorted = problems
      if let (scanner, schema) = scanner {
        sorted = scanner.located(problems, in: text, schema: schema)
          .sorted { $0.column ?? .max < $1.column ?? .max }
      }
      for index in sorted.indices {
        sorted[index].line = firstNumber + location
        sorted[index].column = nil
        if let generatedID { sorted[index].id = generatedID }
      }
      return sorted
    }
    if problems.isEmpty { return [] }
    return open.scanner.wrappingProblem(among: problems).map { [$0] } ?? problems
  }

  /// Reports the problems that were found when the record with the given path was converted to JSON.
  /// Returns whether there are any.
  private mutating func reportFound(_ changes: inout RowChanges, at path: String) -> Bool {
    let count = foundProblems.count
    foundProblems.removeAll { problem in
      guard (problem.path ?? "$") == path else { return false }
      changes.report(
        problem.field.flatMap { changes.schema.slot(named: $0) }, problem.message,
        hint: problem.hint, column: problem.column)
      return true
    }
    return foundProblems.count < count
  }

  private func path(of location: Int) -> String {
    TreeLocations.path(location, in: locations, root, catalog)
  }

  /// Returns whether the first key of the object at the scanner's position is the primary key.
  private func hasKey(
    _ text: Span<UInt8>, _ scanner: JSONScanner, of schema: Schema
  ) -> Bool {
    var scanner = scanner
    guard let quote = try? scanner.skipOpening(text, closing: UInt8(ascii: "}")),
      quote == UInt8(ascii: "\""), let name = try? scanner.string(text)
    else { return false }
    return schema.slot(named: text.extracting(name)) == schema.keySlot
  }

  private mutating func newID() -> [UInt8] {
    var id: [UInt8] = []
    ids.next(into: &id)
    return id
  }

  /// Returns whether a record has the same values as an earlier record with the same id. Throws an
  /// error if both are in the same tree and have different values.
  private mutating func isRepeated(
    _ changes: RowChanges, _ text: Span<UInt8>, _ earlier: Known, _ id: TreeRecordID,
    at location: Int
  ) throws(ScanError) -> Bool {
    // The problems of an invalid record are reported once.
    guard earlier.row >= 0, changes.count > 0 else { return earlier.row < 0 && changes.count == 0 }
    let other = groups[Int(earlier.group)].changes
    if changes.isEqual(0, to: other, Int(earlier.row), reading: text) {
      // An operation, such as `{"$add": 1}`, is applied each time it occurs.
      return !changes.hasOperation(0)
    }
    guard earlier.location >= firstLocation else { return false }
    throw end(
      with: TreeError(
        problem: Problem(
          .invalid, "the record occurs twice with different values",
          hint: "to refer to a record without changing it, write only its id",
          schema: changes.schema.name, id: id.id),
        location: location, otherLocation: Int(earlier.location)))
  }

  /// Returns the index of the last group for records of the schema, or nil if there is none. Root
  /// records and nested records are in separate groups.
  private func openGroup(for record: Owner) -> Int? {
    groups[firstOpenGroup...].lastIndex {
      $0.kind == record.kind && $0.isInside == record.isInside
    }
  }
}

/// Reads nested records.
extension TreeBuilder: RecordNesting {
  static var isEnabled: Bool { true }

  mutating func canRead(_ slot: Int) -> Bool { target(slot) != nil }

  /// Returns the index in `kinds` of the schema to which a field of the owner refers. Returns nil if
  /// the field is no relation, or the catalog has no such schema.
  private mutating func target(_ slot: Int) -> Int? {
    guard let kind = owner?.kind else { return nil }
    if let found = kinds[kind].targets[slot] { return found < 0 ? nil : found }
    var found = -1
    if let name = kinds[kind].schema.type(of: slot).relation?.target, let schema = catalog[name] {
      found = kindIndexes[name] ?? kinds.count
      if found == kinds.count {
        kinds.append(Kind(schema))
        kindIndexes[name] = found
      }
    }
    kinds[kind].targets[slot] = found
    return found < 0 ? nil : found
  }

  mutating func read(
    _ slot: Int, _ index: Int?, _ text: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(ScanError) -> NestedID? {
    guard let owner, let target = target(slot) else { return nil }
    swap(&scanner, &json)
    defer { swap(&scanner, &json) }
    let location = addLocation(parent: owner.location, slot: slot, index: index ?? -1)
    let layout = owner.layout?.nested[kinds[owner.kind].schema.name(of: slot)]
    var derivedID: [UInt8]?
    if let layout, !layout.hasKey, let id = owner.assignedID {
      let field = kinds[owner.kind].schema.name(of: slot)
      derivedID = id + Array(".\(field).\(index ?? 0)".utf8)
    }
    return try record(
      text, of: target, at: location, depth: owner.depth + 1, layout, derivedID: derivedID)
  }
}
