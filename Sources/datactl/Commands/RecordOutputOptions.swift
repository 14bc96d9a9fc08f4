import ClientCore
import DataModel
import DataOutput
import DataStore

/// The options of `list` that control how records are printed.
struct RecordOutputOptions: Sendable {
  /// The start or the end of the page to print: the page begins after, or ends before, the position
  /// that a page token contains.
  enum Bound: Sendable {
    case after(String)
    case before(String)
  }

  let bound: Bound?
  let fields: String?
  /// Whether a table on a terminal includes the system fields (`--system`).
  let showsSystemFields: Bool
  let expansion: String?
  /// Whether records in to-one relations are printed as columns (`--flatten`).
  let isFlattened: Bool
  let section: String?
  let includesFiles: Bool
  /// The name of the map that describes the output (`--map`).
  let map: String?

  /// Whether none of these options was passed.
  var isDefault: Bool {
    bound == nil && fields == nil && !showsSystemFields && expansion == nil && section == nil
      && !includesFiles
      && map == nil
  }

  /// Prints the records that a query selects.
  func print(
    _ checkedQuery: CheckedQuery, as format: OutputFormat?, from reader: any StoreReader,
    with context: CommandContext
  ) async throws {
    let catalog = checkedQuery.stored.catalog
    let output = context.console.answerOutput
    let map = try map.map { name throws(DataError) in
      try MapOutput(
        try context.map(name), of: checkedQuery.schema, in: catalog, format: format,
        cardinality: .several)
    }
    let expansion =
      try map?.expansion(of: checkedQuery.schema, in: catalog)
      ?? expansion(of: checkedQuery, as: format)
    let fields = try FieldChoice(
      fields, of: checkedQuery.schema, in: catalog, expanding: expansion, as: format,
      by: checkedQuery.reader,
      hidesSystemFields: !showsSystemFields && map == nil && output.terminal != nil
        && (format ?? .table) == .table)
    let isSectioned = bound == nil && map == nil && SectionListing.supports(format)
    if let section = section ?? (isSectioned ? checkedQuery.segment : nil) {
      let listing = try SectionListing(
        checkedQuery.query(), in: catalog, by: section, fields: fields, expansion: expansion,
        format: format)
      return try await listing.print(from: reader, to: output)
    }
    let listing = RecordListing(
      checkedQuery.query(), in: catalog, at: try bound.map { try $0.cursor(in: checkedQuery) },
      fields: fields, expansion: expansion, format: format,
      includesFiles: includesFiles || map?.layout.includesFiles == true, map: map,
      token: checkedQuery.token)
    if try await listing.print(from: reader, to: output) {
      try output.sink.flush()
      let message = RecordPrinter.RowLimit.ofRequested.message ?? ""
      try context.printMessage("\(message) Pass --limit N to print more.")
    }
  }

  private func expansion(
    of checkedQuery: CheckedQuery, as format: OutputFormat?
  ) throws(DataError) -> Expansion {
    let catalog = checkedQuery.stored.catalog
    if let expansion {
      let expansion = try Expansion(expansion, of: checkedQuery.schema, in: catalog)
      return isFlattened ? try expansion.flattened(as: format, of: checkedQuery.schema) : expansion
    }
    guard checkedQuery.expandsToMany else { return Expansion() }
    let chosen = try FieldChoice(
      fields, of: checkedQuery.schema, in: catalog, expanding: Expansion(),
      by: checkedQuery.reader)
    return Expansion(toManyOf: checkedQuery.schema, among: chosen.slots, in: catalog)
  }
}

extension RecordOutputOptions.Bound {
  fileprivate func cursor(in checkedQuery: CheckedQuery) throws(DataError) -> Query.Bound {
    switch self {
    case .after(let token): .after(try checkedQuery.cursor(of: token, option: "--after"))
    case .before(let token): .before(try checkedQuery.cursor(of: token, option: "--before"))
    }
  }
}
