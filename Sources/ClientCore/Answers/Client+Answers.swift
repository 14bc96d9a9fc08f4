internal import Conditions
package import DataModel
package import DataOutput
internal import DataStore
internal import Maps

extension Client {
  /// The maximum number of attempts to answer a request while other programs change the schemas
  /// that it uses.
  package static let maxAttempts = 1_000

  /// Answers a request from one snapshot of the store, and prints the answer. If the schemas are
  /// changed concurrently, answers the request again, provided that no output has been written yet.
  ///
  /// Messages about the answer, such as the warnings of a stored function, are passed to
  /// `printMessage` of the output.
  ///
  /// - Returns: The revision of the printed record if the request names a single record by its id
  ///   or by another value; nil for other requests.
  /// - Throws: An error if the request is invalid. If ids were not found, or if stored values are
  ///   invalid, the error is thrown after the other records have been printed.
  @discardableResult
  package func answer(
    _ request: ReadRequest, to output: AnswerOutput
  ) async throws(DataError) -> Int64? {
    for _ in 1..<Self.maxAttempts {
      do throws(DataError) {
        return try await print(request, to: output)
      } catch {
        guard error.code == .schemaChanged, request.canRestart, output.sink.discardBuffer() else {
          throw error
        }
        try output.checkInterruption()
      }
    }
    return try await print(request, to: output)
  }

  private func print(
    _ request: ReadRequest, to output: AnswerOutput
  ) async throws(DataError) -> Int64? {
    let format = request.format
    switch request.content {
    case .found(let lookup, let options):
      return try await print(lookup, options, of: request, to: output)
    case .records(let input, let options):
      let (query, reader) = try await check(input, printing: options.fields, to: output)
      try await print(query, options, of: request, from: reader, to: output)
    case .count(let input):
      let (query, reader) = try await check(input, to: output)
      let count = try await reader.count(query.query(slots: [query.schema.keySlot]))
      try print(count: count, as: format, to: output)
    case .groups(let input, let options):
      let (query, reader) = try await check(input, groupedBy: options, to: output)
      let listing = try GroupListing(
        try options.query(of: query), in: query.stored.catalog, distinct: options.distinct != nil,
        format: format, numbers: request.numbers)
      if options.countsValues {
        try print(count: try await listing.count(from: reader), as: format, to: output)
      } else {
        try await listing.print(from: reader, to: output)
      }
    case .explanation(let input, let options, let isCount):
      let (checked, reader) = try await check(input, groupedBy: options, to: output)
      let groups = try options.map { options throws(DataError) in try options.query(of: checked) }
      _ = try groups?.columns(in: checked.stored.catalog)
      var query = checked.query()
      query.isCounted = isCount
      if !isCount { query = try await reader.nearby(query) }
      let explanation = QueryExplanation(
        query, groups, isCount: isCount, zone: checked.reader.zoneName,
        by: try await reader.explain(query))
      try output.sink.write(explanation.text(as: format))
    }
    return nil
  }

  /// Takes a snapshot of the store, and validates a query against its schemas.
  ///
  /// The printed fields and the grouping options are parsed only later. They are passed here so
  /// that their parameters are not reported as unused, and so that the sort order can use the names
  /// of computed columns in `fields`.
  private func check(
    _ input: QueryInput, printing fields: String? = nil, groupedBy options: GroupingOptions? = nil,
    to output: AnswerOutput
  ) async throws(DataError) -> (CheckedQuery, any StoreReader) {
    var input = input
    input.columns = fields ?? input.columns
    input.laterExpressions = (options?.expressions ?? []) + (input.columns.map { [$0] } ?? [])
    let reader = try await store.snapshot()
    let query = try await check(input, from: reader)
    for warning in query.warnings { try output.printMessage(warning) }
    return (query, reader)
  }

  private func print(
    count: Int, as format: OutputFormat?, to output: AnswerOutput
  ) throws(DataError) {
    try output.sink.write(format == .json ? "{\"count\":\(count)}\n" : "\(count)\n")
  }
}

/// The ids of a lookup in chunks whose records need little memory. Many short ids can select large
/// records.
private struct LookupChunks {
  private static let targetSize = 1 << 20
  private static let maxCount = 128

  private let reader: IDList.Reader
  private var ids: ArraySlice<String> = []
  private var count = 4

  init(_ reader: @escaping IDList.Reader) {
    self.reader = reader
  }

  /// Returns the next ids, or nil after the last one.
  mutating func next() throws(DataError) -> [String]? {
    if ids.isEmpty, let next = try reader() { ids = next[...] }
    if ids.isEmpty { return nil }
    defer { ids = ids.dropFirst(count) }
    return Array(ids.prefix(count))
  }

