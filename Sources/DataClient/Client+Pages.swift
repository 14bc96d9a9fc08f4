internal import ClientCore
internal import DataOutput
internal import DataStore

/// A position in the records of a query, at which a page begins or ends.
///
/// Positions contain the page tokens that `datactl list -o page` also prints. A token remains valid
/// if records are added or deleted. A web server can send the token to the browser, which sends it
/// back to request the next page.
public enum PagePosition: Hashable, Sendable {
  /// The first page.
  case first
  /// The page that begins after the position in the given page token.
  case after(String)
  /// The page that ends before the position in the given page token.
  case before(String)
}

/// A page of the records of a query.
public struct RecordPage<Element: Sendable>: Sendable {
  /// The records of the page, or the values that were decoded from them.
  public let records: [Element]
  /// The position of the next page, or nil if there is none.
  public let next: PagePosition?
  /// The position of the previous page, or nil if there is none.
  public let previous: PagePosition?
}

extension Client {
  /// Returns a page of the records that match a condition.
  ///
  /// ```swift
  /// var position: PagePosition? = .first
  /// while let current = position {
  ///   let page = try await client.page("todo", at: current, limit: 20, order: "due")
  ///   for todo in page.records { print(todo.id) }
  ///   position = page.next
  /// }
  /// ```
  ///
  /// The records of the page, and whether there are other pages, are read from the same snapshot of
  /// the store.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - position: The position of the page: `.first`, or the `next` or `previous` position of
  ///     another page of the same query.
  ///   - limit: The maximum number of records on the page.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///     Ties are sorted by id.
  ///   - relations: The relations to expand, as in ``get(_:in:expanding:)``.
  /// - Returns: The page.
  /// - Throws: A ``DataError`` if an argument is invalid, or if the position belongs to another
  ///   query.
  public func page(
    _ schema: String, at position: PagePosition = .first, limit: Int,
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", expanding relations: String = ""
  ) async throws -> RecordPage<Record> {
    let input = QueryInput(
      schema, where: condition, matching: matching, parameters: parameters, order: order,
      limit: limit)
    return try await page(
      input, at: position, expanding: relations, from: try await store.snapshot())
  }

  /// Returns a page of the records of a model type that match a condition, decoded as this type.
  ///
  /// - Parameters:
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  ///   - position: The position of the page: `.first`, or the `next` or `previous` position of
  ///     another page of the same query.
  ///   - limit: The maximum number of records on the page.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  /// - Returns: The page.
  /// - Throws: A ``DataError`` if the type does not match the schema, if an argument is invalid, or
  ///   if a record cannot be decoded.
  public func page<Model: Codable & Sendable>(
    _ type: Model.Type, at position: PagePosition = .first, limit: Int,
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = ""
  ) async throws -> RecordPage<Model> {
    let source = try await treeSource(of: type)
    var schema = source?.model.schema
    if schema == nil { schema = try await checkedSchema(of: type) }
    let input = QueryInput(
      schema?.name ?? "", where: condition, matching: matching, parameters: parameters,
      order: order, limit: limit)
    var snapshot = source?.snapshot
    if snapshot == nil { snapshot = try await store.snapshot() }
    let page = try await page(input, at: position, expanding: "", from: snapshot ?? store)
    var related: RelatedRecords?
    if let source {
      related = try await RelatedRecords(of: page.records, source.model, from: source.snapshot)
    }
    return RecordPage(
      records: try page.records.map { try RecordTree($0, with: related).decode(type) },
      next: page.next, previous: page.previous)
  }

  private func page(
    _ input: QueryInput, at position: PagePosition, expanding relations: String,
    from snapshot: any StoreReader
  ) async throws(DataError) -> RecordPage<Record> {
    let checked = try await check(input, from: snapshot)
    let catalog = checked.stored.catalog
    let expansion = try Expansion(expanding: relations, of: checked.schema, in: catalog)
    let bound = try position.bound(in: checked)
    var page = Page(checked.query(), in: catalog, at: bound, token: checked.token)
    var query = checked.query()
    query.computed = expansion.inverses.map(\.expression)
    query.bound = bound
    query = try page.query(query)
    try await snapshot.prepare(toRead: [checked.schema] + expansion.schemas)
    let stream = try await snapshot.records(query)
    var records: [Record] = []
    var memory = Rows(width: query.width)
    while let rows = try await stream.next(reusing: memory) {
      let count = try page.take(rows, of: query)
      records += try await snapshot.records(
        rows, upTo: count, of: checked.schema, expanding: expansion)
      memory = rows
    }
    let tokens = try await page.tokens(from: snapshot)
    return RecordPage(
      records: records, next: tokens.next.map { .after($0) },
      previous: tokens.previous.map { .before($0) })
  }
}

extension PagePosition {
  fileprivate func bound(in checked: CheckedQuery) throws(DataError) -> Query.Bound? {
    do throws(DataError) {
      return switch self {
      case .first: nil
      case .after(let token): .after(try checked.cursor(of: token, option: "after"))
      case .before(let token): .before(try checked.cursor(of: token, option: "before"))
      }
    } catch {
      throw error.modifyingProblems { $0.hint = "use a position of a page of the same query" }
    }
  }
}
