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

  /// Records of one schema that have the same role in their trees.
  struct Group: Sendable {
    /// The index of the schema in `kinds`.
    fileprivate let kind: Int
    let role: TreeRole
    /// The number of the group among those of the same trees.
    fileprivate(set) var number = 0
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
    /// Whether the list of an inverse names the record.
    let isListed: Bool
  }

  /// The inverse of a relation.
  struct Inverse {
    let name: [UInt8]
    /// The index in `kinds` of the schema with the relation.
    let kind: Int
    /// The slot of the relation.
    let slot: Int
    let isOwned: Bool
    /// The slots of the fields that distinguish the records of a list, if they are no ids.
    let partKeys: [Int]
  }

  /// The id that a record inside another one gets if the input does not contain it.
  struct DerivedID {
    /// The id of the outer record and the name of the relation or inverse, such as `o1.lines.`.
    let prefix: [UInt8]
    /// The position of the record in its list.
    let index: Int
    /// Whether the outer record is new, so that this one is new too.
    let isNew: Bool
    /// The slots of the fields whose values replace the position.
    var partKeys: [Int] = []

    var bytes: [UInt8] { bytes(endingWith: Array("\(index)".utf8)) }

    func bytes(endingWith end: [UInt8]) -> [UInt8] { prefix + end }
  }

  /// An id that is known before the other members of its record are read.
  struct KnownID {
    let bytes: [UInt8]
    let isNew: Bool
  }

  /// The list of an inverse, which is read after the record that contains it.
  struct SkippedList {
    /// The number of the inverse.
    let inverse: Int
    let scanner: JSONScanner
  }

  /// The relation from a listed record to the outer one.
  struct Link {
    let slot: Int
    let owner: [UInt8]
    let isOwned: Bool
  }

  /// A schema to which records in the trees belong.
  struct Kind {
    let schema: Schema
    let hasPassword: Bool
    /// Builders of records that are not in use. A record and a nested record of the same schema are
    /// built at the same time. Each builder is in an array of its own, which is moved without copying
    /// the builder.
    var unused: [[Open]] = []
    /// For each slot, the index in `kinds` of the schema to which the relation refers. Nil if this
    /// has not been looked up yet; -1 if the field is no relation, or refers to no schema.
    var targets: [Int?]
    /// The inverses of the relations to the schema; nil if they have not been looked up yet.
    var inverses: [Inverse]?

    init(_ schema: Schema) {
      self.schema = schema
      hasPassword = schema.passwordSlot != nil
      targets = Array(repeating: nil, count: schema.width)
    }
  }

  /// A record that is being built.
  struct Open {
    var scanner: JSONRecordScanner
    /// The record, as the only row of a chunk.
    var changes: RowChanges

    init(_ schema: Schema, _ form: TextForm, _ conversions: ValueConversions) {
      scanner = JSONRecordScanner(schema, form)
      changes = RowChanges(for: schema, conversions: conversions)
    }
  }

  /// A record that is being built: its schema and its place in the tree.
  struct Owner {
    let kind: Int
    let location: Int
    let depth: Int
    var role: TreeRole = .root
    /// The relation to the outer record, if the list of an inverse contains this one.
    var link: Link?
    /// The lists of inverses in the record.
    var lists: [SkippedList] = []
    /// The id of the record; nil until its members were read.
    var id: (bytes: [UInt8], isAssigned: Bool)?
    var isInside: Bool { depth > 1 }
    /// The layout of the record, as specified by the map that converted the tree. Nil if no map was
    /// used.
    let layout: TreeLayout?
    /// The id that was found or assigned before the members of the record were read. Nil if there is
    /// none. Without a map, and if no ids are derived, an id is assigned only after the members were
    /// read.
    var knownID: KnownID?
  }

  let catalog: Catalog
  var json = JSONScanner()
  private(set) var ids: IDGenerator
  /// Assigns the id of the only tree, if it is given on the command line.
  private var rootID: IDAssigner?
  /// `rootID` before the most recent tree.
  private var rootIDBefore: IDAssigner?
  /// The layout of the root records, as specified by the map that converted the trees. Nil if no
  /// map was used: a nested object that contains only an id is then a reference.
  private let layout: TreeLayout?
  let derivation: IDDerivation
  private let form: TextForm
  private let conversions: ValueConversions
  /// The schemas of the records. The first one is the schema of the roots.
  var kinds: [Kind]
  private var kindIndexes: [String: Int] = [:]
  var owner: Owner?
  private(set) var groups: [Group] = []
  /// The index of the first group to which records can be added. When a tree is discarded or a group
  /// is full, this becomes the end of `groups`, so that further records are added to new groups.
  private var firstOpenGroup = 0
  /// The locations of the records of the trees that were added since `begin` was called.
  private(set) var locations: [TreeLocation] = []
  /// The number that the first element of `locations` has among all records of the input.
  var firstNumber = 0
  /// The records in `groups` whose ids are given in the input.
  private var known: [TreeRecordID: Known] = [:]
  /// The lists of inverses in `groups`.
  var lists: [PartList] = []
  /// The list that is being read, as an index in `lists`.
  var openList: Int?
  /// The owners whose parts a list contains, and the parts.
  var listed = ListedRecords()
  /// The schema and the id of each record in the most recent tree, if the input contains the id. If
  /// the tree is discarded, these keys are removed from `known`.
  private var keysOfTree: [TreeRecordID] = []
  /// Whether the input contains the id of the root of the most recent tree.
  private var hasRootID = false
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
    _ root: Schema, in catalog: Catalog, ids: IDGenerator, rootID: String?, layout: TreeLayout?,
    _ derivation: IDDerivation, _ form: TextForm, conversions: ValueConversions
  ) {
    self.derivation = derivation
    self.form = form
    self.rootID = rootID.map { IDAssigner(generator: nil, given: $0) }
    self.layout = layout
    self.catalog = catalog
    self.ids = ids
    self.conversions = conversions
    kinds = [Kind(root)]
    kindIndexes[root.name] = 0
  }

  var root: Schema { kinds[0].schema }

  /// The ids of the records with the schema of the root in the most recent tree, as far as the input
  /// contains them. Nil if it does not contain the id of the root.
  var rootIDs: [String]? {
    guard hasRootID else { return nil }
    return keysOfTree.filter { $0.kind == 0 }.map(\.id)
  }

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
  mutating func takeGroups(_ input: [UInt8]) -> (groups: [Group], lists: [PartList]) {
    if omitted.count > 0 {
      var problem = Problem(
        .invalid, "\(omitted.count) further problems were found", schema: root.name)
      problem.line = firstNumber + omitted.location
      groups[omitted.group].rejected.append([problem])
    }
    defer {
      groups = []
      lists = []
      // Removing the records from a large, nearly empty table would take longer than a new table.
      known.removeAll(keepingCapacity: known.count > known.capacity / 8)
      keysOfTree = []
      firstOpenGroup = 0
      problemCount = 0
      omitted = (0, 0, 0)
    }
    for index in groups.indices {
      groups[index].number = index
      var text = input
      groups[index].changes.swapInput(with: &text)
    }
    return (groups.filter { $0.changes.count > 0 || !$0.rejected.isEmpty }, lists)
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
    lists.removeAll { $0.line >= number }
    rootID = rootIDBefore
    listed.discardTree()
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
    hasRootID = false
    listed.beginTree()
    openList = nil
    rootIDBefore = rootID
    hasPasswords = false
    foundProblems = problems
    treeError = nil
    let location = addLocation(parent: -1, slot: -1, index: -1)
    do throws(ScanError) {
      _ = try record(
        text, Owner(kind: 0, location: location, depth: 1, layout: layout), derivedID: nil)
    } catch {
      if let treeError { throw treeError }
      throw error
    }
    return foundProblems
  }

  mutating func addLocation(parent: Int, slot: Int, index: Int) -> Int {
    locations.append(
      TreeLocation(
        parent: Int32(parent), slot: Int32(slot), index: Int32(index), line: Int32(json.line)))
    return locations.count - 1
  }

  /// Ends the current tree with an error.
  mutating func end(with error: TreeError) -> ScanError {
    treeError = error
    return ScanError(.expectedRecord, json.position)
  }

  /// Adds a record and its nested records to `groups`, and returns its id.
  ///
  /// - Parameter derivedID: The id that is assigned to a record without an id. If nil, an id is
  ///   generated.
  mutating func record(
    _ text: Span<UInt8>, _ record: Owner, derivedID: DerivedID?
  ) throws(ScanError) -> NestedID? {
    let kind = record.kind
    guard record.depth <= Self.maxDepth else {
      throw end(
        with: TreeError(
          problem: Problem(
            .invalid, "the tree is deeper than \(Self.maxDepth) records",
            schema: kinds[kind].schema.name),
          location: record.location))
    }
    if kinds[kind].hasPassword { hasPasswords = true }
    var open = kinds[kind].unused.popLast() ?? [Open(kinds[kind].schema, form, conversions)]
    let outer = owner
    owner = record
    defer { owner = outer }
    let id = try build(&open[0], text, derivedID)
    kinds[kind].unused.append(open)
    if let owner, !owner.lists.isEmpty { try readLists(of: owner, text) }
    return id
  }

  /// Scans the record of the owner, and adds it to a group.
  private mutating func build(
    _ open: inout Open, _ text: Span<UInt8>, _ derivedID: DerivedID?
  ) throws(ScanError) -> NestedID? {
    guard let owner else { return nil }
    swap(&open.scanner.json, &json)
    defer { swap(&open.scanner.json, &json) }
    open.changes.beginRecord(line: firstNumber + owner.location)
    // A missing id is assigned before the nested records are read, which derive their ids from it. A
    // map writes the id first.
    if derivation == .fromOuter, owner.role != .link {
      let id = try findID(&open, text, owner, derivedID)
      self.owner?.knownID = id
    } else if owner.layout != nil, !open.changes.schema.requiresExplicitIDs,
      !hasKey(text, open.scanner.json, of: open.changes.schema)
    {
      let id = derivedID?.bytes ?? newID()
      open.changes.assignID(id.span)
      self.owner?.knownID = KnownID(bytes: id, isNew: true)
    }
    if owner.role == .link {
      try open.scanner.scanID(text, into: &open.changes)
    } else {
      try open.scanner.scan(text, into: &open.changes, nesting: &self)
    }
    if let link = owner.link { connect(&open.changes, text, link) }
    return try end(&open, text, owner)
  }

  /// Finds the id of a record in its members, or derives it if the input does not contain it.
  private mutating func findID(
    _ open: inout Open, _ text: Span<UInt8>, _ record: Owner, _ derivedID: DerivedID?
  ) throws(ScanError) -> KnownID? {
    let schema = open.changes.schema
    let slots = [schema.keySlot] + (derivedID?.partKeys ?? [])
    let values = try open.scanner.json.idValues(text, slots, of: schema)
    if let id = values[0] { return KnownID(bytes: id, isNew: false) }
    if schema.requiresExplicitIDs { return nil }
    guard let derivedID else {
      if let given = rootID?.given { return KnownID(bytes: given, isNew: false) }
      let id = newID()
      open.changes.assignID(id.span)
      return KnownID(bytes: id, isNew: true)
    }
    let key = values.dropFirst().lazy.compactMap(\.self).first
    let id = key.map(derivedID.bytes(endingWith:)) ?? derivedID.bytes
    if derivedID.isNew, IDs.isValid(id.span) {
      open.changes.assignID(id.span)
    } else {
      open.changes.set(schema.keySlot, text: id.span)
    }
    return KnownID(bytes: id, isNew: derivedID.isNew)
  }

  /// Sets the relation of a listed record to the outer one, unless the record contains it.
  private func connect(_ changes: inout RowChanges, _ text: Span<UInt8>, _ link: Link) {
    guard changes.isSet(link.slot) else {
      if !changes.hasProblem(of: link.slot) { changes.set(link.slot, text: link.owner.span) }
      return
    }
    let given = changes.bytes(of: changes.rows[0, link.slot], reading: text)
    guard given != link.owner else { return }
    changes.report(
      link.slot,
      "expected \(Excerpt.quoted(link.owner.span)), whose list contains the record, found "
        + (changes.rows[0, link.slot].hasValue ? Excerpt.quoted(given.span) : "null"))
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
    if record.isInside, record.link == nil, layout == nil, derivation == .none,
      owner?.lists.isEmpty != false, let keyPosition, open.scanner.hasOnly(keySlot)
    {
      open.changes.removeAll()
      return .scalar(at: keyPosition)
    }
    if !record.isInside { rootID?.assign(to: &open.changes, reading: text) }
    if !open.changes.hasProblem(of: keySlot) { open.changes.assignID(from: &ids) }
    let key = open.changes.rows[0, keySlot]
    let isAssigned = open.changes.hasAssignedID[0]
    let isDerived = isAssigned || keyPosition == nil && key.hasValue
    let id: NestedID? =
      isDerived
      ? .assigned(open.changes.bytes(of: key, reading: text))
      : keyPosition.map { .scalar(at: $0) }
    if key.hasValue, owner?.lists.isEmpty == false {
      owner?.id = (open.changes.bytes(of: key, reading: text), isAssigned)
    }
    let given =
      isAssigned || !key.hasValue
      ? nil : TreeRecordID(kind: record.kind, id: open.changes.bytes(of: key, reading: text))
    if !record.isInside { hasRootID = given != nil }
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
        if record.link != nil, earlier.isListed {
          throw end(
            with: TreeError(
              problem: Problem(
                .invalid, "the record is listed twice", schema: open.changes.schema.name, id: id.id),
              location: location, otherLocation: Int(earlier.location)))
        }
        if try isRepeated(open.changes, text, earlier, id, at: location), record.isInside {
          known[id]?.location = Int32(location)
          open.changes.removeAll()
          return
        }
        if group < earlier.group { group = groups.count }
      }
      if record.link?.isOwned == true { try noteListed(id, open.changes.schema, at: location) }
    }
    if group == groups.count {
      groups.append(
        Group(
          kind: record.kind, role: record.role,
          changes: RowChanges(for: open.changes.schema, conversions: conversions)))
    }
    if let id {
      known[id] = Known(
        location: Int32(location), group: Int32(group),
        row: problems.isEmpty ? Int32(groups[group].changes.count) : -1,
        isListed: record.link != nil)
    }
    if record.link != nil, problems.isEmpty, let openList {
      lists[openList].append(PartList.Part(chunk: group, row: groups[group].changes.count))
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

  /// Returns the index of the last group for records of the schema, or nil if there is none. Records
  /// with different roles are in separate groups.
  private func openGroup(for record: Owner) -> Int? {
    // A closure would get a copy of each group.
    for index in (firstOpenGroup..<groups.count).reversed()
    where groups[index].kind == record.kind && groups[index].role == record.role { return index }
    return nil
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
      found = kindIndex(schema)
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
    let field = kinds[owner.kind].schema.name(of: slot)
    let layout = owner.layout?.nested[field]
    let derivedID = derivedID(from: owner.knownID, field, index ?? 0, of: layout)
    var nested = Owner(
      kind: target, location: location, depth: owner.depth + 1, layout: layout)
    nested.role = .inside
    let list = openList
    openList = nil
    defer { openList = list }
    return try record(text, nested, derivedID: derivedID)
  }

  /// Returns the id that a record in a relation or a list derives from that of the outer record. Nil
  /// if it gets a new id.
  func derivedID(
    from outer: KnownID?, _ name: String, _ index: Int, of layout: TreeLayout?,
    partKeys: [Int] = []
  ) -> DerivedID? {
    guard let outer, derivation == .fromOuter || layout?.hasKey == false else { return nil }
    return DerivedID(
      prefix: outer.bytes + Array(".\(name).".utf8), index: index,
      isNew: outer.isNew || derivation == .none, partKeys: partKeys)
  }

  mutating func kindIndex(_ schema: Schema) -> Int {
    if let index = kindIndexes[schema.name] { return index }
    kinds.append(Kind(schema))
    kindIndexes[schema.name] = kinds.count - 1
    return kinds.count - 1
  }
}