  /// Adapts the size of the next chunks to that of the records of a chunk.
  mutating func adapt(to rows: Rows) {
    count = min(count * 4, Self.maxCount)
    // The next records may be as large as these. Missing ones have no size.
    if rows.arena.count > 0 {
      count = max(1, min(count, rows.count * Self.targetSize / rows.arena.count))
    }
  }
}

/// Methods that look up records by their ids, or by the values of other fields, and print them.
extension Client {
  private func print(
    _ lookup: IdentifiedRecords, _ options: RecordOptions, of request: ReadRequest,
    to output: AnswerOutput
  ) async throws(DataError) -> Int64? {
    // The schema and the record are fetched in one round trip.
    if case .one(let id) = lookup.keys, lookup.identifying == nil, request.map == nil,
      !options.mayFollowRelations
    {
      let (schema, found) = try await find([id], inSchemaNamed: lookup.schema)
      return try await print(
        lookup, options, of: request, schema, in: Catalog(), found: found, from: store, to: output)
    }
    let snapshot = try await store.snapshot()
    let catalog = try await snapshot.catalog().catalog
    return try await print(
      lookup, options, of: request, try catalog.schema(lookup.schema), in: catalog, found: nil,
      from: snapshot, to: output)
  }

  /// Prints the records that a lookup identifies. Returns the revision of the record if the lookup
  /// is for a single record, and nil if it is for several.
  ///
  /// - Parameter known: The records, or nil if they have not been fetched yet.
  private func print(
    _ lookup: IdentifiedRecords, _ options: RecordOptions, of request: ReadRequest,
    _ schema: Schema, in catalog: Catalog, found known: FoundRecords?,
    from reader: any StoreReader, to output: AnswerOutput
  ) async throws(DataError) -> Int64? {
    let format = request.format
    let map = try request.map.map { map throws(DataError) in
      try MapOutput(
        map, of: schema, in: catalog, format: format, cardinality: lookup.cardinality)
    }
    if let map, map.layout.includesFiles {
      throw DataError(
        .usage,
        "get cannot print the contents of files, which the map \(map.layout.map.name) includes",
        hint: "use list, or get --content FIELD")
    }
    let conditions = ConditionReader(catalog, now: try environment.now(), zone: lookup.zone)
    let expansion =
      try options.expansion(of: schema, in: catalog, as: format, by: map, conditions)
      ?? Expansion()
    let fields = try FieldChoice(
      options.fields, of: schema, in: catalog, expanding: expansion, by: conditions,
      as: format,
      omitsSystemFields: options.omitsSystemFields(in: format, by: map, on: output.terminal))
    let identifying = try lookup.identifying.map { list throws(DataError) in
      try schema.identifyingSlots(list)
    }
    var printer = RecordPrinter(
      fields.columns, of: schema, format: format, defaultFormat: .object,
      cardinality: lookup.cardinality, on: output.terminal, map: map, numbers: request.numbers)
    if known == nil { try await reader.prepare(toRead: [schema] + expansion.schemas) }
    let revisionSlot = schema.slot(.revision)
    let slots = fields.slots.contains(revisionSlot) ? fields.slots : fields.slots + [revisionSlot]
    var revision: Int64?
    var missing: DataError?
    try output.sink.append { printer.begin(to: &$0) }
    var nextKeys = LookupChunks(try lookup.list.reader())
    while let keys = try nextKeys.next() {
      try await output.prepareForChunk()
      let found =
        if let known {
          known
        } else if let identifying {
          try await reader.find(
            keys, byAny: identifying, in: schema, slots: slots, computed: fields.computed,
            joinedFields: fields.joinedFields)
        } else {
          try await reader.find(
            keys, in: schema, slots: slots, computed: fields.computed,
            joinedFields: fields.joinedFields)
        }
      nextKeys.adapt(to: found.rows)
      var ranges = expansion.ranges(of: found.rows, upTo: found.rows.count)
      while let related = try await ranges.next(of: found.rows, from: reader) {
        try printer.write(found.rows, related, to: output.sink)
        try await output.prepareForChunk()
      }
      if found.rows.count == 1,
        case .integer(let number) = found.rows.value(found.rows[0, revisionSlot], of: .integer)
      {
        revision = number
      }
      for index in found.missing {
        let problem = Problem(
          .notFound, "there is no such record", schema: schema.name, id: keys[index])
        if missing == nil { missing = DataError(problem) } else { missing?.add(problem) }
      }
    }
    try output.sink.append { printer.end(to: &$0) }
    if let damage = printer.damage { throw damage }
    if let missing { throw missing }
    switch lookup.keys {
    case .one: return revision
    case .several, .streamed: return nil
    }
  }
}

