import DataModel
import JSONText

/// Flattens trees of records. A tree is a JSON object whose relations can contain nested records in
/// place of ids. Each record becomes a line of NDJSON in which nested records are replaced with
/// their ids.
struct TreeFlattener: Sendable {
  /// The maximum depth of a tree. A record without nested records has depth 1.
  static let maxDepth = 32

  /// Records of one schema: either the roots of trees or nested records.
  struct Group: Sendable {
    let schema: Schema
    let isInside: Bool
    /// The records as NDJSON.
    var text: [UInt8] = []
    /// For each line of `text`, the index in `TreeFlattener.locations` of the record's location.
    var locations: [Int] = []
    /// For each line of `text`, whether the id of the record was generated. If so, the record is
    /// new.
    var hasAssignedID: [Bool] = []
    /// The problems that were found when the records were converted to JSON, by line number in
    /// `text`. Lines are counted from 1.
    var problems: [Int: [Problem]] = [:]

    /// Removes the line with the given index, and all lines after it.
    mutating func removeLines(from index: Int) {
      for _ in index..<locations.count {
        text.removeLast()
        while let byte = text.last, byte != 0x0A { text.removeLast() }
      }
      locations.removeLast(locations.count - index)
      hasAssignedID.removeLast(hasAssignedID.count - index)
    }
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
    /// The byte range of the record in the text of its group, without the closing brace.
    let range: Range<Int32>
  }

  /// A schema to which records in the trees belong. It is a class, so that each record retains a
  /// single object instead of all properties of the schema.
  private final class RecordKind: Sendable {
    let schema: Schema
    /// The name of the primary key as the name of a JSON member, with a colon.
    let keyMemberName: [UInt8]

    init(_ schema: Schema) {
      self.schema = schema
      keyMemberName = JSONQuote.memberName(of: schema.key.name)
    }

    /// Returns whether a field can contain nested records.
    func isRelation(_ slot: Int) -> Bool {
      let kind = schema.slots[slot].kind
      return kind == .reference || kind == .references
    }
  }

  /// A record whose relations are being read.
  private struct Owner {
    let kind: RecordKind
    let location: Int
    let depth: Int
    /// The layout of the record, as specified by the map that converted the tree. Nil if no map was
    /// used.
    let layout: TreeLayout?
    /// The id that was assigned to the record before its members were read, as JSON. Nil if none
    /// was assigned. Without a map, an id is assigned only after the members were read.
    let assignedID: [UInt8]?
  }

  /// A relation whose nested records are being read.
  private struct Nesting {
    let target: RecordKind
    let slot: Int
    /// The layout of the nested records, as specified by the map. Nil if no map was used.
    let layout: TreeLayout?
    /// The beginning of the ids that are assigned to nested records, such as `"abc.steps.`: the id
    /// of the containing record and the name of the field, as JSON. Nil if the id of the containing
    /// record was not assigned, or if the map has a path for the ids of the nested records.
    let idPrefix: [UInt8]?

    init(_ slot: Int, of owner: Owner, _ target: RecordKind) {
      self.target = target
      self.slot = slot
      guard let ownerLayout = owner.layout else {
        (layout, idPrefix) = (nil, nil)
        return
      }
      let field = owner.kind.schema.name(of: slot)
      layout = ownerLayout.nested[field]
      guard let layout, !layout.hasKey, let assignedID = owner.assignedID else {
        idPrefix = nil
        return
      }
      idPrefix = assignedID.dropLast() + Array(".\(field).".utf8)
    }

    /// Returns the id of the nested record at the given index, as JSON.
    func id(_ index: Int) -> [UInt8]? { idPrefix.map { $0 + Array("\(index)\"".utf8) } }
  }

  let root: Schema
  let catalog: Catalog
  private var ids: IDGenerator
  /// The layout of the root records, as specified by the map that converted the trees. Nil if no
  /// map was used: a nested object that contains only an id is then a reference.
  private let layout: TreeLayout?
  var json = JSONScanner()
  /// The schemas of nested records, by name.
  private var kinds: [String: RecordKind] = [:]
  private let rootKind: RecordKind
  /// Arrays that contained the JSON of earlier records. They are used again, so that their memory
  /// need not be allocated for each record.
  private var buffers: [[UInt8]] = []
  private(set) var groups: [Group] = []
  /// The index of the first group to which records can be added. When a tree is discarded, this
  /// becomes the end of `groups`, so that further records are added to new groups.
  private var firstOpenGroup = 0
  /// The locations of the records in `groups`.
  private(set) var locations: [TreeLocation] = []
  /// The records in `groups` whose ids are given in the input.
  private var known: [TreeRecordID: Known] = [:]
  /// The schema and the id of each record in the most recent tree, if the input contains the id. If
  /// the tree is discarded, these keys are removed from `known`.
  private var keysOfTree: [TreeRecordID] = []
  /// The index in `locations` at which the most recent tree begins.
  private var firstLocation = 0

  init(
    _ root: Schema, in catalog: Catalog, ids: IDGenerator, layout: TreeLayout?
  ) {
    self.layout = layout
    self.root = root
    rootKind = RecordKind(root)
    self.catalog = catalog
    self.ids = ids
  }

  /// Returns the collected groups that are not empty, and removes them. If a record occurs several
  /// times, its occurrences are in the order of the input.
  mutating func takeGroups() -> [Group] {
    defer {
      groups = []
      // Removing the records from a large, nearly empty table would take longer than a new table.
      known.removeAll(keepingCapacity: known.count > known.capacity / 8)
      keysOfTree = []
      firstOpenGroup = 0
    }
    return groups.filter { !$0.locations.isEmpty }
  }

  /// Whether the schema of a collected record has a password field.
  var hasPasswords: Bool { groups.contains { $0.schema.passwordSlot != nil } }

  /// Whether a tree can contain a record whose schema has a password field.
  var mayHavePasswords: Bool {
    root.treeSchemas(in: catalog).contains { $0.passwordSlot != nil }
  }

  /// Removes the records of an incomplete tree from `groups` and `locations`.
  ///
  /// - Parameter locationCount: The number of elements in `locations` before the tree was added.
  mutating func discardTree(after locationCount: Int) {
    locations.removeLast(locations.count - locationCount)
    for index in groups.indices {
      let kept = groups[index].locations.firstIndex { $0 >= locationCount }
      if let kept { groups[index].removeLines(from: kept) }
    }
    // The tree may have replaced the groups of known records. Further records are added to new
    // groups, so that they cannot come before earlier occurrences.
    firstOpenGroup = groups.count
    for key in keysOfTree { known[key] = nil }
  }

  /// Adds a problem of a record in the most recent tree. The problem was found when the tree was
  /// converted to JSON.
  ///
  /// - Parameters:
  ///   - path: The path of the record in the tree.
  ///   - locationCount: The number of elements in `locations` before this tree was added.
  /// - Returns: False if the tree has no record with this path, or if the record was omitted
  ///   because it had occurred earlier.
  mutating func add(_ problem: Problem, at path: String, after locationCount: Int) -> Bool {
    let location = locations.indices.dropFirst(locationCount).first { index in
      TreeLocations.path(index, in: locations, root, catalog) == path
    }
    guard let location else { return false }
    for index in groups.indices {
      guard let line = groups[index].locations.lastIndex(of: location) else { continue }
      groups[index].problems[line + 1, default: []].append(problem)
      return true
    }
    return false
  }

  /// Removes all elements of `locations`, because they have been added to `TreeLocations`.
  mutating func forgetLocations() {
    locations.removeAll(keepingCapacity: true)
  }

  /// Adds the records of a tree to `groups`. The opening brace of the tree must be at the current
  /// position.
  mutating func add(_ text: Span<UInt8>) throws {
    firstLocation = locations.count
    keysOfTree.removeAll(keepingCapacity: true)
    let location = addLocation(parent: -1, slot: -1, index: -1)
    var id: [UInt8] = []
    try record(text, of: rootKind, at: location, depth: 1, layout, idInto: &id)
  }

  private mutating func addLocation(parent: Int, slot: Int, index: Int) -> Int {
    locations.append(
      TreeLocation(
        parent: Int32(parent), slot: Int32(slot), index: Int32(index), line: Int32(json.line)))
    return locations.count - 1
  }