/// Methods that print the records that a query selects.
extension Client {
  private func print(
    _ checkedQuery: CheckedQuery, _ options: RecordOptions, of request: ReadRequest,
    from reader: any StoreReader, to output: AnswerOutput
  ) async throws(DataError) {
    let format = request.format
    let catalog = checkedQuery.stored.catalog
    let schema = checkedQuery.schema
    let map = try request.map.map { map throws(DataError) in
      try MapOutput(map, of: schema, in: catalog, format: format, cardinality: .several)
    }
    let expansion =
      if let expansion = try options.expansion(
        of: schema, in: catalog, as: format, by: map, checkedQuery.reader)
      {
        expansion
      } else {
        try checkedQuery.requestedExpansion(printing: options.fields)
      }
    let fields = try FieldChoice(
      options.fields, of: schema, in: catalog, expanding: expansion,
      by: checkedQuery.reader, as: format,
      omitsSystemFields: options.omitsSystemFields(
        in: format ?? .table, by: map, on: output.terminal))
    let isSectioned = options.bound == nil && map == nil && SectionListing.supports(format)
    if let section = options.section ?? (isSectioned ? checkedQuery.segment : nil) {
      let listing = try SectionListing(
        checkedQuery.query(), in: catalog, by: section, fields: fields, expansion: expansion,
        format: format, numbers: request.numbers)
      return try await listing.print(from: reader, to: output)
    }
    let bound = try options.bound.map { bound throws(DataError) in
      try bound.cursor(in: checkedQuery)
    }
    let listing = RecordListing(
      checkedQuery.query(), in: catalog, at: bound,
      fields: fields, expansion: expansion, format: format,
      includesFiles: options.includesFiles || map?.layout.includesFiles == true, map: map,
      numbers: request.numbers, token: checkedQuery.token)
    if try await listing.print(from: reader, to: output) {
      try output.sink.flush()
      let message = RecordPrinter.RowLimit.ofRequested.message ?? ""
      try output.printMessage("\(message) Pass --limit N to print more.")
    }
  }
}

extension RecordOptions {
  /// Returns whether system fields are left out unless the user lists them as fields.
  fileprivate func omitsSystemFields(
    in format: OutputFormat?, by map: MapOutput?, on terminal: TerminalStyle?
  ) -> Bool {
    !showsSystemFields && map == nil && format?.omitsSystemFields(on: terminal) == true
  }

  /// Whether the output may include values of related records.
  fileprivate var mayFollowRelations: Bool {
    expansion != nil || fields?.utf8.contains(UInt8(ascii: ".")) == true
      || fields?.hasComputedColumns == true
  }

  /// Returns the relations whose related records are printed in place of their ids. These relations
  /// are specified by the map or, without a map, by the option `--expand`. A map expands only
  /// relations among the printed fields. Returns nil if there is neither a map nor the option.
  fileprivate func expansion(
    of schema: Schema, in catalog: Catalog, as format: OutputFormat?, by map: MapOutput?,
    _ reader: ConditionReader
  ) throws(DataError) -> Expansion? {
    if let map {
      let chosen = try fields.map { list throws(DataError) in
        try FieldChoice(list, of: schema, in: catalog, expanding: Expansion(), by: reader).slots
      }
      return try map.expansion(of: schema, in: catalog, among: chosen)
    }
    guard let list = expansion else { return nil }
    let expansion = try Expansion(list, of: schema, in: catalog)
    guard isFlattened else { return expansion }
    return try expansion.flattened(
      of: schema, omitsSystemFields: !showsSystemFields && format == .md)
  }
}

extension CheckedQuery {
  /// If a stored function requests that related records are printed in place of their ids, returns
  /// the to-many relations among the printed fields. For other queries, returns no relations.
  fileprivate func requestedExpansion(printing fields: String?) throws(DataError) -> Expansion {
    guard expandsToMany else { return Expansion() }
    let chosen = try FieldChoice(
      fields, of: schema, in: stored.catalog, expanding: Expansion(), by: reader)
    return Expansion(toManyOf: schema, among: chosen.slots, in: stored.catalog)
  }
}

extension RecordOptions.Bound {
  fileprivate func cursor(in checkedQuery: CheckedQuery) throws(DataError) -> Query.Bound {
    switch self {
    case .after(let token): .after(try checkedQuery.cursor(of: token, option: "--after"))
    case .before(let token): .before(try checkedQuery.cursor(of: token, option: "--before"))
    }
  }
}