  /// Adds a record and its nested records to `groups`. Appends the id of the record as JSON to the
  /// output.
  ///
  /// - Parameter derivedID: The id, as JSON, that is assigned to a record without an id. If nil, an
  ///   id is generated.
  private mutating func record(
    _ text: Span<UInt8>, of kind: RecordKind, at location: Int, depth: Int,
    _ layout: TreeLayout?, derivedID: [UInt8]? = nil, idInto output: inout [UInt8]
  ) throws {
    guard depth <= Self.maxDepth else {
      throw TreeError(
        problem: Problem(
          .invalid, "the tree is deeper than \(Self.maxDepth) records",
          schema: kind.schema.name),
        location: location)
    }
    var own = buffers.popLast() ?? []
    own.removeAll(keepingCapacity: true)
    own.append(UInt8(ascii: "{"))
    var id: Range<Int>?
    var isAssigned = false
    var memberCount = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    // A map writes the id first. A missing id is assigned before the nested records are read, which
    // derive their ids from it.
    var assignedID: [UInt8]?
    if layout != nil, !kind.schema.requiresExplicitIDs,
      try !hasKey(text, next, of: kind.schema)
    {
      assignedID = derivedID ?? newID()
    }
    let owner = Owner(
      kind: kind, location: location, depth: depth, layout: layout, assignedID: assignedID)
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, json.position) }
      let keyStart = json.position
      let slot =
        if let range = try json.string(text) {
          kind.schema.slot(named: text.extracting(range))
        } else {
          kind.schema.slot(named: json.unescaped.span)
        }
      let key = keyStart..<json.position
      _ = try json.skipColon(text)
      let start = own.count
      if start > 1 { own.append(UInt8(ascii: ",")) }
      own.append(copying: text.extracting(key))
      own.append(UInt8(ascii: ":"))
      let valueStart = own.count
      try value(text, slot, of: owner, into: &own)
      memberCount += 1
      if slot == kind.schema.keySlot {
        if own.span.extracting(valueStart..<own.count).isEqual(to: "null".utf8.span) {
          own.removeSubrange(start...)
          memberCount -= 1
        } else {
          id = valueStart..<own.count
        }
      }
      next = try json.skipMemberEnd(text)
    }
    let isInside = locations[location].parent >= 0
    if isInside, memberCount == 1, self.layout == nil, let id {
      output.append(copying: own.span.extracting(id))
      return buffers.append(own)
    }
    if id == nil, !kind.schema.requiresExplicitIDs {
      if memberCount > 0 { own.append(UInt8(ascii: ",")) }
      own += kind.keyMemberName
      let start = own.count
      own += assignedID ?? newID()
      id = start..<own.count
      isAssigned = true
    }
    if let id {
      output.append(copying: own.span.extracting(id))
    } else {
      output.append(contentsOf: "null".utf8)
    }
    try add(&own, of: kind, givenID: isAssigned ? nil : id, isAssigned, at: location, isInside)
    buffers.append(own)
  }

  /// Adds a record to a group. Omits a nested record if an earlier tree contains it with the same
  /// values.
  ///
  /// - Parameters:
  ///   - record: The record without the closing brace.
  ///   - givenID: The byte range of the id in the record, if the input contains it.
  private mutating func add(
    _ record: inout [UInt8], of kind: RecordKind, givenID: Range<Int>?, _ isAssigned: Bool,
    at location: Int, _ isInside: Bool
  ) throws {
    var group = openGroup(of: kind.schema, isInside: isInside) ?? groups.count
    if let givenID {
      let key = try TreeRecordID(schema: kind.schema.name, json: record.span.extracting(givenID))
      keysOfTree.append(key)
      if let earlier = known[key] {
        if try isRepeated(record, earlier, key, at: location), isInside {
          known[key]?.location = Int32(location)
          return
        }
        if group < earlier.group { group = groups.count }
      }
      let start = group < groups.count ? groups[group].text.count : 0
      known[key] = Known(
        location: Int32(location), group: Int32(group),
        range: Int32(start)..<Int32(start + record.count))
    }
    if group == groups.count {
      groups.append(Group(schema: kind.schema, isInside: isInside))
    }
    record.append(contentsOf: "}\n".utf8)
    groups[group].text += record
    groups[group].locations.append(location)
    groups[group].hasAssignedID.append(isAssigned)
  }

  /// Returns whether the first key of an object is the name of the primary key. The current
  /// position must be at this key.
  ///
  /// - Parameter quote: The byte at the current position, or nil if the object is empty.
  private func hasKey(
    _ text: Span<UInt8>, _ quote: UInt8?, of schema: Schema
  ) throws(ScanError) -> Bool {
    guard quote == UInt8(ascii: "\"") else { return false }
    var scanner = json
    guard let name = try scanner.string(text) else { return false }
    return schema.slot(named: text.extracting(name)) == schema.keySlot
  }

  private mutating func newID() -> [UInt8] {
    var id = [UInt8(ascii: "\"")]
    ids.next(into: &id)
    id.append(UInt8(ascii: "\""))
    return id
  }

  /// Returns whether a record has the same values as an earlier record with the same id. Throws an
  /// error if both are in the same tree and have different values.
  ///
  /// - Parameter record: The record without the closing brace.
  private func isRepeated(
    _ record: [UInt8], _ earlier: Known, _ key: TreeRecordID, at location: Int
  ) throws -> Bool {
    let range = Int(earlier.range.lowerBound)..<Int(earlier.range.upperBound)
    let earlierRecord = groups[Int(earlier.group)].text[range]
    var isEqual = earlierRecord.elementsEqual(record)
    if !isEqual {
      let texts = [Array(earlierRecord), record].map { $0 + [UInt8(ascii: "}")] }
      let objects = try texts.map { try JSONValue(parsing: $0.span).sortedMembers }
      isEqual = objects[0] == objects[1]
    }
    // An operation, such as `{"$add": 1}`, is applied each time it occurs.
    if isEqual { return !Self.mayHaveOperation(record) }
    guard earlier.location >= firstLocation else { return false }
    throw TreeError(
      problem: Problem(
        .invalid, "the record occurs twice with different values",
        hint: "to refer to a record without changing it, write only its id", schema: key.schema,
        id: key.id),
      location: location, otherLocation: Int(earlier.location))
  }

  /// Returns whether the text contains a string that begins with `$`. Such a string may be the name
  /// of an operation, as in `{"$add": 1}`.
  private static func mayHaveOperation(_ text: [UInt8]) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "\"") && $1 == UInt8(ascii: "$") }
  }

  /// Returns the index of the last group for records of the schema, or nil if there is none. Root
  /// records and nested records are in separate groups.
  ///
  /// - Parameter isInside: Whether the group is for nested records.
  private func openGroup(of schema: Schema, isInside: Bool) -> Int? {
    groups[firstOpenGroup...].lastIndex {
      $0.schema.name == schema.name && $0.isInside == isInside
    }
  }

  /// Copies the value at the current position to the output. Nested records are added to the
  /// groups, and are replaced with their ids in the output.
  private mutating func value(
    _ text: Span<UInt8>, _ slot: Int?, of owner: Owner, into output: inout [UInt8]
  ) throws {
    let byte = try json.next(text)
    let brace = UInt8(ascii: "{")
    guard byte == brace || byte == UInt8(ascii: "["), let slot, owner.kind.isRelation(slot),
      let relation = owner.kind.schema.type(of: slot).relation,
      let target = kind(named: relation.target)
    else {
      return try copyValue(text, into: &output)
    }
    let nesting = Nesting(slot, of: owner, target)
    if byte == brace, !relation.isMany {
      try nestedRecord(text, nesting, index: nil, of: owner, into: &output)
    } else if byte == brace {
      try operations(text, nesting, of: owner, into: &output)
    } else {
      try elements(text, nesting, of: owner, into: &output)
    }
  }

  /// Returns the `RecordKind` of the schema with the given name, or nil if the catalog has no such
  /// schema.
  private mutating func kind(named name: String) -> RecordKind? {
    if let kind = kinds[name] { return kind }
    guard let schema = catalog[name] else { return nil }
    let kind = RecordKind(schema)
    kinds[name] = kind
    return kind
  }

  /// Adds the nested record at the current position to a group, and appends its id to the output.
  ///
  /// - Parameter index: The index of the record in a to-many relation, or nil in a to-one relation.
  private mutating func nestedRecord(
    _ text: Span<UInt8>, _ nesting: Nesting, index: Int?, of owner: Owner,
    into output: inout [UInt8]
  ) throws {
    let location = addLocation(parent: owner.location, slot: nesting.slot, index: index ?? -1)
    try record(
      text, of: nesting.target, at: location, depth: owner.depth + 1, nesting.layout,
      derivedID: nesting.id(index ?? 0), idInto: &output)
  }

  /// Copies the operations on a to-many relation, such as `{"$append": […]}`.
  private mutating func operations(
    _ text: Span<UInt8>, _ nesting: Nesting, of owner: Owner, into output: inout [UInt8]
  ) throws {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, json.position) }
      let start = json.position
      _ = try json.string(text)
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.append(copying: text.extracting(start..<json.position))
      output.append(UInt8(ascii: ":"))
      if try json.skipColon(text) == UInt8(ascii: "[") {
        try elements(text, nesting, of: owner, into: &output)
      } else {
        try copyValue(text, into: &output)
      }
      next = try json.skipMemberEnd(text)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Copies the elements of a to-many relation to the output. Nested records are added to the
  /// groups, and are replaced with their ids in the output.
  private mutating func elements(
    _ text: Span<UInt8>, _ nesting: Nesting, of owner: Owner, into output: inout [UInt8]
  ) throws {
    output.append(UInt8(ascii: "["))
    var index = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "]"))
    while let byte = next {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if byte == UInt8(ascii: "{") {
        try nestedRecord(text, nesting, index: index, of: owner, into: &output)
      } else {
        try copyValue(text, into: &output)
      }
      index += 1
      next = try json.skipElementEnd(text)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Copies a value. Line breaks are replaced with spaces, because each record is one line.
  private mutating func copyValue(_ text: Span<UInt8>, into output: inout [UInt8]) throws {
    _ = try json.next(text)
    let start = json.position
    let notes = try json.skipValue(text)
    let end = output.count
    output.append(copying: text.extracting(start..<json.position))
    guard notes.hasWhitespace else { return }
    for index in end..<output.count where output[index] == 0x0A { output[index] = 0x20 }
  }
}

extension JSONValue {
  /// The value, with the members of the object sorted by name.
  fileprivate var sortedMembers: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.sorted { $0.name < $1.name })
  }
}
